import type { AnswerTo } from '../../../contract/call';
import type { ScenarioRunDetail, ScenarioRunView } from '../../../contract/scenario-runs';
import { call } from './client';

export type {
  ScenarioRunDetail,
  ScenarioRunView as ScenarioRun,
  TranscriptEntry,
} from '../../../contract/scenario-runs';
export type CriterionResult = NonNullable<ScenarioRunView['criteria_results']>[number];
export type ScenarioRunList = AnswerTo<'GET /api/v1/scenario-runs'>;

const A_PAGE = 100;

/**
 * The scenario runs of a run in the run's order, page after page, up to a limit.
 * A run gains no scenario runs while it is read.
 * @param scenarioIds only those of these scenarios, 100 at most; null for all
 */
export async function listScenarioRuns(
  testRunId: string,
  atMost: number,
  signal: AbortSignal,
  scenarioIds: readonly string[] | null = null,
): Promise<ScenarioRunList> {
  const results: ScenarioRunView[] = [];
  for (;;) {
    const query = {
      test_run_id: testRunId,
      limit: Math.min(A_PAGE, atMost - results.length),
      offset: results.length,
      scenario_id: scenarioIds === null ? undefined : [...scenarioIds],
    };
    const page = await call('GET /api/v1/scenario-runs', { query, signal });
    results.push(...page.results);
    if (page.results.length === 0 || results.length >= Math.min(page.total, atMost)) {
      return { results, total: page.total };
    }
  }
}

export function getScenarioRun(id: string, signal: AbortSignal): Promise<ScenarioRunDetail> {
  return call('GET /api/v1/scenario-runs/{id}', { path: { id }, signal });
}
