import { Option, type Command } from 'commander';
import {
  ANNOTATION_FIELDS,
  RUN_ANNOTATIONS,
  filledAnnotations,
  type AnnotationField,
} from '../../contract/run-annotations';
import {
  MODALITIES,
  soundInWords,
  tallyMissed,
  TEST_RUN_STATUSES,
  type Modality,
  type TestRunStatus,
} from '../../src/domain';
import type { TestRun } from '../connection/run-answers';
import { EXIT } from '../exit-codes';
import { CommandFailure, InterruptedFailure, UsageFailure } from '../failure';
import { findAgent, findRun } from '../named-resources';
import { collected, numberOfTrials, positiveInteger } from '../option-values';
import { printFields } from '../output/fields';
import { oneLine, shortened } from '../output/harmless-text';
import { tableOf } from '../output/table';
import type { Screen } from '../output/terminal';
import type { Host, Session } from '../session';
import { reportRun } from '../watch/report-run';
import { rateCell } from '../watch/rate';
import { paintOf, passRateLine, printResults, titleOf } from '../watch/results';
import { withWatchOptions, type Watching } from '../watch/watch-command';
import { isOver, watchRun } from '../watch/watch-run';
import { printConversation } from './conversation';
import { addRunSpeechCommand } from './run-speech';
import { addRunTwinsCommand } from './run-twins';

const EXAMPLES = `
A RUN is an id, a label such as run_20270131090000_1f0c9a2e, or the word latest.

Examples:
  $ osce runs list --status running
  $ osce runs show latest
  $ osce runs watch latest --fail-under 85
  $ osce runs transcript latest "Crushing chest pain at rest"
  $ osce runs cancel latest`;

/** Characters of a run's tags in a list: what else stands there needs the room. */
const LONGEST_TAGS = 40;

interface ListOptions {
  readonly status?: TestRunStatus;
  readonly agent?: string;
  readonly tag?: string;
  readonly modality?: Modality;
  readonly search?: string;
  readonly limit: number;
}

interface UpdateOptions extends Partial<Readonly<Record<AnnotationField, string>>> {
  readonly addTag?: readonly string[];
  readonly removeTag?: readonly string[];
}

