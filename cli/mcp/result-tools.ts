import { z } from 'zod';
import { CommandFailure } from '../failure';
import { findNamed } from '../find-named';
import { kindInWords } from '../../src/domain';
import type { Comparison, CriterionResult, ScenarioRunDetail } from '../connection/run-answers';
import type { ServiceApi } from '../connection/service-api';
import { movedText } from '../comparison/print-comparison';
import { findRun } from '../named-resources';
import { oneLine, shortened } from '../output/harmless-text';
import { resultFields, resultOf, resultText } from './run-summary';
import { registering, type Registration } from './tool';
import { boundedTranscript, fenced, lineOrNull, WARNING } from './untrusted';

export const runName = z.string().min(1).max(300).describe('A run: its id, its label, or latest.');
const MOST_LISTED = 200;

const getRun = registering({
  name: 'get_run',
  title: 'Result of a run',
  description:
    'The result of a run: pass rate with its interval, must-pass criteria that were missed, and its scenario runs, those that did ' +
    'not pass first. get_conversation shows the words behind a mark.',
  effect: 'reads',
  input: z.object({
    run: runName,
    limit: z.int().min(1).max(MOST_LISTED).default(50).describe('Scenario runs to list, at most.'),
  }),
  output: resultFields,
  answer: async ({ run: given, limit }, { api }) => {
    const run = await findRun(api, given);
    const result = resultOf(run, await api.scenarioRuns(run.id), limit);
    return { result, text: resultText(result, `${api.url}/runs/${run.id}`) };
  },
});

const evidence = z.array(z.object({ turn: z.int(), quote: z.string() }));

const getConversation = registering({
  name: 'get_conversation',
  title: 'Conversation with its marks',
  description: `What patient and agent said in one scenario run, and each criterion with its decision, its reason and the words that prove it. ${WARNING}`,
  effect: 'reads',
  input: z.object({
    run: runName,
    scenario: z.string().min(1).max(500).describe('A scenario of the run by name, or the id of a scenario run.'),
    trial: z.int().min(1).max(20).optional().describe('Which of its trials, where the run has several.'),
  }),
  output: z.object({
    untrusted: z.literal(true).describe(WARNING),
    scenario_run_id: z.string(),
    scenario_name: z.string(),
    trial: z.int(),
    status: z.string(),
    score_percent: z.number().nullable(),
    summary: z.string().nullable(),
    transcript: z.array(z.object({ turn: z.int(), role: z.string(), content: z.string() })),
    transcript_is_cut: z.boolean().describe('Some of it was too long to be shown here.'),
    criteria: z.array(
      z.object({
        criterion: z.string(),
        decision: z.string(),
        points: z.number(),
        max_points: z.number().describe('Negative: something the agent must not do.'),
        must_pass: z.boolean(),
        rationale: z.string(),
        evidence,
        disputed: z.boolean(),
        check: z.string().nullable().describe('The kind of the rule that decided it; null where the judge did.'),
      }),
    ),
  }),
  answer: async ({ run, scenario, trial }, { api }) => {
    const detail = await conversationOf(api, run, scenario, trial);
    const { entries, isCut } = boundedTranscript(detail.transcript);
    const criteria = (detail.criteria_results ?? []).slice(0, MOST_LISTED).map(criterionOf);
    const result = {
      untrusted: true as const,
      scenario_run_id: detail.id,
      scenario_name: shortened(detail.scenario_name, 200),
      trial: detail.trial,
      status: detail.status,
      score_percent: detail.score_percent,
      summary: lineOrNull(detail.grade_summary, 1_000),
      transcript: [...entries],
      transcript_is_cut: isCut,
      criteria,
    };
    return { result, text: conversationText(result, `${api.url}/scenario-runs/${detail.id}`) };
  },
});

