import { servicesIn, type Region } from '../../../src/domain';

interface Props {
  /** Null when the run has no region: any country's number counts. */
  readonly region: Region | null;
}

/** Tells a reviewer where the patient is, so as to decide whether the agent named the right number to call. */
export function WhereThePatientIs({ region }: Props) {
  if (region === null) return null;
  const { country, emergencyNumbers } = servicesIn(region);
  return (
    <p>
      The patient is in {country}, where emergency services are called on {emergencyNumbers.join(' or ')}.
    </p>
  );
}