export function addRunsCommand(program: Command, host: Host): void {
  const runs = program
    .command('runs')
    .summary('show, follow, cancel and delete runs')
    .description('Show, follow, cancel and delete test runs. Start one with: osce run')
    .addHelpText('after', EXAMPLES);
  runs
    .command('list')
    .description('List runs, newest first.')
    .addOption(new Option('--status <status>', 'only runs with this status').choices([...TEST_RUN_STATUSES]))
    .option('--agent <agent>', 'only runs of this agent, by name or id')
    .option('--tag <tag>', 'only runs that have this tag')
    .addOption(new Option('--modality <modality>', 'only runs in text, or only spoken ones').choices([...MODALITIES]))
    .option(
      '--search <text>',
      'only runs with this text in their name, note or tags, or in the name or version of their agent',
    )
    .option('--limit <n>', 'at most this many', positiveInteger, 25)
    .addHelpText('after', '\nExample:\n  $ osce runs list --status completed --tag "release gate" --limit 5')
    .action((options: ListOptions, command: Command) => host.run(command, (session) => list(session, options)));
  runs
    .command('show <run>')
    .description('Show a run and its scenarios.')
    .addHelpText('after', '\nExamples:\n  $ osce runs show latest\n  $ osce runs show latest --json')
    .action((run: string, _: object, command: Command) => host.run(command, (session) => show(session, run)));
  withWatchOptions(
    runs
      .command('watch <run>')
      .description('Follow a run to its end. Ctrl-C leaves it running.')
      .addHelpText('after', '\nExample:\n  $ osce runs watch latest --fail-under 85'),
    '',
    (run, watching, command) => host.run(command, (session) => watch(session, run, watching)),
  );
  runs
    .command('transcript <run> <scenario>')
    .description('Show the conversation of a scenario in a run, and its marks with their evidence.')
    .option('--trial <n>', 'which trial, if the run has several', numberOfTrials)
    .addHelpText('after', '\nExample:\n  $ osce runs transcript latest "Crushing chest pain at rest" --trial 2')
    .action((run: string, scenario: string, options: { trial?: number }, command: Command) =>
      host.run(command, (session) => printConversation(session, run, scenario, options.trial ?? null)),
    );
  addRunSpeechCommand(runs, host);
  addRunTwinsCommand(runs, host);
  runs
    .command('cancel <run>')
    .description('Cancel a run. Once it returns, nothing more is sent to the agent.')
    .addHelpText('after', '\nExample:\n  $ osce runs cancel latest')
    .action((run: string, _: object, command: Command) => host.run(command, (session) => cancel(session, run)));
  const update = runs
    .command('update <run>')
    .description('Change the annotations and tags of a run. It may be under way; its result stays as it is.');
  for (const field of ANNOTATION_FIELDS) {
    const { label, longest } = RUN_ANNOTATIONS[field];
    const most = longest.toLocaleString('en');
    update.option(`--${field} <text>`, `${label.toLowerCase()}, up to ${most} characters; an empty text removes it`);
  }
  update
    .addOption(new Option('--add-tag <tag>', 'add a tag; may be given several times').argParser(collected))
    .addOption(new Option('--remove-tag <tag>', 'remove a tag; may be given several times').argParser(collected))
    .addHelpText('after', '\nExample:\n  $ osce runs update latest --name "Release 4.2" --add-tag "release gate"')
    .action((run: string, options: UpdateOptions, command: Command) =>
      host.run(command, (session) => annotate(session, run, options)),
    );
  runs
    .command('delete <runs...>')
    .description('Delete runs with their transcripts. A run in progress is canceled first.')
    .addHelpText('after', '\nExample:\n  $ osce runs delete run_20270131090000_1f0c9a2e')
    .action((given: string[], _: object, command: Command) => host.run(command, (session) => remove(session, given)));
}

async function list(
  { api, output }: Session,
  { status, agent, tag, modality, search: q, limit }: ListOptions,
): Promise<void> {
  const agent_id = agent === undefined ? undefined : (await findAgent(api, agent)).id;
  const { runs, total } = await api.testRuns(limit, { status, agent_id, tag, q, modality });
  output.answer({ runs, total }, (screen) => {
    if (runs.length === 0) return screen.line('No matching runs.');
    screen.line(
      tableOf<TestRun>(
        screen,
        [
          { title: 'Run', cell: ({ test_run_id }) => test_run_id },
          // Most runs have none, and a narrow screen needs the room.
          ...(runs.some(({ name }) => (name ?? '') !== '')
            ? [{ title: 'Name', cell: ({ name }: TestRun) => name ?? '' }]
            : []),
          ...(runs.some(({ tags }) => tags.length > 0)
            ? [{ title: 'Tags', cell: ({ tags }: TestRun) => shortened(tags.join(', '), LONGEST_TAGS) }]
            : []),
          { title: 'Agent', cell: ({ agent_name }) => agent_name, flexible: true },
          ...(runs.some(({ modality }) => modality !== 'text')
            ? [{ title: 'By', cell: ({ modality }: TestRun) => (modality === 'spoken' ? 'voice' : modality) }]
            : []),
          { title: 'Status', cell: (run) => run.status, paint: (text, run) => paintOf(screen, run.status)(text) },
          { title: 'Pass rate (95 %)', cell: rateCell, align: 'right' },
          {
            title: 'Graded',
            cell: (run) => `${run.passed_count + run.failed_count}/${run.total_scenarios}`,
            align: 'right',
          },
        ],
        runs,
      ),
    );
    if (total > runs.length) screen.line(`${total - runs.length} more: --limit ${total} shows all.`);
  });
}

