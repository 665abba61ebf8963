import type { ComparisonView } from '../../../contract/comparison';
import type { StatisticsView } from '../../../contract/statistics';
import { call } from './client';

export type {
  CategoryDifference,
  ChangedScenario,
  ComparisonView as Comparison,
  CriteriaGroup,
  QuestionTest,
} from '../../../contract/comparison';
export type {
  MustPassViolationView as MustPassViolation,
  ShownCalibration,
  StatisticsView as Statistics,
} from '../../../contract/statistics';
export type ChangedCriterion = ComparisonView['criteria'][number];

export function getStatistics(runId: string, signal: AbortSignal): Promise<StatisticsView> {
  return call('GET /api/v1/tests/{id}/statistics', { path: { id: runId }, signal });
}

export function getComparison(before: string, after: string, signal: AbortSignal): Promise<ComparisonView> {
  return call('GET /api/v1/tests/{id}/comparison', { path: { id: after }, query: { before }, signal });
}
