/**
 * What a run that has ended says about its agent where a gate measures it: `osce run`, `osce compare` and schedules go by the same
 * rules. What ended in error is no failure of the agent: where that could make the difference, nothing is decided.
 */

/** `passed`: the bar is reached, or there is none. `undecided`: errors of the harness could make the difference. */
export type BarOutcome = 'passed' | 'below_bar' | 'undecided' | 'failed' | 'canceled';

/** The fields of a run that a bar is compared with; `pass_rate` is a percentage of all its scenario runs. */
export interface MeasuredRun {
  readonly status: string;
  readonly pass_rate: number;
  readonly passed_count: number;
  readonly failed_count: number;
  readonly error_count: number;
  readonly total_scenarios: number;
  readonly error_message?: string | null | undefined;
}

/** @param bar minimum pass rate in percent; null when any completed run will do */
export function againstBar(
  run: MeasuredRun,
  bar: number | null,
): { readonly outcome: BarOutcome; readonly sentence: string } {
  if (run.status === 'canceled') {
    return { outcome: 'canceled', sentence: 'The run was canceled: it says nothing about the agent.' };
  }
  if (run.status !== 'completed') {
    return {
      outcome: 'failed',
      sentence: `The run ${run.status}: ${run.error_message ?? 'the service gave no reason'}`,
    };
  }
  if (bar === null) return { outcome: 'passed', sentence: 'The run is complete.' };
  if (run.pass_rate >= bar) return { outcome: 'passed', sentence: `The bar of ${bar} % is reached.` };
  const atBest = ((run.passed_count + run.error_count) / Math.max(1, run.total_scenarios)) * 100;
  if (run.error_count > 0 && atBest >= bar) {
    return {
      outcome: 'undecided',
      sentence: `Undecided: ${run.error_count} ended in error; had they passed, the pass rate would have reached the bar of ${bar} %.`,
    };
  }
  return { outcome: 'below_bar', sentence: `The pass rate is below the bar of ${bar} %.` };
}

/** Why too little of a run has a verdict; null when enough has. @param needed percent; null for as much as there is */
export function lackOfCoverage(run: MeasuredRun, needed: number | null): string | null {
  const coverage = (100 * (run.passed_count + run.failed_count)) / Math.max(1, run.total_scenarios);
  if (needed === null || coverage >= needed) return null;
  return `Only ${Math.floor(coverage * 10) / 10} % of the conversations have a verdict, and ${needed} % are needed: nothing can be said about the agent.`;
}

/**
 * What a comparison says where harm must not come out of it. A new must-pass violation needs no statistical evidence, so it is looked
 * at first. Without evidence of harm the run passes; when the runs cannot tell, it is undecided.
 * @param failOn `worse`: the run is worse than the one before. `violation`: that, or a new must-pass violation
 */
export function againstBaseline(
  { verdict, new_must_pass_violations: violations }: Compared,
  failOn: 'worse' | 'violation',
): 'passed' | 'harmed' | 'undecided' {
  if (failOn === 'violation' && violations.length > 0) return 'harmed';
  // Better in one way does not make up for worse in another.
  if (verdict === 'worse' || verdict === 'mixed') return 'harmed';
  return verdict === 'better' || verdict === 'no_evidence' ? 'passed' : 'undecided';
}

interface Compared {
  readonly verdict: string;
  readonly new_must_pass_violations: readonly unknown[];
}
