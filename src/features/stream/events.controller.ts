import { BadRequestException, Controller, Query, Req, Res, ServiceUnavailableException } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { callerOf } from '../../platform/access';
import { RunSummaries } from '../runs/run-summaries';
import { ShownMarks } from '../shown-marks/shown-marks';
import { EventStreams } from './event-streams';
import { LogHeads } from './log-page-reader';
import { StreamSlots } from './stream-slots';
import { EVENT_ID, type EventsQuery, followRun } from '../../../contract/events';
import { Serves } from '../../platform/http';

/**
 * The last event the client has; undefined when it has none. EventSource keeps the address it was given and sends the
 * newest id as a header, so the header wins. @throws BadRequestException
 */
function lastEventId(query: EventsQuery, header: string | undefined): number | undefined {
  if (header === undefined || header === '') return query.last_event_id;
  if (EVENT_ID.test(header)) return Number(header);
  throw new BadRequestException('Last-Event-ID: expected the id of an event of this run, a whole number');
}

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

  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'The last event the client has.' })
  @Serves(followRun)
  async events(
    @Query({ schema: followRun.query }) query: EventsQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    this.slots.take(response, callerOf(request));
    const lastId = lastEventId(query, request.header('last-event-id'));
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
