import type { TestRunListItem } from '../../../contract/test-runs';
import { counted } from '../parts/numbers';

type Counts = Pick<TestRunListItem, 'must_pass_violated_count' | 'passed_count' | 'failed_count'>;

/** Says of two runs in how many conversations must-pass criteria were violated, as far as that is known; null where the run after violates none. */
export function violatedSentence(base: Counts, head: Counts): string | null {
  const after = head.must_pass_violated_count ?? null;
  if (after === null || after === 0) return null;
  const before = base.must_pass_violated_count ?? null;
  const [held, now] = [gradedOf(base), gradedOf(head)];
  if (before === null || before === 0) {
    const was = before === null ? '' : `; the run before in none of ${held.toLocaleString()}`;
    return `The run after violates must-pass criteria: in ${after.toLocaleString()} of ${counted(now, 'conversation')}${was}.`;
  }
  return (
    `Both runs violate must-pass criteria: in ${before.toLocaleString()} of ${counted(held, 'conversation')} before ` +
    `and ${after.toLocaleString()} of ${now.toLocaleString()} after.`
  );
}

/** Only conversations with a verdict can be counted as violations. */
function gradedOf({ passed_count, failed_count }: Counts): number {
  return passed_count + failed_count;
}
