import { setTimeout as sleep } from 'node:timers/promises';
import { Presets, SingleBar } from 'cli-progress';
import { Option, type Command } from 'commander';
import {
  cancelCalibration,
  createCalibration,
  getCalibration,
  type Calibration,
} from '../connection/calibration-calls';
import { HttpClient } from '../connection/http-client';
import { ServiceApi } from '../connection/service-api';
import { printCalibration } from '../calibration/print-calibration';
import { readLabels, type LabelProblem } from '../calibration/read-labels';
import { EXIT } from '../exit-codes';
import { CommandFailure, InterruptedFailure, UsageFailure } from '../failure';
import { positiveInteger } from '../option-values';
import { oneLine, shortened } from '../output/harmless-text';
import type { Output, Screen } from '../output/terminal';
import { nameOf } from '../read-input';
import type { Host, Session } from '../session';

interface CalibrateOptions {
  readonly starter?: boolean;
  readonly repeats: number;
  readonly name?: string;
  readonly judgeModel?: string;
}

const EXAMPLES = `
A line holds a transcript with its criteria and what people decided about them, as POST /api/v1/calibrations takes it, or is a
line of HealthBench's meta-evaluation. When one is wrong, all wrong ones are named and nothing is stored.

Ctrl-C cancels the calibration; what was marked is kept.

Examples:
  $ osce calibrate --starter
  $ osce calibrate labels.jsonl --repeats 3
  $ head -200 meta_eval.jsonl | osce calibrate - --name "HealthBench, 200 lines" --json`;

export function addCalibrateCommand(program: Command, host: Host): void {
  program
    .command('calibrate [labels]')
    .summary('measure how far the judge agrees with people')
    .description('Have the judge mark transcripts that people have labelled; - reads standard input.')
    .option('--starter', 'the forty transcripts that come with the service: a smoke test of a judge')
    .addOption(new Option('--repeats <n>', 'how often each is marked, 1 to 5').argParser(positiveInteger).default(1))
    .option('--name <name>', 'name of the calibration (default: the name of the file)')
    .option('--judge-model <model>', 'one of ALLOWED_MODELS (default: the judge that is set up)')
    .addHelpText('after', EXAMPLES)
    .action((labels: string | undefined, options: CalibrateOptions, command: Command) =>
      host.run(command, (session) => calibrate(session, labels, options)),
    );
}

async function calibrate(session: Session, path: string | undefined, options: CalibrateOptions): Promise<number> {
  const { api, output } = session;
  const { starter = false, repeats, name, judgeModel } = options;
  if (starter === (path !== undefined)) throw new UsageFailure('Name a file of labels, or give --starter.');
  const marked =
    path === undefined
      ? { name: name ?? 'Starter set', starter_set: true }
      : { name: name ?? nameOf(path), items: await itemsIn(path, output) };
  const created = await createCalibration(api, { ...marked, repeats, judge_model: judgeModel });
  const over = await untilOver(session, created);
  output.answer(over, (screen) => printCalibration(screen, over));
  if (over.status === 'completed') return EXIT.passed;
  throw new CommandFailure(oneLine(over.error_message ?? `The calibration is ${over.status}.`));
}

const MOST_LISTED = 50;

async function itemsIn(path: string, output: Output) {
  const { items, problems } = await readLabels(path);
  for (const { where, problem } of problems.slice(0, MOST_LISTED)) output.remark(lineOf({ where, problem }));
  if (problems.length > 0) {
    const more = problems.length > MOST_LISTED ? ` (the first ${MOST_LISTED} are listed)` : '';
    throw new UsageFailure(`${problems.length} lines are wrong${more}: nothing was stored.`);
  }
  if (items.length === 0) throw new UsageFailure(`${nameOf(path)} holds no labels.`);
  return items;
}

function lineOf({ where, problem }: LabelProblem): string {
  return `${oneLine(where)}: ${shortened(problem, 1_000)}`;
}

const LOOK_EVERY_MS = 500;

/** @throws InterruptedFailure after Ctrl-C, which cancels it */
async function untilOver({ api, output, interrupts }: Session, created: Calibration): Promise<Calibration> {
  const { signal } = interrupts;
  const progress = startCounting(output.err, created.progress.total);
  try {
    for (let now = created; ; now = await getCalibration(api, created.id)) {
      progress.count(now.progress.marked + now.progress.failed);
      if (now.status !== 'pending' && now.status !== 'running') return now;
      await sleep(LOOK_EVERY_MS, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    // The session's own client gives up with the signal.
    const own = new ServiceApi(new HttpClient(api.http.connection, new AbortController().signal));
    await cancelCalibration(own, created.id);
    throw new InterruptedFailure(`Canceled: calibration ${created.id} was stopped.`);
  } finally {
    progress.stop();
  }
}

/** A bar on a terminal; in a log a line for every tenth of it. */
function startCounting(
  screen: Screen,
  total: number,
): { readonly count: (done: number) => void; readonly stop: () => void } {
  if (!screen.isTerminal) {
    let tenths = 0;
    return {
      count: (done) => {
        const reached = Math.floor((done / Math.max(1, total)) * 10);
        if (reached > tenths) screen.line(`${done}/${total} examinations`);
        tenths = Math.max(tenths, reached);
      },
      stop: () => undefined,
    };
  }
  const bar = new SingleBar(
    {
      format: '{bar} {value}/{total} examinations',
      barsize: 24,
      hideCursor: true,
      clearOnComplete: true,
      stream: screen.stream,
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  return { count: (done) => bar.update(done), stop: () => bar.stop() };
}
