import { Body, Controller, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ifMatchOf, sendTagged, Serves, setPageHeaders } from '../../platform/http';
import { OncePerKey } from '../../platform/idempotency';
import { SchedulesService } from './schedules.service';
import type { QueryOf } from '../../../contract/operation';
import type { Page } from '../../../contract/page';
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  listScheduleStarts,
  previewSchedule,
  runSchedule,
  updateSchedule,
  type CreateScheduleRequest,
  type ScheduleDetail,
  type ScheduleList,
  type SchedulePreview,
  type StartList,
  type UpdateScheduleRequest,
} from '../../../contract/schedules';
import type { StartRunAnswer } from '../../../contract/start-run';

@Controller()
export class SchedulesController {
  constructor(
    private readonly schedules: SchedulesService,
    private readonly once: OncePerKey,
  ) {}

  @Serves(listSchedules)
  async list(
    @Query({ schema: listSchedules.query }) page: Page,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ScheduleList> {
    const list = await this.schedules.list(page);
    setPageHeaders(response, page, list.schedules.length, list.total);
    return list;
  }

  @Serves(createSchedule)
  create(
    @Body({ schema: createSchedule.body }) request: CreateScheduleRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ScheduleDetail> {
    return this.once.answer(
      response,
      'createSchedule',
      request,
      (remember) => this.schedules.create(request, remember),
      ({ id }) => [id],
    );
  }

  @Serves(getSchedule)
  async find(@Param('id') id: string, @Res({ passthrough: true }) response: Response): Promise<ScheduleDetail> {
    return sendTagged(response, await this.schedules.find(id));
  }

  @Serves(updateSchedule)
  async update(
    @Param('id') id: string,
    @Body({ schema: updateSchedule.body }) request: UpdateScheduleRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ScheduleDetail> {
    return sendTagged(response, await this.schedules.update(id, request, ifMatchOf(response)));
  }

  @Serves(deleteSchedule)
  delete(@Param('id') id: string): Promise<void> {
    return this.schedules.delete(id);
  }

  @Serves(runSchedule)
  run(@Param('id') id: string, @Res({ passthrough: true }) response: Response): Promise<StartRunAnswer> {
    return this.once.answer(
      response,
      'runSchedule',
      { id },
      async (remember) => ({ view: await this.schedules.run(id, (tx, view) => remember(tx, { view })) }),
      (answer) => [answer.id],
    );
  }

  @Serves(listScheduleStarts)
  listStarts(@Param('id') id: string, @Query({ schema: listScheduleStarts.query }) page: Page): Promise<StartList> {
    return this.schedules.listStarts(id, page);
  }

  @Serves(previewSchedule)
  preview(@Query({ schema: previewSchedule.query }) query: QueryOf<typeof previewSchedule>): Promise<SchedulePreview> {
    return this.schedules.preview(query.cron, query.time_zone);
  }
}
