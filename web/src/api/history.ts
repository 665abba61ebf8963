import type { ScenarioHistoryView } from '../../../contract/scenario-history';
import { call } from './client';

export type { ScenarioHistoryView as ScenarioHistory } from '../../../contract/scenario-history';
/** Verdicts under the same conditions. */
export type LikeVerdicts = ScenarioHistoryView['history'][number];
export type PastExaminer = LikeVerdicts['examiners']['judge'];

export const GROUPS_A_PAGE = 10;

/** The verdicts on a scenario in all runs, the newest group first. @param page from 0 */
export function getHistory(scenarioId: string, page: number, signal: AbortSignal): Promise<ScenarioHistoryView> {
  const query = { limit: GROUPS_A_PAGE, offset: page * GROUPS_A_PAGE };
  return call('GET /api/v1/scenarios/{id}/history', { path: { id: scenarioId }, query, signal });
}
