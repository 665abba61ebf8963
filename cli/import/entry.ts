import type { Place } from './values-in';

/** The content key under which an imported scenario remembers where it came from: what makes a second import an update. */
export const IMPORT_KEY = 'import_key';
/** The most characters of a key in a file. */
export const LONGEST_KEY = 300;

/** What a line of an import file asks for, checked and ready to be sent. */
export interface ImportEntry {
  /** Where it is, as in `scenarios.jsonl:12`. */
  readonly where: string;
  /** The key by which a later import finds it. */
  readonly key: string;
  /** False when its id or name is used, since the file gives no key. */
  readonly isKeyed: boolean;
  /** The scenario of this service that the line itself names; null when it names none. */
  readonly scenarioId: string | null;
  /** Body of POST /api/v1/scenarios. */
  readonly fields: ScenarioFields;
  /** Null when the line does not say. */
  readonly approved: boolean | null;
  /** The approver that the line names; only where it says that it is approved. */
  readonly signature?: Signature;
  /** Remarks on what was not imported; lines with the same remark use the same words. */
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

/** The problems of one line. */
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
