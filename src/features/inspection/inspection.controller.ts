import { Controller, Get, Param, Query, Req, Res, ServiceUnavailableException } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { callerOf, type Caller } from '../../platform/access/caller';
import { Endpoint } from '../../platform/http/endpoint';
import { givenId } from '../../platform/http/field';
import { FromCaller } from '../../platform/http/role.guard';
import { pageFields } from '../../platform/http/page';
import { ShownMarks } from '../shown-marks/shown-marks';
import { ENDED } from './actor-stream';
import { StreamSlots } from '../stream/stream-slots';
import { ActorStreams } from './actor-streams';
import { InspectionService } from './inspection.service';
import {
  actorDetail,
  actorList,
  machineList,
  type ActorDetail,
  type ActorList,
  type MachineList,
} from './inspection.views';

const NOT_FOUND = 'There is no scenario run or test run with this id';

const listQuery = z.object({
  ...pageFields,
  run_id: givenId
    .optional()
    .describe('UUID or label of a test run: only its own actor and those of its scenario runs.'),
});

@ApiTags('Inspection')
@Controller('api/v1/inspect')
export class InspectionController {
  constructor(
    private readonly inspection: InspectionService,
    private readonly streams: ActorStreams,
    private readonly slots: StreamSlots,
    private readonly shown: ShownMarks,
  ) {}

  @Get('machines')
  @Endpoint({
    id: 'listMachines',
    role: 'viewer',
    summary: 'Get the statecharts',
    description: 'Their states and transitions as data, and drawn.',
    answers: { 200: { description: 'The two charts.', schema: machineList } },
  })
  machines(): MachineList {
    return this.inspection.machines();
  }

  @Get('actors')
  @Endpoint({
    id: 'listActors',
    role: 'viewer',
    summary: 'List the live actors of all processes',
    description: 'Newest runs first, each followed by its scenario runs.',
    answers: {
      200: { description: 'A page of actors, and which processes answered for them.', schema: actorList },
      404: 'Test run not found',
    },
  })
  list(@Query({ schema: listQuery }) { run_id, ...page }: z.output<typeof listQuery>): Promise<ActorList> {
    return this.inspection.list(run_id, page);
  }

  @Get('actors/:id')
  @Endpoint({
    id: 'getActor',
    role: 'viewer',
    summary: 'Get an actor with its transitions',
    description:
      'By the UUID of a scenario run, or the UUID or label of a test run. Of an actor that has ended, the path through its ' +
      'chart is derived from the event log. Never holds what was said, nor credentials.',
    answers: { 200: { description: 'The actor.', schema: actorDetail }, 404: NOT_FOUND },
  })
  async find(@Param('id') id: string, @FromCaller() caller: Caller): Promise<ActorDetail> {
    const { detail } = await this.inspection.find(id);
    const isOfConversation = detail.kind === 'scenario_run';
    if (!isOfConversation) await this.shown.ofRuns(caller, [detail.test_run_id]);
    else if (detail.status === 'passed' || detail.status === 'failed')
      await this.shown.ofConversations(caller, [detail]);
    return detail;
  }

  @Get('actors/:id/events')
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: `\`${ENDED}\` when the stream had ended.` })
  @Endpoint({
    id: 'followActor',
    role: 'viewer',
    summary: 'Follow an actor through its chart as server-sent events',
    description:
      'Unnamed messages: `actor` with the current state, `transition` for each one from then on, `actor` again when another ' +
      'attempt begins or something was missed, and `ended` after the final state. The actor is watched while someone follows it.',
    answers: {
      200: { description: 'The stream.', produces: 'text/event-stream' },
      204: { description: 'The stream had ended.' },
      404: NOT_FOUND,
      503: 'The database is out of reach, this process already serves MAX_EVENT_STREAMS streams, or the service is shutting down.',
    },
  })
  async follow(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    this.slots.take(response, callerOf(request));
    const { row } = await this.inspection.find(id);
    const caller = callerOf(request);
    await (row.kind === 'test_run'
      ? this.shown.ofRuns(caller, [row.test_run_id])
      : this.shown.ofConversations(caller, [row]));
    if (!this.streams.open) throw new ServiceUnavailableException('The service is shutting down');
    if (request.headers['last-event-id'] === ENDED) response.status(204).end();
    else if (request.method === 'HEAD') response.status(200).type('text/event-stream').end();
    else await this.streams.follow(response, id, row.id);
  }
}
