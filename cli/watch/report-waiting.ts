import type { ServiceApi } from '../connection/service-api';
import { oneLine } from '../output/harmless-text';

const POLL_MS = 15_000;

/**
 * Reports why a watched run is not progressing while the service holds it back, and when it resumes: no event says so.
 * Returns a function that stops the polling.
 */
export function reportWaiting(api: ServiceApi, runId: string, say: (sentence: string) => void): () => void {
  let reported: string | null = null;
  const poll = async (): Promise<void> => {
    const { waiting = null } = await api.testRun(runId);
    if (waiting === reported) return;
    reported = waiting;
    say(waiting === null ? 'The run has resumed.' : oneLine(waiting));
  };
  // Following the events reports a service that is out of reach.
  const pollQuietly = (): void => void poll().catch(() => undefined);
  pollQuietly();
  const timer = setInterval(pollQuietly, POLL_MS);
  return () => clearInterval(timer);
}
