import { monotonicMs } from './clock';
import { EventSubscriber, type StreamedEvent } from './event-subscriber';
import type { RunRequest, ServiceClient } from './service-client';

export interface FinishedRun {
  readonly runId: string;
  /** From sending start-run until its final event was there. */
  readonly wallMs: number;
}

/** A run that takes longer than this hangs. */
const LONGEST_RUN_MS = 180_000;

/**
 * Starts a run and follows it to its final event.
 * @throws Error when a scenario ends in an error: what was measured then was something else
 */
export async function runToEnd(
  client: ServiceClient,
  request: RunRequest,
  onEvent: (event: StreamedEvent, heardAt: number) => void = () => undefined,
): Promise<FinishedRun> {
  const began = monotonicMs();
  const runId = await client.startRun(request);
  return { runId, wallMs: (await untilFinal(client, runId, onEvent)) - began };
}

/** The time at which the final event of a run arrived. */
export async function untilFinal(
  client: ServiceClient,
  runId: string,
  onEvent: (event: StreamedEvent, heardAt: number) => void = () => undefined,
): Promise<number> {
  let failure: string | null = null;
  let finalAt: number | null = null;
  const subscriber = await EventSubscriber.open(`${client.url}/events?run_id=${runId}`, (event, heardAt) => {
    if (event.type === 'scenario_error') failure ??= event.error ?? 'unknown';
    if (FINAL.has(event.type)) finalAt = heardAt;
    onEvent(event, heardAt);
  });
  const hangs = setTimeout(() => subscriber.close(), LONGEST_RUN_MS);
  await subscriber.ended().catch(() => undefined);
  clearTimeout(hangs);
  if (failure !== null) throw new Error(`A scenario of the run ended in an error: ${String(failure)}`);
  if (finalAt === null) throw new Error('The event stream ended without a final event.');
  return finalAt;
}

const FINAL = new Set(['test_run_complete', 'test_run_failed', 'test_run_canceled']);
