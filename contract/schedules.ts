import { z } from 'zod';
import { filledText, id, timestamp } from './field';
import { CHANGED_MEANWHILE, pageHeaders, tagHeaders } from './headers';
import { operation } from './operation';
import { pageFields, WHOLE_LIST, wholeListFields } from './page';
import { testRunListItem } from './test-runs';
import { recurringRunRequest, recurringRunView, startRunAnswer } from './start-run';

/** What happens at the time of a start while the run before it is still going. */
export const OVERLAPS = ['skip', 'allow'] as const;

/** Harm in the comparison with the agent’s baseline on which a gate fails, as `osce run --fail-on` has it. */
export const COMPARED_HARMS = ['worse', 'violation'] as const;

const percent = z.number().min(0).max(100);

const failUnder = percent.describe('The pass rate that is required, in percent of all scenario runs.');
const failOn = z
  .enum(COMPARED_HARMS)
  .describe(
    'What must not come out of the comparison with the baseline that the agent has when the run ends. `worse`: the run is worse; ' +
      '`violation`: that, or a must-pass criterion is violated that was not violated before.',
  );
const minCoverage = percent.describe('The share of scenario runs that need a verdict, in percent.');

const gateRequest = z
  .object({ fail_under: failUnder.nullish(), fail_on: failOn.nullish(), min_coverage: minCoverage.nullish() })
  .refine((gate) => Object.values(gate).some((bar) => bar !== undefined && bar !== null), {
    error: 'must have fail_under, fail_on or min_coverage; leave gate out, or send null, for no gate',
  })
  .meta({ id: 'SetScheduleGate' });

const gateView = z
  .object({ fail_under: failUnder.nullable(), fail_on: failOn.nullable(), min_coverage: minCoverage.nullable() })
  .describe('What each run that has ended is measured by.')
  .meta({ id: 'ScheduleGate' });

export type GateView = z.output<typeof gateView>;

const scheduleName = filledText(200).describe('No two schedules have the same name.');

const cron = z
  .string()
  .max(200)
  .describe(
    'Five fields: minute, hour, day of month, month, day of week; `0 3 * * 1-5` is 3:00 from Monday to Friday. MIN_SCHEDULE_INTERVAL says how often it may start a run.',
  );

const timeZone = z
  .string()
  .max(100)
  .describe('The IANA name of the time zone that the expression is meant in, such as Europe/Berlin or UTC.');

const overlap = z
  .enum(OVERLAPS)
  .describe('What happens while its run before is still going: `skip` leaves the start out, `allow` starts one more.');

const isEnabled = z.boolean().describe('Nothing is started by time while it is false.');

const example = {
  name: 'Nightly',
  run: { agent_id: '7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34', tags: ['emergency'], trials: 3 },
  cron: '0 3 * * *',
  time_zone: 'Europe/Berlin',
  gate: { fail_under: 85, fail_on: 'violation' },
};

/** Body of POST /api/v1/schedules. */
const createScheduleRequest = z
  .object({
    name: scheduleName,
    run: recurringRunRequest,
    cron,
    time_zone: timeZone,
    gate: gateRequest.nullish(),
    overlap: overlap.default('skip'),
    is_enabled: isEnabled.default(true),
  })
  .meta({ id: 'CreateSchedule', examples: [example] });

export type CreateScheduleRequest = z.output<typeof createScheduleRequest>;

/** Body of PATCH /api/v1/schedules/{id}. */
const updateScheduleRequest = z
  .object({
    name: scheduleName.optional(),
    run: recurringRunRequest.optional().describe('All of it: fields that are left out have their defaults.'),
    cron: cron.optional(),
    time_zone: timeZone.optional(),
    gate: gateRequest.nullish().describe('All of it; null removes the gate.'),
    overlap: overlap.optional(),
    is_enabled: isEnabled.optional(),
  })
  .meta({ id: 'UpdateSchedule', examples: [{ is_enabled: false }] });

export type UpdateScheduleRequest = z.output<typeof updateScheduleRequest>;

/** What became of a start. `missed` may stand for several that lie together. */
export const START_OUTCOMES = ['started', 'skipped', 'failed', 'missed'] as const;

export type StartOutcome = (typeof START_OUTCOMES)[number];

/** What the gate said of a run; `undecided`: nothing can be said about the agent. */
export const GATE_VERDICTS = ['pending', 'passed', 'failed', 'undecided'] as const;

export type GateVerdict = (typeof GATE_VERDICTS)[number];

const scheduleStart = z
  .object({
    id,
    schedule_id: id,
    due_at: timestamp.describe('When it was due; of several that were missed, the first.'),
    until: timestamp.nullable().describe('When the last one that was missed was due; null for any other start.'),
    missed: z.int().min(1).nullable().describe('How many were missed; null for any other start.'),
    is_manual: z.boolean().describe('It was asked for, not due by time.'),
    outcome: z.enum(START_OUTCOMES),
    sentence: z.string().nullable().describe('Why no run was started; null where one was.'),
    test_run_id: id.nullable().describe('The run that was started; it may be deleted by now.'),
    run: testRunListItem.nullable().describe('That run; null when none was started, or when it is deleted.'),
    gate: z
      .object({
        verdict: z
          .enum(GATE_VERDICTS)
          .describe('`pending` until the run has ended; `undecided` when nothing can be said about the agent.'),
        sentence: z.string().nullable().describe('Why; null while it is pending.'),
      })
      .nullable()
      .describe('Null for a start without a gate.'),
    noted_at: timestamp,
  })
  .meta({ id: 'ScheduleStart' });

export type ScheduleStartView = z.output<typeof scheduleStart>;

