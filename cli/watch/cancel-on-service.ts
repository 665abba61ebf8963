import type { StartedRun } from '../connection/answers';
import { CommandFailure, InterruptedFailure } from '../failure';
import { oneLine } from '../output/harmless-text';
import type { Session } from '../session';

/**
 * Cancels a run that the command gives up, and returns the failure with the outcome.
 * A second Ctrl-C exits at once.
 */
export async function cancelOnService(
  { api, output }: Session,
  { id, test_run_id }: StartedRun,
  why: CommandFailure,
): Promise<CommandFailure> {
  const label = oneLine(test_run_id);
  output.remark(`${why.message} Canceling ${label} on the service; press again to exit at once.`);
  const outcome = await attempt();
  const sentence = `${why.message} ${outcome}`;
  return why instanceof InterruptedFailure ? new InterruptedFailure(sentence) : new CommandFailure(sentence);

  async function attempt(): Promise<string> {
    try {
      const { status, canceled_scenarios: stopped = 0 } = await api.cancelRun(id, new AbortController().signal);
      if (status === 'canceled') return `The run was canceled (${stopped} scenarios were not finished).`;
      return `The run had already ended as ${oneLine(status)}.`;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return `The run could not be canceled and may continue: ${reason} Cancel it with: osce runs cancel ${label}`;
    }
  }
}
