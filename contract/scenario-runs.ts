import { z } from 'zod';
import { DECISIONS, SCENARIO_RUN_STATUSES, ERROR_CODES } from '../src/domain';
import { givenId, id, timestamp } from './field';
import { patientView } from './patients';
import { pageFields } from './page';
import { operation } from './operation';
import { scenarioRunMetadata } from './scenario-run-metadata';
import { spokenEntry } from './spoken-turns';

const percent = z.number().min(0).max(100);

export const criterionResult = z.object({
  criterion: z.string(),
  tags: z.array(z.string()),
  decision: z.enum(DECISIONS),
  points: z.number(),
  max_points: z.number(),
  rationale: z.string(),
  evidence: z.array(
    z.object({
      turn: z.int(),
      quote: z.string(),
      call: z
        .int()
        .min(1)
        .optional()
        .describe('The quote is the tool call at this place among those of its turn; absent where it is words.'),
      from_ms: z
        .number()
        .optional()
        .describe(
          'When it was said, in ms since the call began; absent where it was not spoken, or that is not known.',
        ),
      to_ms: z.number().optional(),
    }),
  ),
  absence: z.boolean().meta({ description: 'Proven by absence from all replies, instead of by quotes.' }),
  replies_read: z.int().nullable().meta({ description: 'How many replies were read for it; only with absence.' }),
  votes: z.array(z.enum(DECISIONS)).nullable().meta({
    description: 'Decisions of all examinations in their order; null for a criterion that was not voted on.',
  }),
  disputed: z.boolean().meta({ description: 'The votes were not unanimous.' }),
  check: z.string().nullable().meta({
    description:
      'The kind of the check that decided it, such as contains, in place of the judge; null where the judge did.',
  }),
});

/** A scenario run in a list: without its transcript. */
export const scenarioRunView = z
  .object({
    id,
    test_run_id: id,
    scenario_id: id,
    scenario_name: z.string(),
    scenario_revision: z
      .int()
      .min(1)
      .nullable()
      .describe('Which revision of the scenario it examined with. Null for runs of a release that did not keep it.'),
    scenario_content_hash: z.string().nullable().describe('SHA-256 of the content and rubric of that revision.'),
    scenario_category: z.string().nullable().describe('As the scenario has it now; null when it is gone.'),
    scenario_severity: z.string().nullable().describe('As the scenario has it now; null when it is gone.'),
    source_scenario_run_id: id
      .nullable()
      .describe(
        'In a derived run: the scenario run that it began from or, when it is carried, in which the verdict was given. It may be deleted by now.',
      ),
    carried: z
      .boolean()
      .describe('Its verdict and transcript are those of its source: the same observation, not another one.'),
    kept_turns: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'How many turns, from the first on, were taken over from its source before it began; null when that was not how it began.',
      ),
    given_message: z
      .string()
      .nullable()
      .describe('What the patient said after them, when that was given to the fork; null when it was not.'),
    trial: z.int().min(1).describe('Which of the run’s trials it belongs to.'),
    patient: patientView,
    status: z.enum(SCENARIO_RUN_STATUSES),
    passed: z.boolean().nullable(),
    score_percent: z.number().min(0).max(100).nullable(),
    total_points: z.number().nullable(),
    max_points: z.number().nullable(),
    grade_summary: z.string().nullable(),
    criteria_results: z.array(criterionResult).nullable(),
    effective: z
      .object({ passed: z.boolean(), score_percent: percent, by: z.enum(['judge', 'review']) })
      .nullable()
      .describe(
        'The verdict that holds: that of its reviews where it has any, else the judge’s. Null when it was not graded.',
      ),
    error_code: z.enum(ERROR_CODES).nullable(),
    error_message: z.string().nullable(),
    attempt: z.int().min(0),
    turns: z.int().min(0),
    duration_ms: z.number().nullable(),
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    canceled_at: timestamp.nullable(),
    created_at: timestamp,
    metadata: scenarioRunMetadata,
    screenshot_url: z.string().nullable().meta({
      description: 'Path of the screenshot of a browser agent’s page when it failed; null when there is none.',
    }),
  })
  .meta({ id: 'ScenarioRun' });

export type ScenarioRunView = z.infer<typeof scenarioRunView>;

