import { z } from 'zod';
import { annotationsOf, type AnnotationField } from '../../contract/run-annotations';
import { isMustPass, missedOf, tallyMissed } from '../../src/domain';
import type { CriterionResult, ScenarioRun, TestRun } from '../connection/run-answers';
import { shortened } from '../output/harmless-text';
import { countsOf, rateSentence, type RatedRun } from '../watch/rate';
import { isOffline } from '../watch/results';
import { verdictOf } from '../watch/verdict';
import { lineOrNull } from './untrusted';

const rate = z.object({ value: z.number(), low: z.number(), high: z.number() });

const LONGEST_ANNOTATION = 2_000;

const annotations = { name: z.string().nullable(), note: z.string().nullable() } satisfies Readonly<
  Record<AnnotationField, z.ZodType>
>;

export const runFields = z.object({
  id: z.string(),
  test_run_id: z.string().describe('Its label.'),
  ...annotations,
  tags: z.array(z.string()),
  status: z.string(),
  agent_name: z.string(),
  modality: z.string().describe('text or spoken.'),
  twin_of: z.string().nullable().describe('The id of the first run that examined the same, held otherwise.'),
  total: z.int().describe('Scenario runs.'),
  passed: z.int(),
  failed: z.int(),
  ended_in_error: z.int(),
  canceled: z.int(),
  pass_rate: z.number().describe('Percent of all scenario runs.'),
  graded_pass_rate: rate.nullable().describe('Percent of what was graded, with its 95 % interval; null while it runs.'),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
});

export function runSummary(run: TestRun): z.output<typeof runFields> {
  const { graded_pass_rate: graded } = run;
  return {
    id: run.id,
    test_run_id: run.test_run_id,
    ...annotationsOf(run, (text) => lineOrNull(text, LONGEST_ANNOTATION)),
    tags: run.tags.map((tag) => shortened(tag, 200)),
    status: run.status,
    agent_name: shortened(run.agent_name, 200),
    modality: shortened(run.modality, 20),
    twin_of: typeof run.twin_of === 'string' ? run.twin_of : null,
    total: run.total_scenarios,
    passed: run.passed_count,
    failed: run.failed_count,
    ended_in_error: run.error_count,
    canceled: run.canceled_count,
    pass_rate: run.pass_rate,
    graded_pass_rate: graded ? { value: graded.value, low: graded.low, high: graded.high } : null,
    started_at: run.started_at ?? null,
    ended_at: run.completed_at ?? run.canceled_at ?? null,
  };
}

const missedFields = z.object({
  criterion: z.string(),
  must_pass: z.boolean(),
  kind: z
    .enum(['missed', 'committed'])
    .describe('missed: the agent did not do what earns points. committed: it did what costs points.'),
  turn: z.int().nullable().describe('Where the evidence stands; null when there is none.'),
});

const scenarioRunFields = z.object({
  id: z.string(),
  scenario_id: z.string(),
  scenario_name: z.string(),
  trial: z.int(),
  patient: z.string(),
  status: z.string(),
  score_percent: z.number().nullable(),
  turns: z.int(),
  missed: z.array(missedFields).describe('What went wrong, must-pass criteria first; at most five.'),
  missed_in_all: z.int(),
  error: z.string().nullable(),
});

export const resultFields = z.object({
  run: runFields,
  sentence: z.string().describe('The result in a sentence.'),
  must_pass_missed: z.int(),
  criteria_missed: z.int(),
  criteria: z.int(),
  offline: z.boolean().describe('Rules stood in for the patient or the judge: the marks have no clinical meaning.'),
  scenario_runs: z.array(scenarioRunFields).describe('Those that did not pass first.'),
  left_out: z.int().describe('Scenario runs that are not listed.'),
});

const MISSED_EACH = 5;

/** @param most how many scenario runs are listed */
export function resultOf(
  run: TestRun,
  scenarioRuns: readonly ScenarioRun[],
  most: number,
): z.output<typeof resultFields> {
  const { criteria, missed, mustPass } = tallyMissed(scenarioRuns);
  const worstFirst = [...scenarioRuns].sort((one, other) => rankOf(one) - rankOf(other));
  const listed = worstFirst.slice(0, most).map(scenarioRunSummary);
  return {
    run: runSummary(run),
    sentence: isUnderWay(run) ? `The run is ${run.status}.` : verdictOf(run, null).sentence,
    must_pass_missed: mustPass,
    criteria_missed: missed,
    criteria,
    offline: isOffline(scenarioRuns),
    scenario_runs: listed,
    left_out: scenarioRuns.length - listed.length,
  };
}

function isUnderWay({ status }: TestRun): boolean {
  return !['completed', 'failed', 'canceled'].includes(status);
}

const RANKS = ['failed', 'error', 'canceled', 'running', 'grading', 'pending'];

function rankOf({ status, criteria_results }: ScenarioRun): number {
  if (missedOf(criteria_results).some(isMustPass)) return -1;
  const rank = RANKS.indexOf(status);
  return rank < 0 ? RANKS.length : rank;
}

function scenarioRunSummary(run: ScenarioRun): z.output<typeof scenarioRunFields> {
  const missed = missedOf(run.criteria_results);
  return {
    id: run.id,
    scenario_id: run.scenario_id,
    scenario_name: shortened(run.scenario_name, 200),
    trial: run.trial,
    patient: shortened(`${run.patient.style}, ${run.patient.language}`, 100),
    status: run.status,
    score_percent: run.score_percent,
    turns: run.turns,
    missed: missed.slice(0, MISSED_EACH).map(missedSummary),
    missed_in_all: missed.length,
    error: lineOrNull(run.error_message, 300),
  };
}

function missedSummary(result: CriterionResult): z.output<typeof missedFields> {
  return {
    criterion: shortened(result.criterion, 300),
    must_pass: isMustPass(result),
    kind: result.max_points < 0 ? 'committed' : 'missed',
    turn: result.evidence[0]?.turn ?? null,
  };
}

const LINES = 20;

/** The summary in a few lines. */
export function resultText(result: z.output<typeof resultFields>, page: string): string {
  const { run, sentence, must_pass_missed, criteria_missed, criteria, offline, scenario_runs } = result;
  const rated: RatedRun = {
    status: run.status,
    passed_count: run.passed,
    failed_count: run.failed,
    error_count: run.ended_in_error,
    canceled_count: run.canceled,
    total_scenarios: run.total,
    pass_rate: run.pass_rate,
    graded_pass_rate: run.graded_pass_rate,
  };
  const wrong = scenario_runs.filter(({ status }) => status !== 'passed').slice(0, LINES);
  return [
    `${run.test_run_id}, ${run.agent_name}: ${sentence}`,
    `${rateSentence(rated, (text) => text)}: ${countsOf(rated)}.`,
    `Must-pass missed: ${must_pass_missed}. Missed: ${criteria_missed} of ${criteria} criteria.`,
    ...(offline ? ['Rules stood in for the patient or the judge: the marks have no clinical meaning.'] : []),
    ...wrong.map(lineOf),
    `On the page: ${page}`,
  ].join('\n');
}

function lineOf(one: z.output<typeof scenarioRunFields>): string {
  const [first] = one.missed;
  const why = one.error ?? (first === undefined ? '' : `${first.must_pass ? 'must pass: ' : ''}${first.criterion}`);
  return `- ${one.status}: ${one.scenario_name}${one.trial > 1 ? `, trial ${one.trial}` : ''}${why === '' ? '' : `: ${why}`}`;
}
