import * as z from 'zod/mini';
import { DERIVATIONS } from '../../../src/domain';
import { call } from './client';

const historyPoint = z.object({
  test_run_id: z.string(),
  label: z.string(),
  name: z.nullable(z.string()),
  status: z.enum(['completed', 'failed', 'canceled']),
  derivation: z.nullable(z.enum(DERIVATIONS)),
  agent_version: z.nullable(z.string()),
  at: z.string(),
  scenarios: z.number(),
  trials: z.number(),
  graded_pass_rate: z.nullable(z.object({ value: z.number(), low: z.number(), high: z.number() })),
  mean_score: z.nullable(z.number()),
  must_pass_violations: z.nullable(z.number()),
  coverage: z.number(),
  baseline: z.boolean(),
  comparable_to_previous: z.boolean(),
  comparable_to: z.nullable(z.string()),
  differs_in: z.array(z.string()),
});
/** A run of an agent that has ended; rates in percent. */
export type HistoryPoint = z.output<typeof historyPoint>;

const agentHistory = z.object({
  agent_id: z.string(),
  agent_name: z.string(),
  more: z.boolean(),
  points: z.array(historyPoint),
});
export type AgentHistory = z.output<typeof agentHistory>;

/** Its newest runs, the oldest of them first. */
export function getAgentHistory(agentId: string, limit: number, signal: AbortSignal): Promise<AgentHistory> {
  return call(agentHistory, `/api/v1/agents/${encodeURIComponent(agentId)}/history?limit=${limit}`, { signal });
}