const toolCall = z
  .object({
    id: z.string().nullable(),
    name: z.string().describe('Empty where the agent does not tell it.'),
    arguments: z.string().nullable().describe('JSON as a rule; null where the agent does not tell them.'),
    result: z.string().nullable().describe('What the tool answered; null where the agent does not tell it.'),
    truncated: z.boolean().describe('Its arguments or its result were longer than what is kept.'),
  })
  .meta({ id: 'ToolCall' });

const count = z.number().min(0).nullable();

/** Numbers that the agent reported of one reply; null where it did not. */
const reportedUsage = z
  .object({ input_tokens: count, output_tokens: count, total_tokens: count, cost_usd: count })
  .meta({ id: 'ReportedUsage' });

/** What the agent did in one turn, as its answer told. */
export const agentActs = z
  .object({
    tool_calls: z
      .array(toolCall)
      .nullable()
      .describe('In their order; null where the answer does not tell whether a tool was called.'),
    context: z.array(z.string()).describe('Pieces of text that the agent had retrieved.'),
    usage: reportedUsage.nullable(),
    truncated: z.boolean().describe('There was more than is kept of calls and context.'),
  })
  .meta({ id: 'AgentActs' });

export const transcriptEntry = z.object({
  turn: z.int().min(1),
  role: z.enum(['patient', 'agent']),
  content: z.string(),
  at: timestamp,
  latency_ms: z.number().optional().meta({ description: 'Of the agent only.' }),
  acts: agentActs.optional().describe('What the agent did for the reply; absent where its answer told nothing.'),
  spoken: spokenEntry.optional().describe('When it was said and what was heard; absent in text.'),
  trace_url: z.string().optional().describe('Where the turn is traced, by TRACE_URL_TEMPLATE. Of the agent only.'),
});

export type AgentActsView = z.infer<typeof agentActs>;

export type TranscriptEntry = z.infer<typeof transcriptEntry>;

/** A scenario run with its conversation. */
const scenarioRunDetail = scenarioRunView
  .extend({
    transcript: z.array(transcriptEntry),
    closing_acts: agentActs
      .nullable()
      .describe(
        'What the agent did in place of a last reply, when it hung up without a word; null where nothing is told.',
      ),
  })
  .meta({ id: 'ScenarioRunDetail' });

export type ScenarioRunDetail = z.infer<typeof scenarioRunDetail>;

/** As many scenarios as may be asked for at once. */
const MOST_SCENARIOS = 100;

const listQuery = z.object({
  ...pageFields,
  test_run_id: givenId.describe('UUID or label of the test run.'),
  scenario_id: z
    .preprocess(
      (given) => (typeof given === 'string' ? given.split(',') : given),
      z.array(id).min(1).max(MOST_SCENARIOS),
    )
    .optional()
    .describe(
      `Only the scenario runs of these scenarios: UUIDs, repeated or separated by commas, ${MOST_SCENARIOS} at most.`,
    ),
});

export const scenarioRunList = z.object({ results: z.array(scenarioRunView), total: z.int().min(0) });

export const listScenarioRuns = operation({
  id: 'listScenarioRuns',
  method: 'GET',
  path: '/api/v1/scenario-runs',
  tag: 'Scenario runs',
  role: 'viewer',
  summary: 'List the scenario runs of a test run',
  description: 'Trial by trial, each in the order in which the run was given its scenarios; without transcripts.',
  query: listQuery,
  answers: {
    200: { description: 'A page of scenario runs.', schema: scenarioRunList },
    400: 'test_run_id is missing, or a parameter is wrong.',
    404: 'Test run not found',
  },
});

export const getScenarioRun = operation({
  id: 'getScenarioRun',
  method: 'GET',
  path: '/api/v1/scenario-runs/{id}',
  tag: 'Scenario runs',
  role: 'viewer',
  summary: 'Get a scenario run with its transcript',
  answers: {
    200: { description: 'The scenario run.', schema: scenarioRunDetail },
    404: 'Scenario run not found',
  },
});

export const getScreenshot = operation({
  id: 'getScreenshot',
  method: 'GET',
  path: '/api/v1/scenario-runs/{id}/screenshot',
  tag: 'Scenario runs',
  role: 'viewer',
  summary: "Get the screenshot of a browser agent's page when its scenario run failed",
  answers: {
    200: { description: 'The screenshot.', produces: 'image/jpeg' },
    404: 'Scenario run not found, or it has no screenshot.',
  },
});
