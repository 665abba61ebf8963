import type { ScenarioRunMetadata } from '../../../contract/scenario-run-metadata';
import { violatesMustPass } from '../../domain';

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
export function findingsOf(
  marks: readonly Mark[],
  { flags, patient_faults: faults }: ScenarioRunMetadata,
): Findings | null {
  const found: Findings = {
    violations: marks
      .filter(({ decision, points, tags }) => violatesMustPass(decision, points, tags))
      .map(({ criterion, points }) => ({ criterion, kind: points < 0 ? 'committed' : 'missed' })),
    disputed: marks.filter(({ disputed }) => disputed).length,
    flags: flags ?? [],
    patient_faults: (faults ?? []).map(({ kind }) => kind),
  };
  const isEmpty = found.disputed === 0 && [found.violations, found.flags, found.patient_faults].every(isNone);
  return isEmpty ? null : found;
}

function isNone(list: readonly unknown[]): boolean {
  return list.length === 0;
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
export function examinersOf({ tester, judge }: ScenarioRunMetadata): Examiners | null {
  return tester && judge ? { tester: examinerOf(tester), judge: examinerOf(judge) } : null;
}

/** Without what it says of this one scenario run. */
function examinerOf({ name, model, prompt_version }: Examiner): Examiner {
  return { name, model, prompt_version };
}
