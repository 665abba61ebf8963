import { BadRequestException, Controller, Get, Query, Req, Res, ServiceUnavailableException } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { callerOf } from '../../platform/access/caller';
import { Endpoint } from '../../platform/http/endpoint';
import { givenId } from '../../platform/http/field';
import { RunSummaries } from '../runs/run-summaries';
import { ShownMarks } from '../shown-marks/shown-marks';
import { EventStreams } from './event-streams';
import { LogHeads } from './log-page-reader';
import { StreamSlots } from './stream-slots';

/** Larger than any log; beyond it JavaScript numbers would lose digits. */
const MAX_EVENT_ID = 999_999_999_999_999;
const EVENT_ID = /^\d{1,15}$/;

/** The query of `GET /events`. An empty `last_event_id` is none, as an empty header is to EventSource. */
const eventsQuery = z.object({
  run_id: givenId.describe('UUID or label of the test run.'),
  last_event_id: z
    .preprocess(read, z.int().min(0).max(MAX_EVENT_ID).optional())
    .describe(
      'The last event the client has, for clients that cannot send the Last-Event-ID header, which wins over it.',
    ),
});
type EventsQuery = z.output<typeof eventsQuery>;

/** Written as the service writes ids: digits alone, in the query as in the header. */
function read(given: unknown): unknown {
  if (given === '') return undefined;
  return typeof given === 'string' && EVENT_ID.test(given) ? Number(given) : given;
}

/**
 * The last event the client has; undefined when it has none. EventSource keeps the address it was given and sends the
 * newest id as a header, so the header wins. @throws BadRequestException
 */
function lastEventId(query: EventsQuery, header: string | readonly string[] | undefined): number | undefined {
  if (header === undefined || header === '') return query.last_event_id;
  if (typeof header === 'string' && EVENT_ID.test(header)) return Number(header);
  throw new BadRequestException('Last-Event-ID: expected the id of an event of this run, a whole number');
}

@ApiTags('Events')
@Controller()
export class EventsController {
  constructor(
    private readonly streams: EventStreams,
    private readonly summaries: RunSummaries,
    private readonly heads: LogHeads,
    private readonly slots: StreamSlots,
    private readonly shown: ShownMarks,
  ) {}

  /** Written to the plain response: Nest's `@Sse` keeps several times the memory per subscriber and numbers messages itself. */
  @Get('events')
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'The last event the client has.' })
  @Endpoint({
    id: 'followRun',
    role: 'viewer',
    summary: 'Follow a test run as server-sent events',
    description:
      'Unnamed messages: first `connected` with the current state of the run, without an id, then the events after Last-Event-ID, stored and live, ' +
      'each with its sequence number as id. Ends after the final event. A run that does not exist is waited for, 60 s.',
    answers: {
      200: { description: 'The stream.', produces: 'text/event-stream' },
      204: { description: 'Last-Event-ID is the final event of the run: there is nothing more to come.' },
      400: 'run_id is missing, or the Last-Event-ID is not an event of this run.',
      503: 'The database is out of reach, this process already serves MAX_EVENT_STREAMS streams, or the service is shutting down.',
    },
  })
  async events(
    @Query({ schema: eventsQuery }) query: EventsQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    this.slots.take(response, callerOf(request));
    const lastId = lastEventId(query, request.headers['last-event-id']);
    const run = await this.summaries.find(query.run_id);
    const head = run && (await this.heads.of(run.id));
    const show = ({ id }: { readonly id: string }) => this.shown.ofRuns(callerOf(request), [id]);
    if (run && request.method !== 'HEAD') await show(run);
    if (!this.streams.open) throw new ServiceUnavailableException('The service is shutting down');
    if (request.method === 'HEAD') {
      response.status(200).type('text/event-stream').end();
      return;
    }
    if (!run || !head) {
      this.streams.waitFor(response, query.run_id, show);
      return;
    }
    if (lastId !== undefined && lastId > head.seq) {
      throw new BadRequestException(`Last-Event-ID: this run has no event ${lastId} yet, the newest is ${head.seq}`);
    }
    // Makes EventSource stop: it would reconnect forever.
    if (head.final && lastId === head.seq) response.status(204).end();
    else this.streams.follow(response, run, head.seq, lastId ?? 0);
  }
}
