import { z } from 'zod';
import { REGIONS, DERIVATIONS, TEST_RUN_STATUSES } from '../src/domain';
import { dayOrTime, filledText, givenId, id, tags, timestamp } from './field';
import { pageFields } from './page';
import { modality, spokenView } from './spoken';
import { operation } from './operation';
import { RUN_ANNOTATIONS, type AnnotationField } from './run-annotations';

export const examiner = z.object({
  name: z.string().describe('`offline`, or the vendor whose API is used.'),
  model: z.string().nullable().describe('As configured; null when offline.'),
  prompt_version: z.string().nullable().describe('A hash of the fixed part of the instructions to the model.'),
});

const examinersView = z
  .object({
    tester: examiner,
    judge: examiner,
    clinical: z
      .boolean()
      .describe('False when rules stand in for the patient or the judge: the marks then have no clinical meaning.'),
    mixed: z.boolean().describe('Its scenario runs had different examiners; the last pair is named.'),
  })
  .nullable()
  .describe('Who examined or, before anyone has, who will. Null for runs of a release that did not keep it.');

export type ExaminersView = z.output<typeof examinersView>;

export const regionView = z
  .enum(REGIONS)
  .nullable()
  .describe(
    'Where the agent’s patients are. Null when it is not known, as in runs of a release that did not ask: then any country’s emergency number counts.',
  );

/** Free text about the run; null where there is none. */
export const annotationShape = {
  name: z.string().nullable(),
  note: z.string().nullable(),
} satisfies Readonly<Record<AnnotationField, z.ZodType>>;

const written = (field: AnnotationField) =>
  filledText(RUN_ANNOTATIONS[field].longest).nullish().describe('Free text; null removes it.');

const annotationChanges = { name: written('name'), note: written('note') } satisfies Readonly<
  Record<AnnotationField, z.ZodType>
>;

const percent = z.number().min(0).max(100);

/** A test run in a list. Counts and pass_rate come from the scenario runs at the moment of the answer. */
export const testRunListItem = z
  .object({
    id,
    test_run_id: z.string().meta({ description: 'Human-readable label.', example: 'run_20261121103000_1f0c9a2e' }),
    ...annotationShape,
    tags: z.array(z.string()).describe('For finding runs; not the tags of its scenarios.'),
    status: z.enum(TEST_RUN_STATUSES),
    agent_id: id,
    agent_name: z.string(),
    agent_provider: z.string(),
    agent_version: z.string().nullable().describe('As given at start-run.'),
    agent_config_hash: z
      .string()
      .nullable()
      .describe('SHA-256 of the agent’s config without its secrets. Null for runs of a release that did not keep it.'),
    test_suite_id: id.nullable(),
    run_set_id: id.nullable().describe('The set that it was started in; null for a run that was started alone.'),
    twin_of: id
      .nullable()
      .describe(
        'The first of the runs that examine the same agent with the same scenarios, patients, trials and seeds, each held differently: ' +
          'in text, by voice, over another line. It may be deleted by now. Null for a run without twins, and for the first itself.',
      ),
    derived_from: id
      .nullable()
      .describe('The run whose scenario runs it began from; it may be deleted by now. Null for any other run.'),
    derivation: z
      .enum(DERIVATIONS)
      .nullable()
      .describe(
        'How it began from them: `retry` runs errors again, `regrade` marks the same conversations again, `fork` goes on differently ' +
          'from a turn of one of them, `import` marks conversations from elsewhere. Null for a run of scenarios.',
      ),
    baseline_test_run_id: id
      .nullable()
      .describe(
        'The baseline of its agent, which it is compared with when no other run is named; null when it is this run.',
      ),
    total_scenarios: z.int().min(0).describe('Scenario runs: scenarios × patients × trials.'),
    trials: z.int().min(1).describe('How many times each conversation is held.'),
    passed_count: z.int().min(0),
    failed_count: z.int().min(0),
    error_count: z.int().min(0),
    canceled_count: z.int().min(0),
    pass_rate: z.number().min(0).max(100),
    graded_pass_rate: z
      .object({ value: percent, low: percent, high: percent })
      .nullable()
      .describe(
        'The percentage of graded scenario runs that passed, with the 95 % interval of the statistics. Null while the run is under way, and when nothing was graded.',
      ),
    must_pass_violated_count: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'Scenario runs that failed because of a must-pass criterion, whatever the pass rate is. Null while the run is under way, and for runs of a release that did not keep it.',
      ),
    max_turns: z.int(),
    concurrency_limit: z.int(),
    pass_threshold: z.number(),
    region: regionView,
    modality,
    spoken: spokenView.nullable().describe('How its patient sounds and who hears; null in text.'),
    examiners: examinersView,
    error_message: z.string().nullable(),
    waiting: z
      .string()
      .nullable()
      .describe('Why no further scenario run starts although the run is in progress: the daily cost limit is reached.'),
    scheduled_at: timestamp.nullable(),
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    canceled_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'TestRunListItem' });

