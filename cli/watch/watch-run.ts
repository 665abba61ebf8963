import { DEFAULT_TURNS, isFinalTestRun, TEST_RUN_STATUSES } from '../../src/domain';
import { withDeadline } from '../connection/deadline';
import { followRun } from '../connection/run-events';
import type { TestRun } from '../connection/answers';
import { CommandFailure } from '../failure';
import { oneLine } from '../output/harmless-text';
import type { Session } from '../session';
import { startProgress } from './progress';
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
  const { api, output, interrupts } = session;
  const { timeoutMs, patienceMs } = options;
  const tally = new Tally(run.total_scenarios, run.max_turns ?? DEFAULT_TURNS, run.trials);
  const progress = startProgress(output.err, tally);
  const stopReporting = reportWaiting(api, run.id, (sentence) => progress.say(sentence));
  const late = (): Error => new RunTimeout(`The run did not end within ${(timeoutMs ?? 0) / 60_000} minutes.`);
  const within = Math.min(timeoutMs ?? FOREVER_MS, FOREVER_MS);
  try {
    await withDeadline(within, interrupts.signal, late, (signal) =>
      followRun(api.http, {
        runId: run.id,
        signal,
        patienceMs,
        onEvent: (event) => progress.show(event),
        onConnection: (lost) =>
          progress.say(lost === null ? 'Reconnected.' : `Waiting for the service. ${oneLine(lost)}`),
        isOver: async () => isOver(await api.testRun(run.id)),
      }),
    );
  } finally {
    stopReporting();
    progress.stop();
  }
  return api.testRun(run.id);
}
