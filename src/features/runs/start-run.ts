import { z } from 'zod';
import { DEFAULT_REGION, REGIONS } from '../../domain/region';
import { TEST_RUN_STATUSES } from '../../domain/statuses';
import { filledText, givenId, id, name, open } from '../../platform/http/field';
import { patientProfiles } from './patients';

const MAX_LISTED = 20_000;
/** More than that shows next to nothing new of a scenario, and costs as much again. */
export const MAX_TRIALS = 20;
/** Four processes with the default MAX_ACTIVE_SCENARIOS: beyond that, conversations only wait in the queue. */
export const MAX_CONCURRENCY = 2_000;
const LARGEST_INTEGER = 2_147_483_647;
const TIME_WANTED = 'must be an ISO 8601 time before the year 9999, such as 2026-01-31T09:00:00Z';
const LATEST_TIME = new Date('9998-12-31T23:59:59.999Z');

const positiveInteger = z.int().min(1).max(LARGEST_INTEGER);

/** Body of POST /start-run. */
export const startRunRequest = z
  .object({
    agent_id: givenId.describe('The agent to examine.'),
    name: open(name),
    agent_version: open(filledText(200)).describe(
      'The version of the agent, such as a git commit or the version of its prompt; kept with the results.',
    ),
    test_suite_id: open(givenId),
    scenario_ids: open(z.array(givenId).min(1).max(MAX_LISTED)),
    tags: open(z.array(filledText(200)).min(1).max(100)).describe('Scenarios with any of these tags.'),
    max_scenarios: open(positiveInteger),
    trials: open(z.int().min(1).max(MAX_TRIALS)).describe(
      'How many times each conversation is held; default 1. Scenarios × patients × trials may be 20,000 at most.',
    ),
    patients: open(patientProfiles).describe(
      'Each scenario is examined with each of these patients; default one cooperative patient who speaks English. Any other needs a language model as tester.',
    ),
    max_turns: open(positiveInteger).describe('Turns per scenario, clamped to 5..7; default 6.'),
    concurrency_limit: open(z.int().min(1).max(MAX_CONCURRENCY)).describe(
      'Concurrent scenario runs, 2,000 at most; default 6.',
    ),
    tester_model: open(filledText(220)).describe(
      'The model that plays the patients, one of ALLOWED_MODELS; by default the configured one.',
    ),
    judge_model: open(filledText(220)).describe('The model that marks, one of the same list.'),
    pass_threshold: open(z.number().min(0).max(100)).describe('The percentage of points needed to pass; default 50.'),
    region: open(z.enum(REGIONS)).describe(
      `Where the agent’s patients are, which says what their emergency services are called and which number reaches them; default ${DEFAULT_REGION}.`,
    ),
    scheduled_at: open(
      z.iso
        .datetime({ offset: true, error: TIME_WANTED })
        .refine((time) => new Date(time) <= LATEST_TIME, { error: TIME_WANTED })
        .transform((time) => new Date(time).toISOString()),
    ),
  })
  .meta({ id: 'StartRun', examples: [{ agent_id: '7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34', max_turns: 6 }] });
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
export const cancelRunRequest = z
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

export const cancelRunAnswer = z.object({
  status: z.enum(TEST_RUN_STATUSES),
  canceled_scenarios: z.int().optional(),
  message: z.string().optional(),
});
export type CancelRunAnswer = z.infer<typeof cancelRunAnswer>;

/** `run_<14-digit UTC timestamp>_<short suffix>`. The suffix comes from the run's UUID. */
export function runLabel(id: string, at: Date): string {
  const digits = at.toISOString().replaceAll(/\D/g, '').slice(0, 14);
  return `run_${digits}_${id.replaceAll('-', '').slice(-8)}`;
}