export type TestRunListItem = z.infer<typeof testRunListItem>;

/** A test run, with the config of the agent that it examined, which may be long. */
export const testRunView = testRunListItem
  .extend({
    agent_config: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'The agent’s config when the run was started, secrets masked. Null for runs of a release that did not keep it.',
      ),
    warnings: z
      .array(z.string())
      .describe(
        'What of the agent’s config makes the result doubtful: nothing carried the conversation from one message to the next.',
      ),
  })
  .meta({ id: 'TestRun' });

export type TestRunView = z.infer<typeof testRunView>;

const listQuery = z.object({
  ...pageFields,
  status: z.enum(TEST_RUN_STATUSES).optional(),
  agent_id: givenId.optional().describe('Only the runs of this agent: its UUID, also when it is deleted.'),
  agent_version: filledText(200).optional().describe('Only the runs of this version of the agent.'),
  modality: modality.optional().describe('Only the runs in text, or only the spoken ones.'),
  test_suite_id: givenId.optional().describe('Only the runs of this test suite: its UUID, also when it is deleted.'),
  tag: filledText(200).optional().describe('Only the runs that have this tag.'),
  q: filledText(200)
    .optional()
    .describe(
      'Only the runs with this text in their label, name, note or tags, or in the name or version of their agent; upper and lower case are the same.',
    ),
  from: dayOrTime.optional().describe('Only the runs that were made then or later. A day begins at midnight UTC.'),
  to: dayOrTime.optional().describe('Only the runs that were made before that.'),
  twin_of: givenId
    .optional()
    .describe('Only the twins of this run, not itself: its UUID, also when it is deleted, or its label.'),
  derived_from: givenId
    .optional()
    .describe('Only the runs that began from this one: its UUID, also when it is deleted, or its label.'),
});

export type TestRunFilter = Omit<z.output<typeof listQuery>, keyof typeof pageFields>;

export const testRunList = z.object({ runs: z.array(testRunListItem), total: z.int().min(0) });

const NOT_FOUND = 'Test run not found';

export const listTestRuns = operation({
  id: 'listTestRuns',
  method: 'GET',
  path: '/api/v1/tests',
  tag: 'Test runs',
  role: 'viewer',
  summary: 'List test runs, newest first',
  query: listQuery,
  answers: { 200: { description: 'A page of test runs.', schema: testRunList }, 400: 'A parameter is wrong.' },
});

export const getTestRun = operation({
  id: 'getTestRun',
  method: 'GET',
  path: '/api/v1/tests/{id}',
  tag: 'Test runs',
  role: 'viewer',
  summary: 'Get a test run, by id or label',
  answers: { 200: { description: 'The test run.', schema: testRunView }, 404: NOT_FOUND },
});

/** Body of PATCH /api/v1/tests/{id}. */
const updateRunRequest = z
  .object({
    ...annotationChanges,
    tags: tags.optional().describe('All of them: those that are left out are removed.'),
  })
  .meta({ id: 'UpdateTestRun', examples: [{ name: 'Release 4.2', tags: ['release gate'] }] });

export type UpdateRunRequest = z.output<typeof updateRunRequest>;

export const updateTestRun = operation({
  id: 'updateTestRun',
  method: 'PATCH',
  path: '/api/v1/tests/{id}',
  tag: 'Test runs',
  role: 'runner',
  summary: 'Change the name, the note and the tags of a test run',
  description:
    'Fields that are left out stay as they are. It may be under way; what was examined and found does not change.',
  body: updateRunRequest,
  answers: {
    200: { description: 'The test run as it is now.', schema: testRunView },
    400: 'A field is wrong.',
    404: NOT_FOUND,
  },
});

export const deleteTestRun = operation({
  id: 'deleteTestRun',
  method: 'DELETE',
  path: '/api/v1/tests/{id}',
  tag: 'Test runs',
  role: 'admin',
  summary: 'Delete a test run',
  description: 'A live run is canceled first.',
  answers: { 204: { description: 'Deleted.' }, 404: NOT_FOUND },
});