const scheduleView = z
  .object({
    id,
    name: z.string(),
    run: recurringRunView,
    cron: z.string(),
    time_zone: z.string(),
    gate: gateView.nullable(),
    overlap: z.enum(OVERLAPS),
    is_enabled: z.boolean(),
    next_start: timestamp.nullable().describe('Null while it is paused.'),
    last_start: scheduleStart.omit({ run: true }).meta({ id: 'LastScheduleStart' }).nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Schedule' });

export type ScheduleView = z.output<typeof scheduleView>;

const nextStarts = z.array(timestamp).describe('The next three, as the clock changes of the time zone have them.');

const scheduleDetail = scheduleView
  .extend({ next_starts: nextStarts.describe('The next three; none while it is paused.') })
  .meta({ id: 'ScheduleDetail' });

export type ScheduleDetail = z.output<typeof scheduleDetail>;

const scheduleList = z.object({ schedules: z.array(scheduleView), total: z.int().min(0) });

export type ScheduleList = z.output<typeof scheduleList>;

const startList = z.object({ starts: z.array(scheduleStart), total: z.int().min(0) });

export type StartList = z.output<typeof startList>;

const preview = z.object({ next_starts: nextStarts });

export type SchedulePreview = z.output<typeof preview>;

const NOT_FOUND = 'Schedule not found';

const WRONG_FIELD =
  'A field is missing or wrong: the cron expression has no five fields, starts too often or never, the time zone is unknown, or `run` is what start-run would refuse.';

const NAME_TAKEN = 'Another schedule has the name';

export const listSchedules = operation({
  id: 'listSchedules',
  method: 'GET',
  path: '/api/v1/schedules',
  tag: 'Schedules',
  role: 'viewer',
  summary: 'List schedules, by name',
  description: WHOLE_LIST,
  query: z.object(wholeListFields),
  answers: { 200: { description: 'The schedules.', schema: scheduleList, headers: pageHeaders } },
});

export const createSchedule = operation({
  id: 'createSchedule',
  method: 'POST',
  path: '/api/v1/schedules',
  tag: 'Schedules',
  role: 'runner',
  summary: 'Create a schedule: a run that starts again and again',
  description:
    'Each start is made once, whatever the number of processes. One that could not be made in time (MAX_START_DELAY) is missed: it is noted, and the ' +
    'next one comes at its usual time. docs/schedules.md says what happens when clocks change.',
  body: createScheduleRequest,
  isKeyed: true,
  answers: {
    201: { description: 'The schedule as stored.', schema: scheduleDetail, headers: tagHeaders },
    400: WRONG_FIELD,
    404: 'Test suite not found',
    409: `${NAME_TAKEN}, or there are as many as MAX_SCHEDULES allows.`,
  },
});

export const getSchedule = operation({
  id: 'getSchedule',
  method: 'GET',
  path: '/api/v1/schedules/{id}',
  tag: 'Schedules',
  role: 'viewer',
  summary: 'Get a schedule and its next starts',
  answers: { 200: { description: 'The schedule.', schema: scheduleDetail, headers: tagHeaders }, 404: NOT_FOUND },
});

export const updateSchedule = operation({
  id: 'updateSchedule',
  method: 'PATCH',
  path: '/api/v1/schedules/{id}',
  tag: 'Schedules',
  role: 'runner',
  summary: 'Change, pause or resume a schedule',
  description:
    'Fields that are left out stay as they are. `is_enabled` pauses and resumes it: what lies in between is not made up for. Runs that are under way go on as they were started.',
  body: updateScheduleRequest,
  takesIfMatch: true,
  answers: {
    200: { description: 'The schedule as it is now.', schema: scheduleDetail, headers: tagHeaders },
    400: WRONG_FIELD,
    404: `${NOT_FOUND}, or test suite not found`,
    409: `${NAME_TAKEN}.`,
    412: CHANGED_MEANWHILE,
  },
});

export const deleteSchedule = operation({
  id: 'deleteSchedule',
  method: 'DELETE',
  path: '/api/v1/schedules/{id}',
  tag: 'Schedules',
  role: 'runner',
  summary: 'Delete a schedule, with its history',
  description: 'Its runs stay, and those under way go on.',
  answers: { 204: { description: 'Deleted.' }, 404: NOT_FOUND },
});

export const runSchedule = operation({
  id: 'runSchedule',
  method: 'POST',
  path: '/api/v1/schedules/{id}/run',
  tag: 'Schedules',
  role: 'runner',
  summary: 'Start the run of a schedule now',
  description: 'Also while it is paused. Its next start by time stays as it is; its gate holds for this run too.',
  isKeyed: true,
  answers: {
    200: { description: 'The run is stored and in progress.', schema: startRunAnswer },
    400: 'start-run would refuse the run: the agent is not found or inactive, or no scenarios are available.',
    404: `${NOT_FOUND}, or test suite not found`,
    409: 'A run of the schedule is still going, and its overlap is skip.',
  },
});

export const listScheduleStarts = operation({
  id: 'listScheduleStarts',
  method: 'GET',
  path: '/api/v1/schedules/{id}/starts',
  tag: 'Schedules',
  role: 'viewer',
  summary: 'List what became of the starts of a schedule, newest first',
  description: 'With their runs. The newest 500 are kept.',
  query: z.object(pageFields),
  answers: { 200: { description: 'A page of starts.', schema: startList }, 404: NOT_FOUND },
});

export const previewSchedule = operation({
  id: 'previewSchedule',
  method: 'GET',
  path: '/api/v1/schedule-preview',
  tag: 'Schedules',
  role: 'viewer',
  summary: 'Say when a cron expression would start runs',
  query: z.object({ cron, time_zone: timeZone }),
  answers: {
    200: { description: 'Its next three starts.', schema: preview },
    400: 'The expression has no five fields, starts too often or never, or the time zone is unknown.',
  },
});
