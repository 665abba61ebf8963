import type { PastVerdict, ScenarioHistory } from '../api/history';
import { counted } from '../parts/numbers';

/** What the verdicts on a scenario say together. */
export function historySentences({
  verdicts,
  ungrouped,
  total,
  flaky,
}: Pick<ScenarioHistory, 'verdicts' | 'ungrouped' | 'total' | 'flaky'>): string[] {
  if (verdicts === 0) return ['No run has given a verdict on it yet.'];
  const ofGroups = flaky
    ? 'This scenario is flaky: examined alike, the same agent both passed and failed. The agent, the patient or the judge wavers: read the conversations to see which.'
    : 'Nothing that was examined alike has had both verdicts so far.';
  const ofOthers =
    ungrouped === 1
      ? '1 older verdict does not say what was examined, and is left out.'
      : `${counted(ungrouped, 'older verdict')} do not say what was examined, and are left out.`;
  return [...(total > 0 ? [ofGroups] : []), ...(ungrouped > 0 ? [ofOthers] : [])];
}

/** The verdicts that a run gave, trial by trial. */
export interface PastRun {
  readonly testRunId: string;
  /** Of its last verdict, ISO 8601. */
  readonly completedAt: string;
  readonly verdicts: readonly PastVerdict[];
}

/** In the order of their newest verdicts. @param verdicts the newest first */
export function runsOf(verdicts: readonly PastVerdict[]): PastRun[] {
  const runs = new Map<string, PastVerdict[]>();
  for (const verdict of verdicts) {
    const ofRun = runs.get(verdict.test_run_id);
    if (ofRun === undefined) runs.set(verdict.test_run_id, [verdict]);
    else ofRun.push(verdict);
  }
  return [...runs.values()].flatMap((ofRun) => {
    const [newest] = ofRun;
    if (newest === undefined) return [];
    const verdicts = [...ofRun].sort((one, other) => one.trial - other.trial);
    return [{ testRunId: newest.test_run_id, completedAt: newest.completed_at, verdicts }];
  });
}
