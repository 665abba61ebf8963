import { z } from 'zod';
import { DEFAULT_REGION, REGIONS, DERIVATIONS, TEST_RUN_STATUSES } from '../src/domain';
import { dayOrTime, filledText, givenId, id, name, open, tags, timestamp } from './field';
import { pageFields } from './page';
import { patientProfiles, patientView } from './patients';
import { modality, spokenChoice, spokenChoiceView, spokenView } from './spoken';
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

const MAX_LISTED = 20_000;

/** More than that shows next to nothing new of a scenario, and costs as much again. */
export const MAX_TRIALS = 20;

/** Four processes with the default MAX_ACTIVE_SCENARIOS: beyond that, conversations only wait in the queue. */
const MAX_CONCURRENCY = 2_000;

const LARGEST_INTEGER = 2_147_483_647;

const TIME_WANTED = 'must be an ISO 8601 time before the year 9999, such as 2026-01-31T09:00:00Z';

const LATEST_TIME = new Date('9998-12-31T23:59:59.999Z');

const positiveInteger = z.int().min(1).max(LARGEST_INTEGER);

/** What a run is told beside its agent and its time; what is left out has its default. */
const startRunShape = {
  name,
  agent_version: filledText(200),
  test_suite_id: givenId,
  scenario_ids: z.array(givenId).min(1).max(MAX_LISTED),
  tags: z.array(filledText(200)).min(1).max(100),
  max_scenarios: positiveInteger,
  trials: z.int().min(1).max(MAX_TRIALS),
  max_turns: positiveInteger,
  concurrency_limit: z.int().min(1).max(MAX_CONCURRENCY),
  tester_model: filledText(220),
  judge_model: filledText(220),
  pass_threshold: z.number().min(0).max(100),
  region: z.enum(REGIONS),
  modality,
};

/** The same as a client sends it, who may leave it open; when the run starts is said elsewhere. */
const askedOfRun = {
  agent_id: givenId.describe('The agent to examine.'),
  name: open(startRunShape.name),
  agent_version: open(startRunShape.agent_version).describe(
    'The version of the agent, such as a git commit or the version of its prompt; kept with the results.',
  ),
  test_suite_id: open(startRunShape.test_suite_id),
  scenario_ids: open(startRunShape.scenario_ids),
  tags: open(startRunShape.tags).describe('Scenarios with any of these tags.'),
  max_scenarios: open(startRunShape.max_scenarios),
  trials: open(startRunShape.trials).describe(
    'How many times each conversation is held; default 1. Scenarios × patients × trials may be 20,000 at most.',
  ),
  patients: open(patientProfiles).describe(
    'Each scenario is examined with each of these patients; default one cooperative patient who speaks English. Any other needs a language model as tester.',
  ),
  max_turns: open(startRunShape.max_turns).describe('Turns per scenario, clamped to 5..7; default 6.'),
  concurrency_limit: open(startRunShape.concurrency_limit).describe(
    'Concurrent scenario runs, 2,000 at most; default 6.',
  ),
  tester_model: open(startRunShape.tester_model).describe(
    'The model that plays the patients, one of ALLOWED_MODELS; by default the configured one.',
  ),
  judge_model: open(startRunShape.judge_model).describe('The model that marks, one of the same list.'),
  pass_threshold: open(startRunShape.pass_threshold).describe('The percentage of points needed to pass; default 50.'),
  region: open(startRunShape.region).describe(
    `Where the agent’s patients are, which says what their emergency services are called and which number reaches them; default ${DEFAULT_REGION}.`,
  ),
  modality: open(startRunShape.modality).describe(
    'Default text. spoken: by voice, which agents in LiveKit rooms can; the patient needs espeak-ng or SPEECH_URL (docs/spoken.md).',
  ),
  spoken: open(spokenChoice).describe('How the patient of a spoken run sounds; with modality spoken only.'),
} satisfies Readonly<Record<keyof typeof startRunShape | 'agent_id' | 'patients' | 'spoken', z.ZodType>>;

/** A start of one agent, whichever it is. */
export const startOfAgent = z.object({
  ...askedOfRun,
  scheduled_at: open(
    z.iso
      .datetime({ offset: true, error: TIME_WANTED })
      .refine((time) => new Date(time) <= LATEST_TIME, { error: TIME_WANTED })
      .transform((time) => new Date(time).toISOString()),
  ),
});

