import * as z from 'zod/mini';
import { call } from './client';
import { resourceAt, type Resource } from './resource';

const agent = z.object({
  id: z.string(),
  provider: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  config: z.record(z.string(), z.unknown()),
  is_active: z.boolean(),
  warnings: z._default(z.array(z.string()), []),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Agent = z.output<typeof agent>;
export type AgentConfig = Agent['config'];

const trial = z.object({
  reply: z.optional(z.nullable(z.string())),
  greeting: z.optional(z.nullable(z.string())),
  latency_ms: z.optional(z.nullable(z.number())),
  follow_up: z.optional(z.nullable(z.object({ message: z.string(), reply: z.string(), latency_ms: z.number() }))),
  warnings: z._default(z.array(z.string()), []),
  error_code: z.optional(z.nullable(z.string())),
  error: z.optional(z.nullable(z.string())),
});
export type AgentTrial = z.output<typeof trial>;

/** Longer than the longest turn timeout of most agents. */
const TRIAL_WITHIN_MS = 150_000;

export interface AgentFields {
  readonly name: string;
  readonly description: string | null;
  readonly config: AgentConfig;
}

/** `config` is merged key by key; null removes a key. */
export type AgentChanges = Partial<AgentFields> & { readonly is_active?: boolean };

const API = '/api/v1/agents';

export const agents: Resource<Agent, AgentFields & { readonly provider: string }, AgentChanges> = resourceAt({
  view: '/agents',
  api: API,
  item: agent,
  idOf: ({ id }) => id,
  list: (page, signal) => call(z.array(agent), API + page, { signal }),
});

/** For kinds of agents whose config says how a conversation is kept: a second message shows whether the agent keeps it. */
const followsUp = (provider: string) => ({ follow_up: provider === 'http' });

/** Sends a message to a stored agent. @param changes of its config, for this message only */
export function tryAgent(
  { id, provider }: Pick<Agent, 'id' | 'provider'>,
  changes: AgentConfig,
  message: string,
  signal: AbortSignal,
): Promise<AgentTrial> {
  const body = { message, ...followsUp(provider), ...(Object.keys(changes).length > 0 && { config: changes }) };
  return call(trial, `${API}/${encodeURIComponent(id)}/try`, {
    method: 'POST',
    body,
    signal,
    withinMs: TRIAL_WITHIN_MS,
  });
}

/** Sends a message to an agent that is not stored. */
export function tryUnsavedAgent(
  connection: { readonly provider: string; readonly config: AgentConfig },
  message: string,
  signal: AbortSignal,
): Promise<AgentTrial> {
  const body = { ...connection, message, ...followsUp(connection.provider) };
  return call(trial, `${API}/try`, { method: 'POST', body, signal, withinMs: TRIAL_WITHIN_MS });
}