async function show({ api, output }: Session, given: string): Promise<void> {
  const run = await findRun(api, given);
  const scenarioRuns = await api.scenarioRuns(run.id);
  output.answer({ run, scenario_runs: scenarioRuns }, (screen) => {
    printRun(screen, run);
    printResults(screen, scenarioRuns);
    screen.line(passRateLine(screen, run, tallyMissed(scenarioRuns)));
  });
}

function printRun(screen: Screen, run: TestRun): void {
  printFields(screen, [
    ['Run', run.test_run_id],
    ...filledAnnotations(run).map(({ label, text }): readonly [string, string] => [label, text]),
    ['Tags', run.tags.join(', ')],
    ['Id', run.id],
    ['Agent', run.agent_name],
    ['Spoken', run.spoken ? soundInWords(run.spoken) : null],
    ['Status', run.status],
    ['Why', run.error_message ?? run.waiting],
    ['Scheduled', run.scheduled_at],
    ['Started', run.started_at],
    ['Ended', run.completed_at ?? run.canceled_at],
  ]);
}

async function annotate({ api, output }: Session, given: string, options: UpdateOptions): Promise<void> {
  const { addTag = [], removeTag = [] } = options;
  const texts: { [Field in AnnotationField]?: string | null } = {};
  for (const field of ANNOTATION_FIELDS) {
    const text = options[field];
    if (text !== undefined) texts[field] = text.trim() === '' ? null : text;
  }
  if (Object.keys(texts).length + addTag.length + removeTag.length === 0) {
    const options = ANNOTATION_FIELDS.map((field) => `--${field}`).join(', ');
    throw new UsageFailure(`Nothing to change: give ${options}, --add-tag or --remove-tag.`);
  }
  const run = await findRun(api, given);
  const tags = [...new Set([...run.tags, ...addTag])].filter((tag) => !removeTag.includes(tag));
  const changed = await api.updateTestRun(run.id, {
    ...texts,
    ...(addTag.length + removeTag.length > 0 && { tags }),
  });
  output.answer(changed, (screen) => printRun(screen, changed));
}

async function watch(session: Session, given: string, { options, bar, gate }: Watching): Promise<number> {
  const { api, output } = session;
  let run = await findRun(api, given);
  output.remark(`Watching ${titleOf(run)}: ${run.total_scenarios} scenarios.`);
  if (!isOver(run)) {
    try {
      run = await watchRun(session, run, options);
    } catch (error) {
      if (!(error instanceof InterruptedFailure)) throw error;
      const cancelIt = `osce runs cancel ${oneLine(run.test_run_id)}`;
      throw new InterruptedFailure(`No longer watching. The run continues; cancel it with: ${cancelIt}`);
    }
  }
  return reportRun(session, run, { bar, junit: null, gate });
}

async function cancel({ api, output }: Session, given: string): Promise<number> {
  const run = await findRun(api, given);
  const answer = await api.cancelRun(run.id);
  const { status, canceled_scenarios: stopped = 0, message } = answer;
  if (message !== undefined) {
    // Canceling twice is not a mistake; canceling a run that has ended may be.
    if (status !== 'canceled')
      throw new CommandFailure(`The run has already ended as ${status}: there is nothing to cancel.`);
    output.answer(answer, (screen) => screen.line('It was already canceled.'));
    return EXIT.passed;
  }
  output.answer(answer, (screen) => screen.line(`Canceled; ${stopped} scenarios were not finished.`));
  return EXIT.passed;
}

async function remove({ api, output }: Session, given: readonly string[]): Promise<void> {
  const found: TestRun[] = [];
  for (const one of given) found.push(await findRun(api, one));
  for (const { id } of found) await api.deleteTestRun(id);
  output.answer({ deleted: found.map(({ id }) => id) }, (screen) => screen.line(`Deleted: ${found.length}.`));
}
