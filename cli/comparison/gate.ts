import type { Comparison } from '../connection/answers';
import { EXIT } from '../exit-codes';
import type { FailOn } from '../option-values';

/**
 * What a comparison says to a CI job. A new must-pass violation is one whatever the numbers carry, and so counts before everything else
 * for whoever asked for it; without evidence of harm a gate stays open, and without evidence of anything it says so.
 * @param failOn null: the comparison is only shown
 */
export function exitOf({ verdict, new_must_pass_violations: violations }: Comparison, failOn: FailOn | null): number {
  if (failOn === null) return EXIT.passed;
  if (failOn === 'violation' && violations.length > 0) return EXIT.belowBar;
  // Better in one way does not make up for worse in another.
  if (verdict === 'worse' || verdict === 'mixed') return EXIT.belowBar;
  return verdict === 'better' || verdict === 'no_evidence' ? EXIT.passed : EXIT.harnessFailed;
}

/** What several judgements of one run come to: harm that one of them shows is harm, doubt comes next. */
export function gravestOf(codes: readonly number[]): number {
  if (codes.includes(EXIT.belowBar)) return EXIT.belowBar;
  return codes.find((code) => code !== EXIT.passed) ?? EXIT.passed;
}
