import * as z from 'zod/mini';
import { call, callForNothing } from './client';

const agent = z.object({
  id: z.string(),
  provider: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  config: z.record(z.string(), z.unknown()),
  is_active: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Agent = z.output<typeof agent>;
export type AgentConfig = Agent['config'];

const trial = z.object({
  reply: z.optional(z.nullable(z.string())),
  greeting: z.optional(z.nullable(z.string())),
  latency_ms: z.optional(z.nullable(z.number())),
  error_code: z.optional(z.nullable(z.string())),
  error: z.optional(z.nullable(z.string())),
});
export type AgentTrial = z.output<typeof trial>;

/** Longer than the longest turn that most agents are given. */
const TRIAL_WITHIN_MS = 150_000;

export interface AgentFields {
  readonly name: string;
  readonly description: string | null;
  readonly config: AgentConfig;
}

export function listAgents(signal: AbortSignal): Promise<Agent[]> {
  return call(z.array(agent), '/api/v1/agents', { signal });
}

export function getAgent(id: string, signal: AbortSignal): Promise<Agent> {
  return call(agent, path(id), { signal });
}

export function createAgent(fields: AgentFields & { readonly provider: string }): Promise<Agent> {
  return call(agent, '/api/v1/agents', { method: 'POST', body: fields });
}

/** @param changes what is left out stays; `config` is merged key by key, null removes a key */
export function updateAgent(
  id: string,
  changes: Partial<AgentFields> & { readonly is_active?: boolean },
): Promise<Agent> {
  return call(agent, path(id), { method: 'PATCH', body: changes });
}

export function deleteAgent(id: string): Promise<void> {
  return callForNothing(path(id), { method: 'DELETE' });
}

/** Sends one message to the agent as it is stored. */
export function tryAgent(id: string, message: string, signal: AbortSignal): Promise<AgentTrial> {
  return call(trial, `${path(id)}/try`, { method: 'POST', body: { message }, signal, withinMs: TRIAL_WITHIN_MS });
}

const path = (id: string) => `/api/v1/agents/${encodeURIComponent(id)}`;
