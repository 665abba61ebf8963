import type { StartedRun, TestRun } from '../connection/run-answers';
import { CommandFailure, InterruptedFailure, UnreachableFailure } from '../failure';
import { oneLine } from '../output/harmless-text';
import type { Session } from '../session';
import { cancelOnService } from './cancel-on-service';
import { RunTimeout, watchRun } from './watch-run';

/** Starts a run and returns what was started. @param ask not aborted by Ctrl-C: a run that was started after all could not be canceled */
export async function startOnce<Started>(
  { interrupts }: Session,
  ask: (signal: AbortSignal) => Promise<Started>,
): Promise<Started> {
  interrupts.signal.throwIfAborted();
  try {
    return await ask(new AbortController().signal);
  } catch (error) {
    if (!(error instanceof UnreachableFailure) || error.isUnsent) throw error;
    throw new CommandFailure(`${error.message} The run may have been started: check with osce runs list.`);
  }
}

export interface Patience {
  /** Seconds. */
  readonly patience: number;
  /** Minutes. */
  readonly timeout?: number;
}

/** Follows a run that this command has started to its end; given up by Ctrl-C or its timeout, it is canceled on the service. */
export async function watchOrCancel(session: Session, started: StartedRun, options: Patience): Promise<TestRun> {
  try {
    const run = await session.api.testRun(started.id);
    for (const warning of run.warnings) session.output.warn(oneLine(warning));
    return await watchRun(session, run, {
      patienceMs: options.patience * 1_000,
      timeoutMs: options.timeout === undefined ? null : options.timeout * 60_000,
    });
  } catch (error) {
    const isOurs = error instanceof InterruptedFailure || error instanceof RunTimeout;
    if (isOurs) throw await cancelOnService(session, started, error);
    // The service was unreachable for too long, or refused: the run may still continue there.
    session.output.remark(`The run may continue. Check with: osce runs show ${oneLine(started.test_run_id)}`);
    throw error;
  }
}
