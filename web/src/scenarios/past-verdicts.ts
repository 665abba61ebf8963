import { counted } from '../parts/numbers';

interface Summary {
  readonly verdicts: number;
  /** Of these, those in no group. */
  readonly ungrouped: number;
  /** Groups. */
  readonly total: number;
  readonly flaky: boolean;
}

/** The conclusion from all verdicts on a scenario. */
export function historySentences({ verdicts, ungrouped, total, flaky }: Summary): string[] {
  if (verdicts === 0) return ['No run has given a verdict on this scenario yet.'];
  const ofGroups = flaky
    ? 'This scenario is flaky: under the same conditions, the same agent both passed and failed. The agent, the patient or the judge is inconsistent: read the conversations to see which.'
    : 'So far, the same conditions have always given the same verdict.';
  const ofOthers =
    ungrouped === 1
      ? '1 older verdict does not say what was examined, and is left out.'
      : `${counted(ungrouped, 'older verdict')} do not say what was examined, and are left out.`;
  return [...(total > 0 ? [ofGroups] : []), ...(ungrouped > 0 ? [ofOthers] : [])];
}

interface Verdict {
  readonly test_run_id: string;
  readonly trial: number;
  /** ISO 8601. */
  readonly completed_at: string;
}

/** The verdicts that a run gave, trial by trial. */
interface PastRun<Past extends Verdict> {
  readonly testRunId: string;
  /** Of its last verdict, ISO 8601. */
  readonly completedAt: string;
  readonly verdicts: readonly Past[];
}

/** In the order of their newest verdicts. @param verdicts the newest first */
export function runsOf<Past extends Verdict>(verdicts: readonly Past[]): PastRun<Past>[] {
  const runs = new Map<string, Past[]>();
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
