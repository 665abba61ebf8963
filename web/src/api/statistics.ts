import * as z from 'zod/mini';
import { call } from './client';

const share = z.nullable(z.number());
const statistics = z.object({
  confidence: z.number(),
  trials: z.number(),
  scenarios: z.number(),
  graded: z.number(),
  coverage: z.number(),
  graded_pass_rate: z.object({ value: share, low: share, high: share }),
  pass_hat: z.array(z.object({ k: z.number(), value: share, scenarios: z.number() })),
  unstable: z.array(
    z.object({ scenario_id: z.string(), scenario_name: z.string(), graded: z.number(), passed: z.number() }),
  ),
  minimum_detectable_drop: share,
});
export type Statistics = z.output<typeof statistics>;

const comparison = z.object({
  verdict: z.enum(['better', 'worse', 'no_evidence', 'cannot_tell']),
  sentence: z.string(),
  new_must_pass_violations: z.array(
    z.object({
      scenario_run_id: z.string(),
      scenario_name: z.string(),
      trial: z.number(),
      criterion: z.string(),
      kind: z.enum(['missed', 'committed']),
    }),
  ),
});
export type Comparison = z.output<typeof comparison>;

export function getStatistics(runId: string, signal: AbortSignal): Promise<Statistics> {
  return call(statistics, `/api/v1/tests/${encodeURIComponent(runId)}/statistics`, { signal });
}

export function getComparison(before: string, after: string, signal: AbortSignal): Promise<Comparison> {
  const query = new URLSearchParams({ before });
  return call(comparison, `/api/v1/tests/${encodeURIComponent(after)}/comparison?${query}`, { signal });
}
