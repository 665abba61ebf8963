import { Option, type Command } from 'commander';
import type { Schedule, ScheduleDetail, ScheduleStart } from '../connection/answers';
import {
  createSchedule,
  deleteSchedule,
  enableSchedule,
  getSchedule,
  listSchedules,
  runSchedule,
  scheduleStarts,
} from '../connection/schedule-calls';
import { UsageFailure } from '../failure';
import { findAgent, findSchedule } from '../named-resources';
import { FAIL_ON, percentage, positiveInteger, type FailOn } from '../option-values';
import { printFields } from '../output/fields';
import { oneLine } from '../output/harmless-text';
import { tableOf } from '../output/table';
import { conditionsOf, withConditionOptions, type ConditionOptions } from '../run-request';
import type { Host, Session } from '../session';

const EXAMPLES = `
A schedule is named by its name or its id.

Examples:
  $ osce schedules create Nightly --agent "Triage agent" --tag emergency --cron "0 3 * * *" --time-zone Europe/Berlin --fail-under 85
  $ osce schedules show Nightly
  $ osce schedules pause Nightly`;

interface CreateOptions extends ConditionOptions {
  readonly agent?: string;
  readonly agentVersion?: string;
  readonly cron?: string;
  readonly timeZone: string;
  readonly overlap?: string;
  readonly paused?: boolean;
  readonly failUnder?: number;
  readonly failOn?: FailOn;
  readonly minCoverage?: number;
}

export function addSchedulesCommand(program: Command, host: Host): void {
  const schedules = program
    .command('schedules')
    .summary('manage runs that start again and again')
    .description('List, show, create, pause, resume, run and delete schedules: runs that start again and again.')
    .addHelpText('after', EXAMPLES);
  schedules
    .command('list')
    .description('List schedules, by name.')
    .addHelpText('after', '\nExample:\n  $ osce schedules list')
    .action((_: object, command: Command) => host.run(command, list));
  schedules
    .command('show <schedule>')
    .description('Show a schedule, its next starts and what became of the last ones.')
    .option('--limit <n>', 'at most this many of the last starts', positiveInteger, 10)
    .addHelpText('after', '\nExample:\n  $ osce schedules show Nightly')
    .action((given: string, { limit }: { readonly limit: number }, command: Command) =>
      host.run(command, async (session) => show(session, (await findSchedule(session.api, given)).id, limit)),
    );
  addCreate(schedules, host);
  schedules
    .command('pause <schedule>')
    .description('Start nothing more by time. What lies in the pause is not made up for.')
    .addHelpText('after', '\nExample:\n  $ osce schedules pause Nightly')
    .action((given: string, _: object, command: Command) =>
      host.run(command, (session) => enable(session, given, false)),
    );
  schedules
    .command('resume <schedule>')
    .description('Start runs by time again.')
    .addHelpText('after', '\nExample:\n  $ osce schedules resume Nightly')
    .action((given: string, _: object, command: Command) =>
      host.run(command, (session) => enable(session, given, true)),
    );
  schedules
    .command('run <schedule>')
    .description(
      'Start the run of a schedule now, also while it is paused; not while its run before is still going, unless its overlap is allow.',
    )
    .addHelpText('after', '\nExample:\n  $ osce schedules run Nightly')
    .action((given: string, _: object, command: Command) => host.run(command, (session) => runNow(session, given)));
  schedules
    .command('delete <schedule>')
    .description('Delete a schedule, with its history. Its runs stay.')
    .addHelpText('after', '\nExample:\n  $ osce schedules delete Nightly')
    .action((given: string, _: object, command: Command) => host.run(command, (session) => remove(session, given)));
}

function addCreate(schedules: Command, host: Host): void {
  const create = schedules.command('create <name>').description('Create a schedule.');
  withConditionOptions(create)
    .option('--agent <name>', 'the agent to examine, by name or id')
    .option('--agent-version <text>', 'the version of the agent, such as a git commit; kept with the results')
    .option('--cron <expression>', 'five fields: minute, hour, day of month, month, day of week, such as "0 3 * * 1-5"')
    .addOption(
      new Option('--time-zone <name>', 'the IANA name of the time zone of --cron, such as Europe/Berlin').default(
        Intl.DateTimeFormat().resolvedOptions().timeZone,
        'that of this machine',
      ),
    )
    .addOption(
      new Option('--overlap <what>', 'what happens while the run before is still going (default skip)').choices([
        'skip',
        'allow',
      ]),
    )
    .option('--paused', 'start nothing by time until it is resumed')
    .option('--fail-under <percent>', 'the gate: the pass rate that is required', percentage)
    .addOption(
      new Option(
        '--fail-on <harm>',
        'the gate: worse than the agent’s baseline; violation: that, or a new must-pass violation',
      ).choices([...FAIL_ON]),
    )
    .option('--min-coverage <percent>', 'the gate: the share of conversations that need a verdict', percentage)
    .addHelpText(
      'after',
      '\nExample:\n  $ osce schedules create Nightly --agent "Triage agent" --suite "Release gate" --cron "0 3 * * *" --time-zone Europe/Berlin',
    )
    .action((name: string, options: CreateOptions, command: Command) =>
      host.run(command, (session) => makeSchedule(session, name, options)),
    );
}

