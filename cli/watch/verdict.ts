import { againstBar, type BarOutcome } from '../../src/domain';
import type { TestRun } from '../connection/run-answers';
import { EXIT } from '../exit-codes';
import { oneLine } from '../output/harmless-text';

export interface RunVerdict {
  readonly outcome: BarOutcome;
  readonly exitCode: number;
  readonly sentence: string;
}

/**
 * What a finished run says about the agent. A scenario run that ended in error is not a failure of the agent: where the bar is
 * missed only because of such errors, nothing is decided and the harness is to blame.
 * @param bar minimum pass rate in percent; null when any completed run will do
 */
export function verdictOf(run: TestRun, bar: number | null): RunVerdict {
  const { outcome, sentence } = againstBar(run, bar);
  return { outcome, exitCode: EXIT_CODES[outcome], sentence: oneLine(sentence) };
}

const EXIT_CODES: Readonly<Record<BarOutcome, number>> = {
  passed: EXIT.passed,
  below_bar: EXIT.belowBar,
  undecided: EXIT.harnessFailed,
  failed: EXIT.harnessFailed,
  canceled: EXIT.harnessFailed,
};