async function conversationOf(
  api: ServiceApi,
  run: string,
  scenario: string,
  trial: number | undefined,
): Promise<ScenarioRunDetail> {
  const { id, test_run_id } = await findRun(api, run);
  const all = await api.scenarioRuns(id);
  const listed = findNamed(trial === undefined ? all : all.filter((one) => one.trial === trial), scenario, {
    noun: 'scenario of this run',
    plural: 'scenarios of this run',
    listCommand: `get_run with run ${oneLine(test_run_id)}`,
    id: (one) => one.id,
    name: ({ scenario_name }) => scenario_name,
    tellApart: (one) => `trial ${one.trial}`,
  });
  return api.scenarioRun(listed.id);
}

function criterionOf(result: CriterionResult) {
  return {
    criterion: shortened(result.criterion, 500),
    decision: result.decision,
    points: result.points,
    max_points: result.max_points,
    must_pass: result.tags.includes('must_pass'),
    rationale: shortened(result.rationale, 1_000),
    evidence: result.evidence.slice(0, 10).map(({ turn, quote, call }) => {
      return { turn, quote: shortened(call === undefined ? quote : `(called) ${quote}`, 500) };
    }),
    disputed: result.disputed,
    check: result.check ?? null,
  };
}

interface Conversation {
  readonly scenario_name: string;
  readonly status: string;
  readonly score_percent: number | null;
  readonly transcript: readonly { readonly turn: number; readonly role: string; readonly content: string }[];
  readonly transcript_is_cut: boolean;
  readonly criteria: readonly ReturnType<typeof criterionOf>[];
}

function conversationText(conversation: Conversation, page: string): string {
  const { scenario_name, status, score_percent, transcript, transcript_is_cut, criteria } = conversation;
  const score = score_percent === null ? '' : `, ${score_percent} %`;
  const said = transcript.map(({ turn, role, content }) => `[${turn}] ${role}: ${content}`);
  const marks = criteria.map(({ decision, points, max_points, criterion, evidence: quotes, rationale, must_pass }) =>
    [
      `${decision} (${points} of ${max_points}${must_pass ? ', must pass' : ''}): ${criterion}`,
      ...quotes.map(({ turn, quote }) => `  turn ${turn}: "${quote}"`),
      ...(rationale === '' ? [] : [`  ${rationale}`]),
    ].join('\n'),
  );
  return [
    `${scenario_name}: ${status}${score}.${transcript_is_cut ? ' The conversation is cut here; the page shows all of it.' : ''}`,
    fenced([...said, '', ...marks]),
    `On the page: ${page}`,
  ].join('\n');
}

const MOST_MOVED = 50;
const moved = z.array(
  z.object({
    scenario_id: z.string(),
    scenario_name: z.string(),
    before: z.number(),
    after: z.number(),
    score_before: z.number().nullable(),
    score_after: z.number().nullable(),
  }),
);