async function makeSchedule(session: Session, name: string, options: CreateOptions): Promise<void> {
  const { api } = session;
  const { agent, cron, timeZone, overlap, paused = false, failUnder, failOn, minCoverage } = options;
  if (agent === undefined) throw new UsageFailure('--agent is required: osce agents list shows the agents.');
  if (cron === undefined) throw new UsageFailure('--cron is required, such as --cron "0 3 * * *" (every day at 3:00).');
  const examined = await findAgent(api, agent);
  const bars = { fail_under: failUnder, fail_on: failOn, min_coverage: minCoverage };
  const made = await createSchedule(api, {
    name,
    run: {
      agent_id: examined.id,
      agent_version: options.agentVersion,
      ...(await conditionsOf(session, options)),
    },
    cron,
    time_zone: timeZone,
    overlap,
    is_enabled: !paused,
    ...(Object.values(bars).some((bar) => bar !== undefined) && { gate: bars }),
  });
  session.output.answer(made, (screen) => printFields(screen, fieldsOf(made, examined.name)));
}

async function list({ api, output }: Session): Promise<void> {
  const schedules = await listSchedules(api);
  output.answer({ schedules }, (screen) => {
    if (schedules.length === 0) return screen.line('There are no schedules yet: osce schedules create --help');
    screen.line(
      tableOf<Schedule>(
        screen,
        [
          { title: 'Name', cell: ({ name }) => name, flexible: true },
          { title: 'Cron', cell: ({ cron }) => cron },
          { title: 'Time zone', cell: ({ time_zone }) => time_zone },
          { title: 'Next start', cell: ({ next_start }) => next_start ?? 'paused' },
          { title: 'Last', cell: ({ last_start }) => (last_start === null ? '' : wordsOf(last_start)) },
          { title: 'Id', cell: ({ id }) => id },
        ],
        schedules,
      ),
    );
  });
}

async function show({ api, output }: Session, id: string, limit: number): Promise<void> {
  const schedule = await getSchedule(api, id);
  const { starts } = await scheduleStarts(api, id, limit);
  const agent = (await api.agents()).find((one) => one.id === schedule.run.agent_id)?.name ?? schedule.run.agent_id;
  output.answer({ ...schedule, starts }, (screen) => {
    printFields(screen, fieldsOf(schedule, agent));
    if (starts.length === 0) return screen.line('Nothing was started yet.');
    screen.line(
      tableOf<ScheduleStart>(
        screen,
        [
          { title: 'Due', cell: ({ due_at, is_manual }) => `${due_at}${is_manual ? ' (by hand)' : ''}` },
          { title: 'Outcome', cell: wordsOf },
          { title: 'Run', cell: ({ run }) => (run === null ? '' : `${run.test_run_id} ${run.status}`) },
          {
            title: 'Why',
            cell: ({ sentence, gate }) => sentence ?? gate?.sentence ?? '',
            flexible: true,
          },
        ],
        starts,
      ),
    );
  });
}

const HARMS: Readonly<Record<string, string>> = {
  worse: 'not worse than the baseline',
  violation: 'not worse than the baseline and no new must-pass violation',
};

function fieldsOf(schedule: ScheduleDetail, agent: string): readonly (readonly [string, string | null])[] {
  const {
    fail_under: failUnder = null,
    fail_on: failOn = null,
    min_coverage: minCoverage = null,
  } = schedule.gate ?? {};
  const bars = [
    ...(failUnder === null ? [] : [`pass rate of ${failUnder} %`]),
    ...(failOn === null ? [] : [HARMS[failOn] ?? failOn]),
    ...(minCoverage === null ? [] : [`${minCoverage} % with a verdict`]),
  ];
  return [
    ['Name', schedule.name],
    ['Id', schedule.id],
    ['Agent', agent],
    ['Run', askedOf(schedule)],
    ['Cron', `${schedule.cron} (${schedule.time_zone})`],
    ['Gate', bars.join(', ')],
    ['Overlap', schedule.overlap],
    ['State', schedule.is_enabled ? 'on' : 'paused'],
    ['Next starts', schedule.next_starts.map((start) => `${start}, ${inZone(start, schedule.time_zone)}`).join('\n')],
  ];
}

/** What start-run is asked for, beside the agent: `tags emergency, triage; trials 3`. */
function askedOf({ run: { agent_id: _, ...asked } }: ScheduleDetail): string {
  const asks = Object.entries(asked).map(([field, value]) => `${field.replaceAll('_', ' ')} ${wordsOfValue(value)}`);
  return asks.length === 0 ? 'all approved scenarios' : asks.join('; ');
}

/** A patient is `anxious/de`. */
function wordsOfValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOfValue).join(', ');
  if (typeof value === 'object' && value !== null) return Object.values(value).map(wordsOfValue).join('/');
  return String(value);
}

/** As clocks there show it; empty where this machine does not know the zone. */
function inZone(time: string, timeZone: string): string {
  try {
    const shown = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'short' });
    return `${shown.format(new Date(time))} ${timeZone}`;
  } catch {
    return '';
  }
}

function wordsOf({ outcome, gate }: Pick<ScheduleStart, 'outcome' | 'gate'>): string {
  return gate === null ? outcome : `${outcome}, gate ${gate.verdict}`;
}

async function enable({ api, output }: Session, given: string, isEnabled: boolean): Promise<void> {
  const changed = await enableSchedule(api, (await findSchedule(api, given)).id, isEnabled);
  output.answer(changed, (screen) =>
    printFields(screen, [
      [isEnabled ? 'Resumed' : 'Paused', changed.name],
      ['Next start', changed.next_start],
    ]),
  );
}

async function runNow({ api, output }: Session, given: string): Promise<void> {
  const started = await runSchedule(api, (await findSchedule(api, given)).id);
  output.remark(
    `Run ${oneLine(started.test_run_id)} has started: follow it with osce runs watch ${oneLine(started.test_run_id)}`,
  );
  output.answer(started, (screen) => screen.line(started.test_run_id));
}

async function remove({ api, output }: Session, given: string): Promise<void> {
  const { id, name } = await findSchedule(api, given);
  await deleteSchedule(api, id);
  output.answer({ deleted: id }, (screen) => printFields(screen, [['Deleted', name]]));
}
