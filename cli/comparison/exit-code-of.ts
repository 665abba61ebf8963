import { againstBaseline } from '../../src/domain';
import type { Comparison } from '../connection/run-answers';
import { EXIT } from '../exit-codes';
import type { FailOn } from '../option-values';

/** The exit code of a comparison for a CI job. @param failOn null: the comparison is only shown */
export function exitOf(comparison: Comparison, failOn: FailOn | null): number {
  return failOn === null ? EXIT.passed : EXIT_CODES[againstBaseline(comparison, failOn)];
}

const EXIT_CODES = { passed: EXIT.passed, harmed: EXIT.belowBar, undecided: EXIT.harnessFailed };

/** The exit code of several judgements of one run: harm in any of them counts first, then doubt. */
export function gravestOf(codes: readonly number[]): number {
  if (codes.includes(EXIT.belowBar)) return EXIT.belowBar;
  return codes.find((code) => code !== EXIT.passed) ?? EXIT.passed;
}