const compareRuns = registering({
  name: 'compare_runs',
  title: 'Compare two runs',
  description:
    'Whether an agent got better or worse between two runs: better, worse, mixed, no_evidence, or cannot_tell, by how often scenarios passed, their scores, ' +
    'and must-pass violations; the scenarios that moved, which kinds of criteria were met less well, ' +
    'must-pass criteria violated anew, and what differs between the runs apart from the agent.',
  effect: 'reads',
  input: z.object({
    before: runName.optional().describe('The run to compare with; by default the baseline of the agent.'),
    after: runName,
    confidence: z.number().min(50).lt(100).optional().describe('Percent; 95 by default.'),
  }),
  output: z.object({
    before: z.string(),
    after: z.string(),
    verdict: z.string(),
    grounds: z.array(z.string()).describe('Which of the tests show a change.'),
    sentence: z.string(),
    tests: z
      .array(
        z.object({
          on: z.string(),
          before: z.number().nullable(),
          after: z.number().nullable(),
          difference: z.number().nullable().describe('Negative is worse.'),
          low: z.number().nullable(),
          high: z.number().nullable(),
          adjusted_p_value: z.number().nullable(),
        }),
      )
      .describe('passed and score in percent, must_pass in violations per conversation.'),
    criteria: z.string().describe('What the criteria show, in a sentence.'),
    compared: z.int().describe('Scenarios.'),
    worse: moved.describe('With the share of trials that passed and the mean score; at most fifty.'),
    better: moved,
    new_must_pass_violations: z.array(
      z.object({ scenario_name: z.string(), trial: z.int(), criterion: z.string(), kind: z.string() }),
    ),
    doubts: z.array(z.string()),
    twins: z
      .object({
        sentence: z.string(),
        pairs: z.int().describe('Pairs of conversations that both have a verdict of; no other counts.'),
        criteria: z.array(
          z.object({
            kind: z.string(),
            before: z.number().describe('How well they were met, 0 to 1.'),
            after: z.number(),
            difference: z.number().describe('Points; negative is worse.'),
            low: z.number(),
            high: z.number(),
            adjusted_p_value: z.number().nullable(),
          }),
        ),
        adjustment: z.string().describe('For which lines the p-values are adjusted together.'),
      })
      .nullable()
      .describe('Of runs that examined the same, held differently (twin_of): what the one way costs. Null for others.'),
  }),
  answer: async ({ before: given, after: newer, confidence }, { api }) => {
    const after = await findRun(api, newer);
    const before = await findRun(api, given ?? baselineOf(after.baseline_test_run_id));
    const comparison = await api.compare(before.id, after.id, confidence === undefined ? {} : { confidence });
    const shares = (all: typeof comparison.worse) =>
      all
        .slice(0, MOST_MOVED)
        .map(({ scenario_id, scenario_name, before: was, after: is, score_before, score_after }) => ({
          ...{ scenario_id, before: was, after: is, score_before, score_after },
          scenario_name: shortened(scenario_name, 200),
        }));
    const result = {
      before: before.test_run_id,
      after: after.test_run_id,
      verdict: comparison.verdict,
      grounds: comparison.grounds,
      sentence: oneLine(comparison.sentence),
      tests: comparison.tests.map(({ on, before: was, after: is, difference, low, high, adjusted_p_value }) => ({
        ...{ on, before: was, after: is, difference, low, high, adjusted_p_value },
      })),
      criteria: oneLine(comparison.criteria_summary.sentence),
      compared: comparison.scenarios.compared,
      worse: shares(comparison.worse),
      better: shares(comparison.better),
      new_must_pass_violations: comparison.new_must_pass_violations
        .slice(0, MOST_MOVED)
        .map(({ scenario_name, trial, criterion, kind }) => ({
          ...{ trial, kind },
          scenario_name: shortened(scenario_name, 200),
          criterion: shortened(criterion, 300),
        })),
      doubts: comparison.doubts.map(({ sentence }) => oneLine(sentence)),
      twins: twinsOf(comparison.twins ?? null),
    };
    const text = [
      `${result.before} and ${result.after}: ${result.sentence}`,
      movedText(comparison),
      result.criteria,
      ...result.new_must_pass_violations.map(
        ({ scenario_name, criterion, kind }) => `New must-pass violation: ${scenario_name}: ${kind}: ${criterion}`,
      ),
      ...result.doubts,
      ...(result.twins === null ? [] : [result.twins.sentence, result.twins.adjustment]),
    ].join('\n');
    return { result, text };
  },
});

function twinsOf(twins: NonNullable<Comparison['twins']> | null) {
  if (twins === null) return null;
  return {
    sentence: oneLine(twins.sentence),
    pairs: twins.pairs.compared,
    criteria: twins.criteria.map(({ by, group, before, after, difference, low, high, adjusted_p_value }) => ({
      ...{ kind: shortened(kindInWords({ by, group }), 200), before, after, difference, low, high, adjusted_p_value },
    })),
    adjustment: oneLine(twins.adjustment),
  };
}

function baselineOf(id: string | null | undefined): string {
  if (id !== null && id !== undefined) return id;
  throw new CommandFailure('This run has no baseline to be compared with: name the other run as `before`.');
}

export const RESULT_TOOLS: readonly Registration[] = [getRun, getConversation, compareRuns];
