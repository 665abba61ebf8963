import * as z from 'zod/mini';
import { DERIVATIONS, TEST_RUN_STATUSES, type TestRunStatus, type Region } from '../../../src/domain';
import { call, callForNothing } from './client';

const examiner = z.object({
  name: z.string(),
  model: z.nullable(z.string()),
  prompt_version: z.nullable(z.string()),
});

const testRun = z.object({
  id: z.string(),
  test_run_id: z.string(),
  name: z.nullable(z.string()),
  status: z.enum(TEST_RUN_STATUSES),
  agent_id: z.string(),
  agent_name: z.string(),
  agent_provider: z.string(),
  /** Answers of older services have none of these; the config is in the answer about a single run. */
  agent_version: z.optional(z.nullable(z.string())),
  agent_config_hash: z.optional(z.nullable(z.string())),
  agent_config: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
  warnings: z._default(z.array(z.string()), []),
  test_suite_id: z.nullable(z.string()),
  derived_from: z.optional(z.nullable(z.string())),
  derivation: z.optional(z.nullable(z.enum(DERIVATIONS))),
  baseline_test_run_id: z.optional(z.nullable(z.string())),
  total_scenarios: z.number(),
  trials: z.number(),
  passed_count: z.number(),
  failed_count: z.number(),
  error_count: z.number(),
  canceled_count: z.number(),
  pass_rate: z.number(),
  graded_pass_rate: z.optional(z.nullable(z.object({ value: z.number(), low: z.number(), high: z.number() }))),
  must_pass_violated_count: z.optional(z.nullable(z.number())),
  max_turns: z.number(),
  concurrency_limit: z.number(),
  pass_threshold: z.number(),
  region: z.optional(z.nullable(z.string())),
  examiners: z.optional(z.nullable(z.object({ mixed: z.boolean(), tester: examiner, judge: examiner }))),
  error_message: z.nullable(z.string()),
  waiting: z.optional(z.nullable(z.string())),
  scheduled_at: z.nullable(z.string()),
  started_at: z.nullable(z.string()),
  completed_at: z.nullable(z.string()),
  canceled_at: z.nullable(z.string()),
  created_at: z.string(),
});
export type TestRun = z.output<typeof testRun>;

const testRunList = z.object({ runs: z.array(testRun), total: z.number() });
export type TestRunList = z.output<typeof testRunList>;

const started = z.object({
  id: z.string(),
  test_run_id: z.string(),
  status: z.enum(TEST_RUN_STATUSES),
  total_scenarios: z.number(),
  skipped_scenario_ids: z.optional(z.array(z.string())),
});
const canceled = z.object({ status: z.enum(TEST_RUN_STATUSES) });

export const RUNS_A_PAGE = 25;

/** The body of POST /start-run; fields left out have the service's defaults. */
export interface StartRun {
  readonly agent_id: string;
  readonly name?: string;
  readonly agent_version?: string;
  readonly test_suite_id?: string;
  readonly scenario_ids?: readonly string[];
  readonly tags?: readonly string[];
  readonly max_scenarios?: number;
  readonly trials?: number;
  readonly max_turns?: number;
  readonly concurrency_limit?: number;
  readonly pass_threshold?: number;
  readonly region?: Region;
  readonly scheduled_at?: string;
}

/** @param page from 0 */
export function listRuns(status: TestRunStatus | null, page: number, signal: AbortSignal): Promise<TestRunList> {
  const query = new URLSearchParams({ limit: String(RUNS_A_PAGE), offset: String(page * RUNS_A_PAGE) });
  if (status !== null) query.set('status', status);
  return call(testRunList, `/api/v1/tests?${query}`, { signal });
}

/** The runs that began from the scenario runs of one, the newest first, as many as one page of the API holds. */
export function listDerivedRuns(id: string, signal: AbortSignal): Promise<TestRunList> {
  return call(testRunList, `/api/v1/tests?${new URLSearchParams({ derived_from: id, limit: '100' })}`, { signal });
}

export function getRun(id: string, signal: AbortSignal): Promise<TestRun> {
  return call(testRun, `/api/v1/tests/${encodeURIComponent(id)}`, { signal });
}

/** @param idempotencyKey a request sent again with the same key starts no second run */
export function startRun(request: StartRun, idempotencyKey: string): Promise<z.output<typeof started>> {
  return call(started, '/start-run', { method: 'POST', body: request, idempotencyKey });
}

export function cancelRun(id: string): Promise<z.output<typeof canceled>> {
  return call(canceled, '/cancel-run', { method: 'POST', body: { test_run_id: id } });
}

export function deleteRun(id: string): Promise<void> {
  return callForNothing(`/api/v1/tests/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

/** The newest runs, as many as one page of the API holds. */
export async function recentRuns(signal: AbortSignal): Promise<TestRun[]> {
  return (await call(testRunList, '/api/v1/tests?limit=100', { signal })).runs;
}