/** A twin has these from the run that it is a twin of: with others the two would not be the same, conversation by conversation. */
const OF_THE_TWIN = [
  'agent_id',
  'agent_version',
  'test_suite_id',
  'scenario_ids',
  'tags',
  'max_scenarios',
  'trials',
  'patients',
  'max_turns',
  'tester_model',
  'judge_model',
  'pass_threshold',
  'region',
] as const satisfies readonly (keyof typeof askedOfRun)[];

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Body of POST /start-run. */
export const startRunRequest = startOfAgent
  .extend({
    agent_id: open(startOfAgent.shape.agent_id).describe('The agent to examine; required unless twin_of is given.'),
    twin_of: open(givenId).describe(
      'A run, by id or label, to examine the same as: its agent, scenarios as they were then, patients, trials, seeds, tester and judge. ' +
        'Held in the other modality, or as modality and spoken say. name, concurrency_limit and scheduled_at may be given too, nothing else.',
    ),
  })
  .refine(({ agent_id, twin_of }) => agent_id !== undefined || twin_of !== undefined, {
    path: ['agent_id'],
    error: 'is required',
    // Named with what else is wrong, unless it is wrong itself.
    when: ({ value, issues }) => isObject(value) && !issues.some(({ path }) => path?.[0] === 'agent_id'),
  })
  .superRefine((body, context) => {
    if (body.twin_of === undefined) return;
    for (const field of OF_THE_TWIN) {
      if (body[field] === undefined) continue;
      context.addIssue({
        code: 'custom',
        path: [field],
        message: 'is that of the run that twin_of names, so that the two can be paired: leave it out',
      });
    }
  })
  .meta({ id: 'StartRun', examples: [{ agent_id: '7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34', max_turns: 6 }] });

/** The same body for runs that start again and again: their schedule says when. */
export const recurringRunRequest = z
  .object({
    ...askedOfRun,
    scheduled_at: z
      .null({ error: 'must be left out: the cron expression of the schedule says when its runs start' })
      .optional()
      .transform(() => undefined),
  })
  .meta({ id: 'RecurringRun', examples: [{ agent_id: '7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34', tags: ['emergency'] }] });

/** Such a body as it is kept and shown: fields that were left open are left out. */
export const recurringRunView = z
  .object(startRunShape)
  .extend({ patients: z.array(patientView), spoken: spokenChoiceView })
  .partial()
  .extend({ agent_id: givenId.describe('The agent to examine; it may be deleted by now.') })
  .meta({ id: 'RecurringRunView' });

export type RecurringRun = z.output<typeof recurringRunView>;

export type StartRunRequest = z.output<typeof startRunRequest>;

export const startRunAnswer = z.object({
  id,
  test_run_id: z.string(),
  status: z.enum(TEST_RUN_STATUSES),
  total_scenarios: z.int(),
  scenarios_launched: z.int(),
  skipped_scenario_ids: z.array(id).optional(),
});

export type StartRunAnswer = z.infer<typeof startRunAnswer>;

/** Body of POST /cancel-run: any of the three names. */
const cancelRunRequest = z
  .object({
    test_run_id: open(givenId),
    run_id: open(givenId),
    id: open(givenId),
  })
  .refine((body) => (body.test_run_id ?? body.run_id ?? body.id ?? '') !== '', {
    error: 'is required: the run to cancel',
    path: ['test_run_id'],
  })
  .meta({ id: 'CancelRun', examples: [{ test_run_id: '7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34' }] });

export type CancelRunRequest = z.output<typeof cancelRunRequest>;

const cancelRunAnswer = z.object({
  status: z.enum(TEST_RUN_STATUSES),
  canceled_scenarios: z.int().optional(),
  message: z.string().optional(),
});

export type CancelRunAnswer = z.infer<typeof cancelRunAnswer>;

export const startRun = operation({
  id: 'startRun',
  method: 'POST',
  path: '/start-run',
  tag: 'Test runs',
  role: 'runner',
  summary: 'Start a test run',
  description:
    'Scenarios are chosen by scenario_ids, else test_suite_id, else tags, else all that are active and approved; ' +
    'max_scenarios caps the last three. Each is examined `trials` times, trial by trial; with twin_of, all of that is as in the run named. total_scenarios and ' +
    'scenarios_launched count scenario runs. Answered once the run and its scenario runs are stored.',
  body: startRunRequest,
  isKeyed: true,
  answers: {
    200: { description: 'The run is stored and in progress.', schema: startRunAnswer },
    400: 'A field is missing or wrong, the agent is not found or inactive, its provider is not supported, it cannot be examined by voice, no active scenarios are available, scenarios × trials are more than 20,000, or twin_of is no run that can have a twin.',
    404: 'Test suite not found',
    409: 'With scheduled_at: MAX_SCHEDULED_RUNS runs are scheduled already. Or a chosen scenario was purged in this very moment. With twin_of: its agent, patient or judge are not the same any more.',
  },
});

export const cancelRun = operation({
  id: 'cancelRun',
  method: 'POST',
  path: '/cancel-run',
  tag: 'Test runs',
  role: 'runner',
  recorded: 'beside',
  summary: 'Cancel an in-progress test run',
  description: 'When this is answered, the cancellation is stored and calls in flight have been aborted.',
  body: cancelRunRequest,
  answers: {
    200: { description: 'Canceled, or already finished.', schema: cancelRunAnswer },
    400: 'test_run_id is missing.',
    404: NOT_FOUND,
  },
});

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
