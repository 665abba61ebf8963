import type { AnswerTo } from '../../../contract/call';
import type { ScenarioRunDetail, ScenarioRunView } from '../../../contract/scenario-runs';
import { call } from './client';

export type {
  ScenarioRunDetail,
  ScenarioRunView as ScenarioRun,
  TranscriptEntry,
} from '../../../contract/scenario-runs';
export type AgentActs = NonNullable<ScenarioRunDetail['transcript'][number]['acts']>;
export type ToolCall = NonNullable<AgentActs['tool_calls']>[number];
export type CriterionResult = NonNullable<ScenarioRunView['criteria_results']>[number];
export type ScenarioRunList = AnswerTo<'GET /api/v1/scenario-runs'>;

const A_PAGE = 100;
/** Pages asked for side by side. */
const PAGES_AT_ONCE = 4;

interface ListOptions {
  /** Null: all of the run. */
  readonly scenarioIds?: readonly string[] | null;
  /** Called with the first page, while the others are read. */
  readonly onFirst?: (page: ScenarioRunList) => void;
}

/**
 * The scenario runs of a run in the run's order, page after page, up to a limit.
 * A run gains no scenario runs while it is read.
 * @param scenarioIds only those of these scenarios, 100 at most; null for all
 */
export async function listScenarioRuns(
  testRunId: string,
  atMost: number,
  signal: AbortSignal,
  { scenarioIds = null, onFirst }: ListOptions = {},
): Promise<ScenarioRunList> {
  const pageFrom = (offset: number): Promise<ScenarioRunList> => {
    const limit = Math.min(A_PAGE, atMost - offset);
    const scenario_id = scenarioIds === null ? undefined : [...scenarioIds];
    return call('GET /api/v1/scenario-runs', { query: { test_run_id: testRunId, limit, offset, scenario_id }, signal });
  };
  const first = await pageFrom(0);
  onFirst?.(first);
  const { total } = first;
  const results = [...first.results];
  const wanted = Math.min(total, atMost);
  for (let read = A_PAGE; read < wanted; read += PAGES_AT_ONCE * A_PAGE) {
    const offsets = Array.from({ length: PAGES_AT_ONCE }, (_, place) => read + place * A_PAGE);
    const pages = await Promise.all(offsets.filter((offset) => offset < wanted).map(pageFrom));
    results.push(...pages.flatMap((page) => page.results));
  }
  return { results, total };
}

export function getScenarioRun(id: string, signal: AbortSignal): Promise<ScenarioRunDetail> {
  return call('GET /api/v1/scenario-runs/{id}', { path: { id }, signal });
}
