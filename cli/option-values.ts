import { InvalidArgumentError } from 'commander';
import { DISTURBANCES, LARGEST_SEED, PATIENT_STYLES, USUAL_PATIENT, type Disturbance } from '../src/domain';

// Readers of option values. Commander puts the option's name before what they throw.

/** For options that may be given several times. */
export function collected(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}

export function filled(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return value.trim();
}

export function positiveInteger(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return Number(value);
}

/** Outcomes of a comparison on which a gate fails. `violation` includes `worse`. */
export const FAIL_ON = ['worse', 'violation'] as const;
export type FailOn = (typeof FAIL_ON)[number];

/**
 * Harm on which a gate fails, without a comparison: a must-pass criterion that was missed; that, or a failed scenario of critical
 * severity; those, or one of high severity.
 */
export const HARMS = ['must-pass', 'critical', 'high'] as const;
export type Harm = (typeof HARMS)[number];

export function isHarm(value: string): value is Harm {
  return HARMS.some((harm) => harm === value);
}

function isFailOn(value: string): value is FailOn {
  return FAIL_ON.some((known) => known === value);
}

/** `critical`, or several of them: `critical,worse`; may be given several times. */
export function failOnCollected(value: string, earlier: readonly (FailOn | Harm)[] = []): (FailOn | Harm)[] {
  return value.split(',').reduce<(FailOn | Harm)[]>(
    (all, part) => {
      const one = part.trim();
      if (!isFailOn(one) && !isHarm(one)) {
        const known = [...HARMS, ...FAIL_ON].join(', ');
        throw new InvalidArgumentError(`It must be one or several of ${known}, such as critical,worse.`);
      }
      return [...all, one];
    },
    [...earlier],
  );
}

/** As `failOnCollected`, for a run without a comparison. */
export function harmsCollected(value: string, earlier: readonly Harm[] = []): Harm[] {
  const harms = failOnCollected(value).filter(isHarm);
  if (harms.length < value.split(',').length) {
    throw new InvalidArgumentError(`It must be one or several of ${HARMS.join(', ')}: nothing is compared here.`);
  }
  return [...earlier, ...harms];
}

/** The wider of the requested outcomes of a comparison. */
export function comparisonHarm(failOn: readonly (FailOn | Harm)[]): FailOn | null {
  if (failOn.includes('violation')) return 'violation';
  return failOn.includes('worse') ? 'worse' : null;
}

/** The widest of the requested kinds of harm of the run itself, which includes the others. */
export function runHarm(failOn: readonly (FailOn | Harm)[]): Harm | null {
  return [...HARMS].reverse().find((harm) => failOn.includes(harm)) ?? null;
}

/** The service's own limit, checked before any call. */
export const MAX_TRIALS = 20;

export function numberOfTrials(value: string): number {
  const number = /^\d{1,2}$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > MAX_TRIALS)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_TRIALS}.`);
  return number;
}

/** A language as `de` or `pt-BR`, in its canonical form. */
export function languageTag(value: string): string {
  try {
    const [tag] = Intl.getCanonicalLocales(value);
    if (tag !== undefined && value.length <= 35) return tag;
  } catch {
    // It is none.
  }
  throw new InvalidArgumentError('It must be a language tag (BCP 47) such as en, de or pt-BR.');
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

/** `pauses`, or several of them: `pauses,coughs`; may be given several times. */
export function disturbancesCollected(value: string, earlier: readonly Disturbance[] = []): Disturbance[] {
  const named = value.split(',').map((part) => {
    const known = DISTURBANCES.find((one) => one === part.trim());
    if (known === undefined) {
      throw new InvalidArgumentError(`It must be one or several of ${DISTURBANCES.join(', ')}, such as pauses,coughs.`);
    }
    return known;
  });
  return [...new Set([...earlier, ...named])];
}

export function seedOfSounds(value: string): number {
  const seed = /^\d{1,10}$/.test(value) ? Number(value) : Infinity;
  if (seed > LARGEST_SEED) throw new InvalidArgumentError(`It must be a whole number from 0 to ${LARGEST_SEED}.`);
  return seed;
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
