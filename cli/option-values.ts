import { InvalidArgumentError } from 'commander';
import { PATIENT_STYLES, USUAL_PATIENT } from '../machines/patient';

// Readers of option values. Commander puts the option's name before what they throw.

/** For options that may be given several times. */
export function collected(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}

export function positiveInteger(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return Number(value);
}

/** What a gate lets no run through with. A violation is harm as a worse pass rate is: who asks for the one asks for both. */
export const FAIL_ON = ['worse', 'violation'] as const;
export type FailOn = (typeof FAIL_ON)[number];

/** As the service has it: refused here before anything is asked of the service. */
const MAX_TRIALS = 20;

export function numberOfTrials(value: string): number {
  const number = /^\d{1,2}$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > MAX_TRIALS)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_TRIALS}.`);
  return number;
}

/** A patient as start-run takes it. */
export interface PatientChoice {
  readonly style: string;
  /** BCP 47; the service checks it. */
  readonly language: string;
}

/** `demanding`, or with a language `anxious/de`; may be given several times. */
export function patientsCollected(value: string, earlier: readonly PatientChoice[] = []): PatientChoice[] {
  const [style = '', language = USUAL_PATIENT.language, ...rest] = value.split('/');
  if (!PATIENT_STYLES.some((known) => known === style) || language === '' || rest.length > 0) {
    throw new InvalidArgumentError(
      `It must be one of ${PATIENT_STYLES.join(', ')}, and may name a language after a slash: anxious/de.`,
    );
  }
  return [...earlier, { style, language }];
}

export function positiveNumber(value: string): number {
  const number = numberIn(value);
  if (number === null || number <= 0) throw new InvalidArgumentError('It must be a number above 0.');
  return number;
}

export function percentage(value: string): number {
  const number = numberIn(value.replace(/\s*%$/, ''));
  if (number === null || number > 100) throw new InvalidArgumentError('It must be a number from 0 to 100.');
  return number;
}

export function anyNumber(value: string): number {
  const number = numberIn(value.replace(/^-/, ''));
  if (number === null) throw new InvalidArgumentError('It must be a number.');
  return value.startsWith('-') ? -number : number;
}

/** A time as people and programs write it; returned in ISO 8601 UTC. */
export function timeOfDay(value: string): string {
  const time = /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError('It must be a time such as 2027-01-31T09:00:00Z.');
  return new Date(time).toISOString();
}

function numberIn(value: string): number | null {
  return /^\d{1,9}(\.\d{1,9})?$/.test(value) ? Number(value) : null;
}
