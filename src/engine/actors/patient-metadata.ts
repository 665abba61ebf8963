import type { Notes, Turn } from '../../domain/conversation';
import type { GateFault } from '../../examiners/tester/gate/gate-request';
import type { PatientFacts } from './patient-record';

/** Faults kept for whoever looks. */
const MOST_FAULTS = 50;
const MAX_TEXT = 500;

/** What is kept of the patient of a scenario run: its faults, and how often a message had to be written again. */
export function patientMetadata({ faults, audit }: PatientFacts, turns: readonly Turn[]): Notes {
  const retries = turns.filter(({ metadata }) => metadata['patient_mended'] !== undefined).length;
  return {
    ...(audit === null ? {} : { patient_audit: audit }),
    ...(faults.length > 0 ? { patient_faults: faults.slice(0, MOST_FAULTS).map(shortened) } : {}),
    ...(retries > 0 ? { patient_retries: retries } : {}),
  };
}

/** Kept with the turn whose message was written twice: what was wrong with the first one. */
export function mendedNotes(mended: readonly GateFault[]): Notes {
  return mended.length > 0 ? { patient_mended: mended.slice(0, MOST_FAULTS).map(shortened) } : {};
}

function shortened<Fault extends GateFault>(fault: Fault): Fault {
  return { ...fault, text: fault.text.slice(0, MAX_TEXT).toWellFormed() };
}
