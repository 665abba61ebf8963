import { Presets, SingleBar } from 'cli-progress';
import { Option, type Command } from 'commander';
import type { Suite } from '../connection/answers';
import { HttpClient } from '../connection/http-client';
import { ServiceApi } from '../connection/service-api';
import { EXIT } from '../exit-codes';
import { CommandFailure, UsageFailure } from '../failure';
import type { ImportProblem } from '../import/entry';
import { applySteps, interruptedSentence, remarksOn, undoSteps, type Applied } from '../import/apply';
import { warnOfLinks } from '../import/named-problems';
import { planImport, type Step } from '../import/plan';
import { filesIn } from '../import/files-in';
import { IMPORT_FORMATS, readEntries, type ImportFormat } from '../import/read-entries';
import { collected } from '../option-values';
import { oneLine, shortened } from '../output/harmless-text';
import type { Output, Screen } from '../output/terminal';
import type { Host, Session } from '../session';

interface ImportOptions {
  readonly format: ImportFormat;
  readonly approve?: boolean;
  readonly category?: string;
  readonly tag?: readonly string[];
  readonly suite?: string;
  readonly dryRun?: boolean;
  readonly continue?: boolean;
}

const EXAMPLES = `
A file named *.yaml or *.json holds one scenario or a list of them; any other, and standard input, one JSON object a line.
Of a folder, all files named *.yaml, *.yml, *.json and *.jsonl are read, hidden ones left out. Each scenario is one as
"osce export scenarios" writes it (the body of POST /api/v1/scenarios), or a line of HealthBench (prompt, prompt_id,
rubrics). All are checked before anything is sent; when one is wrong, or the service fails on the way, nothing stays
imported, unless --continue is given.

Importing a file again updates its scenarios, and leaves alone what has not changed. A scenario is identified by its "key", a
HealthBench line by its prompt_id; else by its scenario_id, else by its name, even if it was not imported. A changed
scenario must be approved again.

Examples:
  $ osce import scenarios/
  $ osce import scenarios.jsonl --dry-run
  $ osce import scenarios.jsonl --approve --tag release-7
  $ osce import healthbench.jsonl --suite HealthBench
  $ gunzip -c scenarios.jsonl.gz | osce import -`;

export function addImportCommand(program: Command, host: Host): void {
  program
    .command('import <paths...>')
    .summary('import scenarios from files and folders: our own, or HealthBench')
    .description(
      'Import scenarios from files of YAML, JSON or JSON lines, and from folders of them; - reads standard input.',
    )
    .addOption(new Option('--format <format>', 'format of the lines').choices([...IMPORT_FORMATS]).default('auto'))
    .option(
      '--approve',
      'approve all of them, so that runs include them; without an approver’s name where a line has none',
    )
    .option('--category <category>', 'put all of them into this category')
    .addOption(new Option('--tag <tag>', 'add this tag to all; may be given several times').argParser(collected))
    .option('--suite <name>', 'create a suite of exactly these scenarios under this name, or replace its contents')
    .option('-n, --dry-run', 'check everything and report what would be done')
    .option('--continue', 'import the valid lines, even if others are not')
    .addHelpText('after', EXAMPLES)
    .action((paths: string[], options: ImportOptions, command: Command) =>
      host.run(command, (session) => importFiles(session, paths, options)),
    );
}

async function importFiles(session: Session, paths: readonly string[], options: ImportOptions): Promise<number> {
  const { api, output } = session;
  const { format, approve = false, category = null, tag = [], suite, continue: goesOn = false } = options;
  const { files, links } = await filesIn(paths);
  warnOfLinks(output, links);
  const read = await readEntries(files, format, { category, tags: tag });
  const lines = read.entries.length + read.refused;
  refuse(output, read.problems, read.refused, lines, goesOn);
  if (lines === 0) throw new UsageFailure('The input holds no scenarios.');
  for (const remark of remarksOn(read.entries)) output.warn(remark);
  const { steps, problems: unclear } = planImport(read.entries, await api.scenarios(), approve);
  refuse(output, unclear, unclear.length, lines, goesOn);
  const problems = [...read.problems, ...unclear];
  const known = suite === undefined ? null : await suiteCalled(api, suite);
  if (options.dryRun === true) return report(session, steps, { done: [], problems }, true);
  const applied = await applyOrUndo(session, steps, goesOn);
  const ids = applied.done.map(({ scenario }) => scenario.scenario_id);
  if (suite !== undefined) await renewSuite(api, suite, known, ids);
  return report(session, steps, { done: applied.done, problems: [...problems, ...applied.problems] }, false);
}

const MOST_LISTED = 50;

/** Names the lines that cannot be imported. @throws UsageFailure unless it goes on without them */
function refuse(
  output: Output,
  problems: readonly ImportProblem[],
  refused: number,
  total: number,
  goesOn: boolean,
): void {
  for (const { where, problem } of problems.slice(0, MOST_LISTED))
    output.remark(`${oneLine(where)}: ${shortened(problem, 1_000)}`);
  if (problems.length === 0 || goesOn) return;
  const more = problems.length > MOST_LISTED ? ` (the first ${MOST_LISTED} problems are listed)` : '';
  throw new UsageFailure(
    `${refused} of ${total} scenarios cannot be imported${more}: nothing was imported. Correct them, or give --continue to leave them out.`,
  );
}

