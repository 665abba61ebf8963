import { stringify } from 'csv-stringify/sync';
import { ANNOTATION_FIELDS } from '../../../../contract/run-annotations';
import { disputedIn, flagsOf } from '../../../domain';
import { examinersOf } from '../../../engine/ledger';
import { calledOf, plainText, missedCriteria } from './file-text';
import type { TestRunView } from '../../../../contract/test-runs';
import type { ScenarioRunDetail } from '../../../../contract/scenario-runs';
import type { SpokenEntry } from '../../../../contract/spoken-turns';

type Cell = string | number | boolean | null;

/** One row per scenario run, with the columns in this order. */
const COLUMNS: Readonly<Record<string, (scenarioRun: ScenarioRunDetail, run: TestRunView) => Cell>> = {
  test_run_id: (_, run) => run.test_run_id,
  agent_name: (_, run) => run.agent_name,
  scenario_run_id: ({ id }) => id,
  scenario_id: ({ scenario_id }) => scenario_id,
  scenario_name: ({ scenario_name }) => scenario_name,
  status: ({ status }) => status,
  passed: ({ passed }) => passed,
  score_percent: ({ score_percent }) => score_percent,
  total_points: ({ total_points }) => total_points,
  max_points: ({ max_points }) => max_points,
  missed_criteria: (scenarioRun) => (scenarioRun.criteria_results ? missedCriteria(scenarioRun).length : null),
  first_missed_criterion: (scenarioRun) => missedCriteria(scenarioRun)[0]?.criterion ?? null,
  turns: ({ turns }) => turns,
  attempt: ({ attempt }) => attempt,
  duration_ms: ({ duration_ms }) => duration_ms,
  error_code: ({ error_code }) => error_code,
  error_message: ({ error_message }) => error_message,
  grade_summary: ({ grade_summary }) => grade_summary,
  started_at: ({ started_at }) => started_at,
  completed_at: ({ completed_at }) => completed_at,
  flags: (scenarioRun) => flagsOf(scenarioRun).join(' '),
  disputed_criteria: (scenarioRun) => (scenarioRun.criteria_results ? disputedIn(scenarioRun) : null),
  // Last, so that readers by place find what they know where it was.
  trial: ({ trial }) => trial,
  patient_style: ({ patient }) => patient.style,
  patient_language: ({ patient }) => patient.language,
  ended_by: ({ metadata }) => metadata.ended_by ?? null,
  scenario_revision: ({ scenario_revision }) => scenario_revision,
  scenario_content_hash: ({ scenario_content_hash }) => scenario_content_hash,
  agent_version: (_, run) => run.agent_version,
  agent_config_hash: (_, run) => run.agent_config_hash,
  tester: ({ metadata }) => calledOf(examinersOf(metadata)?.tester),
  tester_prompt_version: ({ metadata }) => examinersOf(metadata)?.tester.prompt_version ?? null,
  judge: ({ metadata }) => calledOf(examinersOf(metadata)?.judge),
  judge_prompt_version: ({ metadata }) => examinersOf(metadata)?.judge.prompt_version ?? null,
  region: (_, run) => run.region,
  ...Object.fromEntries(
    ANNOTATION_FIELDS.map((field) => [`test_run_${field}`, (_: unknown, run: TestRunView) => run[field]]),
  ),
  test_run_tags: (_, run) => run.tags.join(', '),
  rule_checked_criteria: ({ criteria_results }) =>
    criteria_results?.filter(({ check }) => check !== null).length ?? null,
  modality: (_, run) => run.modality,
  // Of spoken conversations alone: empty in text.
  spoken_turns: (scenarioRun) => repliesHeard(scenarioRun)?.length ?? null,
  spoken_turns_unreliable: (scenarioRun) =>
    repliesHeard(scenarioRun)?.filter(({ timing_reliable }) => !timing_reliable).length ?? null,
  spoken_turns_inaudible: (scenarioRun) =>
    repliesHeard(scenarioRun)?.filter(({ inaudible }) => inaudible === true).length ?? null,
  response_latency_mean_ms: (scenarioRun) => {
    const latencies = reliableLatencies(scenarioRun);
    return latencies.length === 0 ? null : Math.round(latencies.reduce((sum, ms) => sum + ms, 0) / latencies.length);
  },
  response_latency_max_ms: (scenarioRun) => {
    const latencies = reliableLatencies(scenarioRun);
    return latencies.length === 0 ? null : Math.max(...latencies);
  },
  twin_of: (_, run) => run.twin_of,
};

/** The sound of the agent's replies; null where nothing was spoken. */
function repliesHeard({ transcript }: ScenarioRunDetail): SpokenEntry[] | null {
  const heard = transcript.flatMap(({ role, spoken }) => (role === 'agent' && spoken !== undefined ? [spoken] : []));
  return heard.length === 0 ? null : heard;
}

function reliableLatencies(scenarioRun: ScenarioRunDetail): number[] {
  return (repliesHeard(scenarioRun) ?? []).flatMap(({ timing_reliable, latency_ms: ms }) =>
    timing_reliable && typeof ms === 'number' ? [ms] : [],
  );
}

/** Comma-separated values (RFC 4180) with a header line, in pieces. Without transcripts. */
export async function* toCsv(run: TestRunView, scenarioRuns: AsyncIterable<ScenarioRunDetail>): AsyncGenerator<string> {
  yield line(Object.keys(COLUMNS));
  for await (const scenarioRun of scenarioRuns) {
    yield line(Object.values(COLUMNS).map((cellOf) => cellOf(scenarioRun, run)));
  }
}

/**
 * `escape_formulas` puts an apostrophe before a text that a spreadsheet would run as a formula (= + - @ tab CR first);
 * control characters are removed before that, so that none can hide one.
 */
function line(cells: readonly Cell[]): string {
  return stringify([cells.map((cell) => (typeof cell === 'string' ? plainText(cell) : cell))], {
    escape_formulas: true,
    record_delimiter: 'windows',
    cast: { boolean: String },
  });
}
