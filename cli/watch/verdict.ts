import type { TestRun } from '../connection/answers';
import { EXIT } from '../exit-codes';
import { oneLine } from '../output/harmless-text';

export interface RunVerdict {
  /** `passed`: completed, and the bar reached where there is one. `undecided`: errors of the harness could make the difference. */
  readonly outcome: 'passed' | 'below_bar' | 'undecided' | 'failed' | 'canceled';
  readonly exitCode: number;
  readonly sentence: string;
}

/**
 * What a finished run says about the agent. A scenario run that ended in error is not a failure of the agent: where the bar is
 * missed only because of such errors, nothing is decided and the harness is to blame.
 * @param bar minimum pass rate in percent; null when any completed run will do
 */
export function verdictOf(run: TestRun, bar: number | null): RunVerdict {
  if (run.status === 'canceled') {
    return {
      outcome: 'canceled',
      exitCode: EXIT.harnessFailed,
      sentence: 'The run was canceled: it says nothing about the agent.',
    };
  }
  if (run.status !== 'completed') {
    const reason = oneLine(run.error_message ?? 'the service gave no reason');
    return { outcome: 'failed', exitCode: EXIT.harnessFailed, sentence: `The run ${run.status}: ${reason}` };
  }
  if (bar === null) return { outcome: 'passed', exitCode: EXIT.passed, sentence: 'The run is complete.' };
  if (run.pass_rate >= bar) {
    return { outcome: 'passed', exitCode: EXIT.passed, sentence: `The bar of ${bar} % is reached.` };
  }
  const atBest = ((run.passed_count + run.error_count) / Math.max(1, run.total_scenarios)) * 100;
  if (run.error_count > 0 && atBest >= bar) {
    return {
      outcome: 'undecided',
      exitCode: EXIT.harnessFailed,
      sentence: `Undecided: ${run.error_count} ended in error; had they passed, the pass rate would have reached the bar of ${bar} %.`,
    };
  }
  return { outcome: 'below_bar', exitCode: EXIT.belowBar, sentence: `The pass rate is below the bar of ${bar} %.` };
}
