import { Controller, Param, Query, Req, Res, ServiceUnavailableException } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { callerOf, type Caller } from '../../platform/access';
import { FromCaller, Serves } from '../../platform/http';
import { ShownMarks } from '../shown-marks/shown-marks';
import { ENDED } from './actor-stream';
import { StreamSlots } from '../stream/stream-slots';
import { ActorStreams } from './actor-streams';
import { InspectionService } from './inspection.service';
import {
  listMachines,
  listActors,
  getActor,
  followActor,
  type ActorDetail,
  type ActorList,
  type MachineList,
} from '../../../contract/inspection';
import type { QueryOf } from '../../../contract/operation';

@Controller()
export class InspectionController {
  constructor(
    private readonly inspection: InspectionService,
    private readonly streams: ActorStreams,
    private readonly slots: StreamSlots,
    private readonly shown: ShownMarks,
  ) {}

  @Serves(listMachines)
  machines(): MachineList {
    return this.inspection.machines();
  }

  @Serves(listActors)
  list(@Query({ schema: listActors.query }) { run_id, ...page }: QueryOf<typeof listActors>): Promise<ActorList> {
    return this.inspection.list(run_id, page);
  }

  @Serves(getActor)
  async find(@Param('id') id: string, @FromCaller() caller: Caller): Promise<ActorDetail> {
    const { detail } = await this.inspection.find(id);
    const isOfConversation = detail.kind === 'scenario_run';
    if (!isOfConversation) await this.shown.ofRuns(caller, [detail.test_run_id]);
    else if (detail.status === 'passed' || detail.status === 'failed')
      await this.shown.ofConversations(caller, [detail]);
    return detail;
  }

  @ApiHeader({ name: 'Last-Event-ID', required: false, description: `\`${ENDED}\` when the stream had ended.` })
  @Serves(followActor)
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
