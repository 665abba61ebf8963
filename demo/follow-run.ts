import { EventSource } from 'eventsource';
import { isFinalEvent, readRunEvent, type RunEventFields } from '../src/domain';
import { DemoFailure } from './demo-failure';

export interface FollowOptions {
  readonly url: string;
  readonly runId: string;
  readonly signal: AbortSignal;
  /** Receives each event once and in order, up to the final one. */
  readonly onEvent: (event: RunEventFields) => void;
}

/** Far more than a run against a local agent takes. */
const ENDS_WITHIN_MS = 5 * 60_000;

/**
 * Follows a run to its final event. A connection that breaks is opened again where it broke.
 * @throws DemoFailure when the stream is refused or the run does not end
 */
export function followRun({ url, runId, signal, onEvent }: FollowOptions): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const source = new EventSource(`${url}/events?run_id=${encodeURIComponent(runId)}`);
    const settle = (end: () => void): void => {
      source.close();
      clearTimeout(deadline);
      signal.removeEventListener('abort', interrupt);
      end();
    };
    const fail = (sentence: string): void => settle(() => reject(new DemoFailure(sentence)));
    const interrupt = (): void => settle(() => reject(reasonOf(signal)));
    const deadline = setTimeout(
      () => fail(`The run did not end within ${ENDS_WITHIN_MS / 60_000} minutes.`),
      ENDS_WITHIN_MS,
    );
    signal.addEventListener('abort', interrupt);
    source.onmessage = ({ data }: { readonly data: unknown }) => {
      const event = typeof data === 'string' ? readRunEvent(data) : null;
      if (event === null) return;
      onEvent(event);
      if (isFinalEvent(event.type)) settle(resolve);
    };
    source.onerror = ({ code }) => {
      if (source.readyState === EventSource.CLOSED)
        fail(`The event stream was refused${code === undefined ? '' : ` with ${code}`}.`);
    };
  });
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new DemoFailure('The demonstration was interrupted.');
}
