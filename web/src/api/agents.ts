import type { AgentView } from '../../../contract/agents';
import type { AnswerTo, BodyFor } from '../../../contract/call';
import { call, callForNothing, callTagged } from './client';
import { resourceOf, type Resource } from './resource';

export type Agent = AgentView;
export type AgentConfig = Agent['config'];
export type AgentTrial = AnswerTo<'POST /api/v1/agents/{id}/try'>;
export type AgentFields = BodyFor<'POST /api/v1/agents'>;
/** `config` is merged key by key; null removes a key. */
export type AgentChanges = BodyFor<'PATCH /api/v1/agents/{id}'>;

/** Longer than the longest turn timeout of most agents. */
const TRIAL_WITHIN_MS = 150_000;

export const agents: Resource<Agent, AgentFields, AgentChanges> = resourceOf({
  view: '/agents',
  idOf: ({ id }) => id,
  list: (query, signal) => call('GET /api/v1/agents', { query, signal }),
  get: (id, signal) => callTagged('GET /api/v1/agents/{id}', { path: { id }, signal }),
  create: (body, idempotencyKey) => callTagged('POST /api/v1/agents', { body, idempotencyKey }),
  change: (id, body, etag) => callTagged('PATCH /api/v1/agents/{id}', { path: { id }, body, etag }),
  remove: (id) => callForNothing('DELETE /api/v1/agents/{id}', { path: { id } }),
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
  return call('POST /api/v1/agents/{id}/try', { path: { id }, body, signal, withinMs: TRIAL_WITHIN_MS });
}

/** Sends a message to an agent that is not stored. */
export function tryUnsavedAgent(
  connection: { readonly provider: string; readonly config: AgentConfig },
  message: string,
  signal: AbortSignal,
): Promise<AgentTrial> {
  const body = { ...connection, message, ...followsUp(connection.provider) };
  return call('POST /api/v1/agents/try', { body, signal, withinMs: TRIAL_WITHIN_MS });
}

export type AgentOfCurlLine = AnswerTo<'POST /api/v1/agents/read-curl'>;

/** Reads a curl line as the fields of an agent; nothing is sent to it. @param message the text in the line that stands for the patient's; '' to look for it */
export function readCurlLine(curl: string, message: string): Promise<AgentOfCurlLine> {
  return call('POST /api/v1/agents/read-curl', { body: { curl, ...(message !== '' && { message }) } });
}

/** The baseline: the run that the other runs of an agent are compared with; null when there is none. */
export async function getBaseline(agentId: string, signal: AbortSignal): Promise<string | null> {
  return (await call('GET /api/v1/agents/{id}', { path: { id: agentId }, signal })).baseline_test_run_id;
}

/** Sets or clears the baseline. */
export async function setBaseline(agentId: string, runId: string | null): Promise<string | null> {
  const path = { id: agentId };
  if (runId === null) {
    await callForNothing('DELETE /api/v1/agents/{id}/baseline', { path });
    return null;
  }
  return (await call('PUT /api/v1/agents/{id}/baseline', { path, body: { test_run_id: runId } })).baseline_test_run_id;
}
