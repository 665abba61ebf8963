import type { Place } from './values-in';

/** The content key under which an imported scenario remembers where it came from: what makes a second import an update. */
export const IMPORT_KEY = 'import_key';
/** Of a key that a file gives. */
export const LONGEST_KEY = 300;

/** What a line of an import file asks for, checked and ready to be sent. */
export interface ImportEntry {
  /** Where it is, as in `scenarios.jsonl:12`. */
  readonly where: string;
  /** What a later import finds it by. */
  readonly key: string;
  /** False: for want of a key, its id or name stands in. */
  readonly isKeyed: boolean;
  /** The scenario of this service that the line itself names; null when it names none. */
  readonly scenarioId: string | null;
  /** Body of POST /api/v1/scenarios. */
  readonly fields: ScenarioFields;
  /** Null when the line leaves it open. */
  readonly approved: boolean | null;
  /** Who approved it, by the line; only where it says that it is approved. */
  readonly signature?: Signature;
  /** What was not imported, in words; the same words for the same thing in every line. */
  readonly remarks: readonly string[];
}

export interface Signature {
  readonly approved_by?: string | null | undefined;
  readonly approved_role?: string | null | undefined;
}

export interface ScenarioFields {
  readonly name: string;
  readonly category: string;
  readonly severity: string;
  readonly scenario_type: string;
  readonly priority: number | null;
  readonly content: Readonly<Record<string, unknown>>;
  readonly rubric_criteria: readonly object[];
  readonly tags: readonly string[];
}

/** A line that cannot be imported. */
export interface ImportProblem {
  readonly where: string;
  readonly problem: string;
}

/** What the caller applies to all lines. */
export interface ImportDefaults {
  readonly category: string | null;
  readonly tags: readonly string[];
}

/** What is wrong with one of them. */
export interface Refused {
  readonly problems: readonly ImportProblem[];
}

/** Reads one scenario's value: an entry, or what is wrong with it. */
export type LineFormat = (
  value: Record<string, unknown>,
  place: Place,
  defaults: ImportDefaults,
) => ImportEntry | Refused;

export function isRefused(read: ImportEntry | Refused): read is Refused {
  return 'problems' in read;
}
