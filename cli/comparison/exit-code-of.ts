import type { Comparison } from '../connection/answers';
import { EXIT } from '../exit-codes';
import type { FailOn } from '../option-values';

/**
 * The exit code of a comparison for a CI job. A new must-pass violation needs no statistical evidence, so a gate that asks for it checks it
 * first. Without evidence of harm a gate lets the run through; when these runs cannot tell, it says so.
 * @param failOn null: the comparison is only shown
 */
export function exitOf({ verdict, new_must_pass_violations: violations }: Comparison, failOn: FailOn | null): number {
  if (failOn === null) return EXIT.passed;
  if (failOn === 'violation' && violations.length > 0) return EXIT.belowBar;
  // Better in one way does not make up for worse in another.
  if (verdict === 'worse' || verdict === 'mixed') return EXIT.belowBar;
  return verdict === 'better' || verdict === 'no_evidence' ? EXIT.passed : EXIT.harnessFailed;
}

/** The exit code of several judgements of one run: harm in any of them counts first, then doubt. */
export function gravestOf(codes: readonly number[]): number {
  if (codes.includes(EXIT.belowBar)) return EXIT.belowBar;
  return codes.find((code) => code !== EXIT.passed) ?? EXIT.passed;
}
