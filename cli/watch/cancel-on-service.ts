import type { StartedRun } from '../connection/answers';
import { CommandFailure, InterruptedFailure } from '../failure';
import { oneLine } from '../output/harmless-text';
import type { Session } from '../session';

/**
 * Cancels a run that is being given up, whatever made the command give up, and answers the failure with what became of it.
 * A second Ctrl-C meanwhile leaves at once.
 */
export async function cancelOnService(
  { api, output }: Session,
  { id, test_run_id }: StartedRun,
  why: CommandFailure,
): Promise<CommandFailure> {
  const label = oneLine(test_run_id);
  output.remark(`${why.message} Canceling ${label} on the service; again to leave at once.`);
  const outcome = await attempt();
  const sentence = `${why.message} ${outcome}`;
  return why instanceof InterruptedFailure ? new InterruptedFailure(sentence) : new CommandFailure(sentence);

  async function attempt(): Promise<string> {
    try {
      const { status, canceled_scenarios: stopped = 0 } = await api.cancelRun(id, new AbortController().signal);
      if (status === 'canceled') return `The run is canceled (${stopped} scenarios were not finished).`;
      return `The run had ended as ${oneLine(status)}.`;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return `The run could not be canceled and may go on: ${reason} Cancel it with: osce runs cancel ${label}`;
    }
  }
}
