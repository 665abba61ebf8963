import { z } from 'zod';
import { givenId } from './field';
import { operation } from './operation';

/** Larger than any log; beyond it JavaScript numbers would lose digits. */
const MAX_EVENT_ID = 999_999_999_999_999;

export const EVENT_ID = /^\d{1,15}$/;

/** Written as the service writes ids: digits alone, in the query as in the header. */
function read(given: unknown): unknown {
  if (given === '') return undefined;
  return typeof given === 'string' && EVENT_ID.test(given) ? Number(given) : given;
}

/** The query of `GET /events`. An empty `last_event_id` is none, as an empty header is to EventSource. */
const eventsQuery = z.object({
  run_id: givenId.describe('UUID or label of the test run.'),
  last_event_id: z
    .preprocess(read, z.int().min(0).max(MAX_EVENT_ID).optional())
    .describe(
      'The last event the client has, for clients that cannot send the Last-Event-ID header, which wins over it.',
    ),
});

export type EventsQuery = z.output<typeof eventsQuery>;

export const followRun = operation({
  id: 'followRun',
  method: 'GET',
  path: '/events',
  tag: 'Events',
  role: 'viewer',
  summary: 'Follow a test run as server-sent events',
  description:
    'Unnamed messages: first `connected` with the current state of the run, without an id, then the events after Last-Event-ID, stored and live, ' +
    'each with its sequence number as id. Ends after the final event. A run that does not exist is waited for, 60 s.',
  query: eventsQuery,
  answers: {
    200: { description: 'The stream.', produces: 'text/event-stream' },
    204: { description: 'Last-Event-ID is the final event of the run: there is nothing more to come.' },
    400: 'run_id is missing, or the Last-Event-ID is not an event of this run.',
    503: 'The database is out of reach, this process already serves MAX_EVENT_STREAMS streams, or the service is shutting down.',
  },
});
