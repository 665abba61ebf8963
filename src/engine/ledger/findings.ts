import { violatesMustPass } from '../../domain';

type Metadata = Readonly<Record<string, unknown>>;

/** A must-pass criterion that was violated: left undone what earns points, or done what costs some. */
export interface MustPassViolation {
  readonly criterion: string;
  readonly kind: 'missed' | 'committed';
}

/**
 * What the statistics of a run count of a scenario run beside pass and fail. It is kept in a column of its own when the scenario
 * run ends, since reading the marks of twenty thousand scenario runs would take longer than a client waits.
 */
export interface Findings {
  readonly violations: readonly MustPassViolation[];
  /** Criteria whose votes were not unanimous. */
  readonly disputed: number;
  readonly flags: readonly string[];
  /** The kind of each fault of the patient. */
  readonly patient_faults: readonly string[];
}

interface Mark {
  readonly criterion: string;
  readonly tags: readonly string[];
  readonly decision: string;
  /** The points of the criterion in the rubric. */
  readonly points: number;
  readonly disputed: boolean;
}

/** Null when there is nothing to count. @param marks none when it ended without a verdict */
export function findingsOf(marks: readonly Mark[], metadata: Metadata): Findings | null {
  const found: Findings = {
    violations: marks
      .filter(({ decision, points, tags }) => violatesMustPass(decision, points, tags))
      .map(({ criterion, points }) => ({ criterion, kind: points < 0 ? 'committed' : 'missed' })),
    disputed: marks.filter(({ disputed }) => disputed).length,
    flags: listIn(metadata, 'flags').flatMap((flag) => (typeof flag === 'string' ? [flag] : [])),
    patient_faults: listIn(metadata, 'patient_faults').flatMap(kindOf),
  };
  const isEmpty = found.disputed === 0 && [found.violations, found.flags, found.patient_faults].every(isNone);
  return isEmpty ? null : found;
}

function isNone(list: readonly unknown[]): boolean {
  return list.length === 0;
}

function listIn(metadata: Metadata, key: string): readonly unknown[] {
  const found = metadata[key];
  return Array.isArray(found) ? found : [];
}

function kindOf(fault: unknown): string[] {
  if (typeof fault !== 'object' || fault === null || !('kind' in fault)) return [];
  return typeof fault.kind === 'string' ? [fault.kind] : [];
}

/** The tester and the judge of a scenario run, as its metadata say. */
export interface Examiners {
  readonly tester: Examiner;
  readonly judge: Examiner;
}

export interface Examiner {
  readonly name: string;
  readonly model: string | null;
  readonly prompt_version: string | null;
}

/** Null when the metadata do not say. */
export function examinersOf(metadata: Metadata): Examiners | null {
  const [tester, judge] = [examinerIn(metadata['tester']), examinerIn(metadata['judge'])];
  return tester && judge && { tester, judge };
}

function examinerIn(value: unknown): Examiner | null {
  if (typeof value !== 'object' || value === null || !('name' in value) || typeof value.name !== 'string') return null;
  const model = 'model' in value && typeof value.model === 'string' ? value.model : null;
  const version = 'prompt_version' in value && typeof value.prompt_version === 'string' ? value.prompt_version : null;
  return { name: value.name, model, prompt_version: version };
}
