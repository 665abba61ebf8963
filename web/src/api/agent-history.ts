import type { AgentHistoryView } from '../../../contract/agent-history';
import { call } from './client';

export type { AgentHistoryView as AgentHistory, HistoryPoint } from '../../../contract/agent-history';

/** Its newest runs, the oldest of them first. */
export function getAgentHistory(agentId: string, limit: number, signal: AbortSignal): Promise<AgentHistoryView> {
  return call('GET /api/v1/agents/{id}/history', { path: { id: agentId }, query: { limit }, signal });
}
