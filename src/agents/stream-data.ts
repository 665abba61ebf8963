import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ProviderError } from './errors';
import { isEventStream } from './last-event';
import type { HttpResponse } from './outbound/agent-http-call';

/** One JSON value a line. */
const LINES = /^\s*application\/(x-ndjson|ndjson|jsonl|x-jsonlines|jsonlines|stream\+json)\b/i;

/** More than any reply has pieces. */
const MAX_EVENTS = 20_000;

type Piece = Pick<EventSourceMessage, 'data' | 'event'>;

/** Whether an answer comes in pieces: as events, or as JSON lines. */
export function isStream({ headers }: HttpResponse): boolean {
  return isEventStream(headers) || LINES.test(headers['content-type'] ?? '');
}

/** The data of a stream that has arrived whole, in order. @throws ProviderError when there are too many pieces */
export function dataIn({ headers, text }: HttpResponse): readonly Piece[] {
  const pieces = isEventStream(headers) ? eventsIn(text) : linesIn(text);
  if (pieces.length <= MAX_EVENTS) return pieces;
  throw new ProviderError(
    'provider_error',
    `The agent's stream holds more than ${MAX_EVENTS} pieces, the most the harness reads of one answer.`,
  );
}

function eventsIn(text: string): readonly Piece[] {
  const events: Piece[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  parser.feed(text);
  // A last event whose empty line is missing.
  parser.feed('\n\n');
  return events;
}

function linesIn(text: string): readonly Piece[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((data) => ({ data, event: undefined }));
}
