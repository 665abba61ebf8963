import { z } from 'zod';
import { DEFAULT_REGION, REGIONS, TEST_RUN_STATUSES } from '../src/domain';
import { filledText, givenId, id, name, open } from './field';
import { operation } from './operation';
import { patientProfiles, patientView } from './patients';
import { modality, spokenChoice, spokenChoiceView } from './spoken';

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
    'Default text. spoken: by voice, as agents in LiveKit rooms and telephone bots (media-stream) are examined; the patient needs espeak-ng or SPEECH_URL (docs/spoken.md).',
  ),
  spoken: open(spokenChoice).describe('How the patient of a spoken run sounds; with modality spoken only.'),
} satisfies Readonly<Record<keyof typeof startRunShape | 'agent_id' | 'patients' | 'spoken', z.ZodType>>;

/** A start that examines one agent. */
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
