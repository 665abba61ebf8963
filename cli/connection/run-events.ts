import { createParser } from 'eventsource-parser';
import { isFinalEvent, readRunEvent, type RunEventFields } from '../../src/domain';
import { RefusedFailure, SilentFailure, UnreachableFailure } from '../failure';
import { bytesOf } from './body-bytes';
import { pause } from './deadline';
import type { HttpClient } from './http-client';

/** More than three comment intervals of the service. */
const SILENT_MS = 50_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
/** The most characters buffered of a broken or hostile stream while looking for the end of a message. */
const LONGEST_MESSAGE = 64 * 1024 * 1024;

export interface FollowOptions {
  readonly runId: string;
  readonly signal: AbortSignal;
  /** How long the service may be out of reach before the command gives up. */
  readonly patienceMs: number;
  /** Receives each event once and in order, across all connections. */
  readonly onEvent: (event: RunEventFields) => void;
  /** Called when the connection is lost (with the reason) and when it is back (with null). */
  readonly onConnection: (lost: string | null) => void;
  /** Whether the run is final, according to the service. */
  readonly isOver: () => Promise<boolean>;
  /** A connection without a byte for this long is dead. The service writes a comment every 15 s. */
  readonly silentMs?: number;
}

/**
 * Follows a run over /events to its end. A connection that breaks, or falls silent, is re-established and continues after the
 * last event that arrived. Not the `eventsource` package: that gives up for good when a restarting service answers 503,
 * and does not notice a connection that died silently.
 * @throws UnreachableFailure when the service stays away for longer than the patience, RefusedFailure, the signal's reason
 */
export async function followRun(http: HttpClient, options: FollowOptions): Promise<void> {
  const { signal, patienceMs, onConnection } = options;
  let lastId: string | null = null;
  let lostSince: number | null = null;
  for (let failures = 0; ; failures += 1) {
    try {
      const end = await followOnce(http, options, lastId, (id) => {
        if (id !== undefined) {
          lastId = id;
          failures = 0;
        }
        if (lostSince !== null) onConnection(null);
        lostSince = null;
      });
      if (end === 'final') return;
      // The service ended the stream as it does when it stops, or when the run is deleted.
      if (await options.isOver()) return;
    } catch (error) {
      signal.throwIfAborted();
      if (!isPassing(error)) throw error;
      // A proxy may hold back the events, and the comments between them, until the end.
      if (error instanceof SilentFailure && (await options.isOver())) return;
      if (lostSince === null) onConnection(error instanceof Error ? error.message : null);
      lostSince ??= Date.now();
      if (Date.now() - lostSince > patienceMs) throw gaveUp(error, patienceMs);
    }
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures, 10));
    await pause(wait * (0.75 + Math.random() / 2), signal);
  }
}

/** Whether the service may come back on its own. */
function isPassing(error: unknown): boolean {
  if (error instanceof UnreachableFailure) return true;
  return error instanceof RefusedFailure && (error.status >= 500 || error.status === 429);
}

function gaveUp(error: unknown, patienceMs: number): UnreachableFailure {
  const reason = error instanceof Error ? error.message : 'out of reach';
  return new UnreachableFailure(
    `Gave up after ${Math.round(patienceMs / 1_000)} s without the service. ${reason}`,
    false,
    {
      cause: error,
    },
  );
}

type End = 'final' | 'closed';

function followOnce(
  http: HttpClient,
  { runId, signal, onEvent, silentMs = SILENT_MS }: FollowOptions,
  lastId: string | null,
  heard: (id: string | undefined) => void,
): Promise<End> {
  const call = {
    method: 'GET',
    path: `/events?${new URLSearchParams({ run_id: runId }).toString()}`,
    headers: { accept: 'text/event-stream', ...(lastId !== null && { 'last-event-id': lastId }) },
    silentMs,
    signal,
    // Retries are handled here.
    isRepeatable: false,
  } as const;
  return http.call(call, async (response, extend) => {
    // Last-Event-ID was the final event.
    if (response.status === 204) return 'final';
    let isFinal = false;
    const parser = createParser({
      maxBufferSize: LONGEST_MESSAGE,
      onEvent: ({ id, data }) => {
        heard(id);
        const event = readRunEvent(data);
        if (event === null || isFinal) return;
        isFinal = isFinalEvent(event.type);
        onEvent(event);
      },
    });
    const decoder = new TextDecoder();
    for await (const chunk of bytesOf(response)) {
      extend();
      parser.feed(decoder.decode(chunk, { stream: true }));
      if (isFinal) return 'final';
    }
    return 'closed';
  });
}
