import { z } from 'zod';
import { comparison, scenarioRun, testRun } from '../connection/run-answers';
import { EXIT } from '../exit-codes';

/** What `osce run --json` prints about a run that it watched to its end. */
export const runReport = z.looseObject({
  outcome: z.string(),
  exit_code: z.number(),
  fail_under: z.number().nullable(),
  run: testRun,
  scenario_runs: z.array(scenarioRun),
  comparison: comparison.optional(),
});
export type RunReport = z.infer<typeof runReport>;

/**
 * The outcome in one word, for the CI job: `passed`; for harm `violation`, `worse`, `below_bar` or, for other gates, `harmed`; and
 * where nothing can be said about the agent `undecided`, `failed` or `canceled`.
 */
export type CiVerdict = 'passed' | 'violation' | 'worse' | 'below_bar' | 'harmed' | 'undecided' | 'failed' | 'canceled';

export function ciVerdictOf({ outcome, exit_code, comparison: compared }: RunReport): CiVerdict {
  if (exit_code === EXIT.passed) return 'passed';
  if (exit_code === EXIT.belowBar) {
    if (outcome === 'below_bar') return 'below_bar';
    if (compared === undefined) return 'harmed';
    if (compared.new_must_pass_violations.length > 0) return 'violation';
    return compared.verdict === 'worse' || compared.verdict === 'mixed' ? 'worse' : 'harmed';
  }
  return outcome === 'failed' || outcome === 'canceled' ? outcome : 'undecided';
}
