import type { ServiceApi } from '../connection/service-api';
import { oneLine } from '../output/harmless-text';

const LOOK_MS = 15_000;

/**
 * Tells why a watched run stands still when the service holds it back, and when it goes on: no event does.
 * Answers how to stop.
 */
export function tellWaiting(api: ServiceApi, runId: string, say: (sentence: string) => void): () => void {
  let told: string | null = null;
  const look = async (): Promise<void> => {
    const { waiting = null } = await api.testRun(runId);
    if (waiting === told) return;
    told = waiting;
    say(waiting === null ? 'The run goes on.' : oneLine(waiting));
  };
  // A service that is away is told of by whoever follows the events.
  const lookQuietly = (): void => void look().catch(() => undefined);
  lookQuietly();
  const timer = setInterval(lookQuietly, LOOK_MS);
  return () => clearInterval(timer);
}