async function applyOrUndo(session: Session, steps: readonly Step[], goesOn: boolean): Promise<Applied> {
  const { output, interrupts } = session;
  const { connection } = session.api.http;
  const abandoned = new AbortController();
  const giveUp = (): void => {
    setTimeout(() => abandoned.abort(interrupts.signal.reason), FINISHING_MS).unref();
  };
  interrupts.signal.addEventListener('abort', giveUp);
  // Not aborted at once: requests in flight may finish, so that less has to be found and undone.
  const own = new ServiceApi(new HttpClient(connection, abandoned.signal));
  const progress = startCounting(output.err, steps.length);
  const applied = await applySteps(own, steps, { signal: interrupts.signal, goesOn, onDone: progress.count }).finally(
    progress.stop,
  );
  const isInterrupted = interrupts.signal.aborted && applied.done.length < steps.length;
  if (!isInterrupted && (goesOn || applied.problems.length === 0)) {
    for (const { where, problem } of applied.problems) output.remark(`${oneLine(where)}: ${oneLine(problem)}`);
    return applied;
  }
  if (goesOn) throw interruptedSentence(interrupts.signal.reason, `${applied.done.length} scenarios are imported.`);
  const undoing = new ServiceApi(new HttpClient(connection, new AbortController().signal));
  const left = await undoSteps(undoing, steps, applied);
  const outcome =
    left === 0
      ? 'Nothing was imported.'
      : `${left} scenarios could not be rolled back; importing the file again will not create duplicates.`;
  const [first] = applied.problems;
  if (isInterrupted || first === undefined) throw interruptedSentence(interrupts.signal.reason, outcome);
  throw new CommandFailure(`${first.where}: ${first.problem} ${outcome}`);
}

/** After Ctrl-C, requests in flight have this long to finish. */
const FINISHING_MS = 2_000;

/** Log a line every this many scenarios. */
const LINE_EVERY = 250;

function startCounting(
  screen: Screen,
  total: number,
): { readonly count: (done: number) => void; readonly stop: () => void } {
  if (!screen.isTerminal) {
    return {
      count: (done) => {
        if (done % LINE_EVERY === 0) screen.line(`${done}/${total} scenarios`);
      },
      stop: () => undefined,
    };
  }
  const bar = new SingleBar(
    {
      format: '{bar} {value}/{total} scenarios',
      barsize: 24,
      clearOnComplete: true,
      stream: screen.stream,
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  return { count: (done) => bar.update(done), stop: () => bar.stop() };
}

/** The suite that an import fills; null when there is none yet. @throws CommandFailure when several have the name */
async function suiteCalled(api: ServiceApi, name: string): Promise<Suite | null> {
  const same = (await api.suites()).filter((suite) => suite.name === name);
  if (same.length > 1) {
    const ids = same.slice(0, MOST_LISTED).map(({ id }) => `  ${id}`);
    throw new CommandFailure(
      `${same.length} suites are called "${shortened(name, 80)}": nothing was imported. Rename or delete all but one:\n${ids.join('\n')}`,
    );
  }
  return same[0] ?? null;
}

async function renewSuite(
  api: ServiceApi,
  name: string,
  suite: Suite | null,
  scenarioIds: readonly string[],
): Promise<void> {
  try {
    if (suite === null) await api.createSuite({ name, scenario_ids: scenarioIds });
    else await api.changeSuite(suite, { scenario_ids: scenarioIds });
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    throw new CommandFailure(`${error.message} The scenarios themselves are imported.`, { cause: error });
  }
}

function report({ output }: Session, steps: readonly Step[], { done, problems }: Applied, isDryRun: boolean): number {
  const ids = new Map(done.map(({ step, scenario }) => [step, scenario.scenario_id]));
  const shown = isDryRun ? steps : done.map(({ step }) => step);
  const count = (kind: Step['kind']): number => shown.filter((step) => step.kind === kind).length;
  const counts = { created: count('create'), updated: count('update'), unchanged: count('unchanged') };
  const answer = {
    dry_run: isDryRun,
    ...counts,
    failed: problems.length,
    scenarios: shown.map((step) => ({
      line: step.entry.where,
      key: step.entry.key,
      action: step.kind,
      scenario_id: ids.get(step) ?? (step.kind === 'create' ? null : step.stored.scenario_id),
    })),
    problems: problems.map(({ where, problem }) => ({ line: where, problem })),
  };
  output.answer(answer, (screen) => {
    const [made, changed] = isDryRun ? ['to create', 'to update'] : ['created', 'updated'];
    const failed = problems.length > 0 ? `, ${problems.length} failed` : '';
    screen.line(`${counts.created} ${made}, ${counts.updated} ${changed}, ${counts.unchanged} unchanged${failed}.`);
  });
  return problems.length > 0 ? EXIT.harnessFailed : EXIT.passed;
}
