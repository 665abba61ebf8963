import type { StartedRun, StartedSet } from '../connection/run-answers';
import { CommandFailure, InterruptedFailure } from '../failure';
import { oneLine } from '../output/harmless-text';
import type { Session } from '../session';

/** What the command has started on the service, and gives up. */
interface Abandoned {
  /** As in `Canceling … on the service`. */
  readonly label: string;
  /** Cancels it, and says in a sentence what that came to. */
  readonly cancel: (signal: AbortSignal) => Promise<string>;
  /** In case that fails: what may continue, and how to cancel it. */
  readonly subject: string;
  readonly otherwise: string;
}

/** Cancels a run that the command gives up, and returns the failure with the outcome. A second Ctrl-C exits at once. */
export function cancelOnService(
  session: Session,
  { id, test_run_id }: StartedRun,
  why: CommandFailure,
): Promise<CommandFailure> {
  const label = oneLine(test_run_id);
  return abandon(session, why, {
    label,
    subject: 'The run',
    otherwise: `Cancel it with: osce runs cancel ${label}`,
    cancel: async (signal) => {
      const { status, canceled_scenarios: stopped = 0 } = await session.api.cancelRun(id, signal);
      if (status === 'canceled') return `The run was canceled (${stopped} scenarios were not finished).`;
      return `The run had already ended as ${oneLine(status)}.`;
    },
  });
}

/** The same for a set of runs. */
export function cancelSetOnService(
  session: Session,
  { id, runs }: StartedSet,
  why: CommandFailure,
): Promise<CommandFailure> {
  return abandon(session, why, {
    label: `${runs.length} runs`,
    subject: 'The runs',
    otherwise: `Cancel them with: osce sets cancel ${oneLine(id)}`,
    cancel: async (signal) => {
      const { canceled_scenarios: stopped } = await session.api.cancelRunSet(id, signal);
      return stopped === 0
        ? 'The runs had already ended.'
        : `The runs were canceled (${stopped} scenarios were not finished).`;
    },
  });
}

/** The same for runs that were started one after the other. */
export function cancelRunsOnService(
  session: Session,
  runs: readonly StartedRun[],
  why: CommandFailure,
): Promise<CommandFailure> {
  const labels = runs.map(({ test_run_id }) => oneLine(test_run_id));
  return abandon(session, why, {
    label: labels.join(' and '),
    subject: 'The runs',
    otherwise: `Cancel them with: ${labels.map((label) => `osce runs cancel ${label}`).join(' and ')}`,
    cancel: async (signal) => {
      const canceled = await Promise.all(runs.map(({ id }) => session.api.cancelRun(id, signal)));
      const stopped = canceled.reduce((sum, { canceled_scenarios = 0 }) => sum + canceled_scenarios, 0);
      return canceled.every(({ status }) => status !== 'canceled')
        ? 'The runs had already ended.'
        : `The runs were canceled (${stopped} scenarios were not finished).`;
    },
  });
}

async function abandon(
  { output }: Session,
  why: CommandFailure,
  { label, cancel, subject, otherwise }: Abandoned,
): Promise<CommandFailure> {
  output.remark(`${why.message} Canceling ${label} on the service; press again to exit at once.`);
  const outcome = await cancel(new AbortController().signal).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    return `${subject} could not be canceled and may continue: ${reason} ${otherwise}`;
  });
  const sentence = `${why.message} ${outcome}`;
  return why instanceof InterruptedFailure ? new InterruptedFailure(sentence) : new CommandFailure(sentence);
}
