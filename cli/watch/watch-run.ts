import { DEFAULT_TURNS, isFinalTestRun, TEST_RUN_STATUSES } from '../../src/domain';
import { withDeadline } from '../connection/deadline';
import { followRun } from '../connection/run-events';
import type { TestRun } from '../connection/run-answers';
import { CommandFailure } from '../failure';
import { oneLine } from '../output/harmless-text';
import type { Session } from '../session';
import { startProgress, startProgressOfSet, type Progress } from './progress';
import { Tally } from './tally';
import { reportWaiting } from './report-waiting';

export interface WatchOptions {
  /** How long the service may be out of reach. */
  readonly patienceMs: number;
  /** How long the run may take from now; null: no limit. */
  readonly timeoutMs: number | null;
}

/** The run did not end in the given time. */
export class RunTimeout extends CommandFailure {
  override readonly name = 'RunTimeout';
}

export function isOver({ status }: TestRun): boolean {
  const known = TEST_RUN_STATUSES.find((one) => one === status);
  return known !== undefined && isFinalTestRun(known);
}

/** Longest time a timer of Node.js can wait, about 24 days. */
const FOREVER_MS = 2 ** 31 - 1;

/**
 * Shows a run until it is over, through restarts of the service, and resolves with the finished run.
 * @throws RunTimeout, RefusedFailure, UnreachableFailure, the reason of the interrupt
 */
export async function watchRun(session: Session, run: TestRun, options: WatchOptions): Promise<TestRun> {
  const { api, output } = session;
  const progress = startProgress(output.err, tallyOf(run));
  const late = (minutes: number): Error => new RunTimeout(`The run did not end within ${minutes} minutes.`);
  await whileFollowed(session, options, late, (signal) => follow(session, run, progress, options, signal));
  return api.testRun(run.id);
}

/** A run of a set, with what tells it apart. */
export interface TitledRun {
  readonly title: string;
  readonly run: TestRun;
}

/** The same for runs that were started together: until all of them are over. */
export async function watchRuns(
  session: Session,
  runs: readonly TitledRun[],
  options: WatchOptions,
): Promise<TitledRun[]> {
  const { api, output } = session;
  const shown = startProgressOfSet(
    output.err,
    runs.map(({ title, run }) => ({ title: oneLine(title), tally: tallyOf(run) })),
  );
  const late = (minutes: number): Error => new RunTimeout(`The runs did not end within ${minutes} minutes.`);
  await whileFollowed(session, options, late, async (signal) => {
    const unlessOne = new AbortController();
    const either = AbortSignal.any([signal, unlessOne.signal]);
    const following = runs.flatMap(({ run }, place) => {
      const progress = shown[place];
      return progress === undefined ? [] : [follow(session, run, progress, options, either)];
    });
    try {
      await Promise.all(following);
    } catch (error) {
      unlessOne.abort(error);
      await Promise.allSettled(following);
      throw error;
    }
  });
  const ended: TitledRun[] = [];
  for (const { title, run } of runs) ended.push({ title, run: await api.testRun(run.id) });
  return ended;
}

function tallyOf(run: TestRun): Tally {
  return new Tally(run.total_scenarios, run.max_turns ?? DEFAULT_TURNS, run.trials);
}

/** @param late the failure when the time is over */
function whileFollowed(
  { interrupts }: Session,
  { timeoutMs }: WatchOptions,
  late: (minutes: number) => Error,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const within = Math.min(timeoutMs ?? FOREVER_MS, FOREVER_MS);
  return withDeadline(within, interrupts.signal, () => late((timeoutMs ?? 0) / 60_000), work);
}

async function follow(
  { api }: Session,
  run: TestRun,
  progress: Progress,
  { patienceMs }: WatchOptions,
  signal: AbortSignal,
): Promise<void> {
  const stopReporting = reportWaiting(api, run.id, (sentence) => progress.say(sentence));
  try {
    await followRun(api.http, {
      runId: run.id,
      signal,
      patienceMs,
      onEvent: (event) => progress.show(event),
      onConnection: (lost) =>
        progress.say(lost === null ? 'Reconnected.' : `Waiting for the service. ${oneLine(lost)}`),
      isOver: async () => isOver(await api.testRun(run.id)),
    });
  } finally {
    stopReporting();
    progress.stop();
  }
}
