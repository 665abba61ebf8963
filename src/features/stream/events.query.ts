import { BadRequestException } from '@nestjs/common';
import { z } from 'zod';
import { givenId } from '../../platform/http/field';

/** Larger than any log; beyond it JavaScript numbers would lose digits. */
const MAX_EVENT_ID = 999_999_999_999_999;
const EVENT_ID = /^\d{1,15}$/;

/** The query of `GET /events`. An empty `last_event_id` is none, as an empty header is to EventSource. */
export const eventsQuery = z.object({
  run_id: givenId.describe('UUID or label of the test run.'),
  last_event_id: z
    .preprocess(read, z.int().min(0).max(MAX_EVENT_ID).optional())
    .describe(
      'The last event the client has, for clients that cannot send the Last-Event-ID header, which wins over it.',
    ),
});
export type EventsQuery = z.output<typeof eventsQuery>;

/** Written as the service writes ids: digits alone, in the query as in the header. */
function read(given: unknown): unknown {
  if (given === '') return undefined;
  return typeof given === 'string' && EVENT_ID.test(given) ? Number(given) : given;
}

/**
 * The last event the client has; undefined when it has none. EventSource keeps the address it was given and sends the
 * newest id as a header, so the header wins. @throws BadRequestException
 */
export function lastEventId(query: EventsQuery, header: string | readonly string[] | undefined): number | undefined {
  if (header === undefined || header === '') return query.last_event_id;
  if (typeof header === 'string' && EVENT_ID.test(header)) return Number(header);
  throw new BadRequestException('Last-Event-ID: expected the id of an event of this run, a whole number');
}
