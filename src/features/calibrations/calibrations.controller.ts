import { Body, Controller, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { setPageHeaders, Serves } from '../../platform/http';
import { OncePerKey } from '../../platform/idempotency';
import { CalibrationsService } from './calibrations.service';
import {
  listCalibrations,
  createCalibration,
  getCalibration,
  cancelCalibration,
  deleteCalibration,
  type CreateCalibrationRequest,
  type CalibrationList,
  type CalibrationView,
} from '../../../contract/calibrations';
import { type Page } from '../../../contract/page';

@Controller()
export class CalibrationsController {
  constructor(
    private readonly calibrations: CalibrationsService,
    private readonly once: OncePerKey,
  ) {}

  @Serves(listCalibrations)
  async list(
    @Query({ schema: listCalibrations.query }) page: Page,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CalibrationList> {
    const list = await this.calibrations.list(page);
    setPageHeaders(response, page, list.calibrations.length, list.total);
    return list;
  }

  @Serves(createCalibration)
  create(
    @Body({ schema: createCalibration.body }) request: CreateCalibrationRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CalibrationView> {
    return this.once.answer(
      response,
      'createCalibration',
      request,
      async (remember) => ({
        view: await this.calibrations.create(request, (tx, view) => remember(tx, { view })),
      }),
      ({ id }) => [id],
    );
  }

  @Serves(getCalibration)
  find(@Param('id') id: string): Promise<CalibrationView> {
    return this.calibrations.find(id);
  }

  @Serves(cancelCalibration)
  cancel(@Param('id') id: string): Promise<CalibrationView> {
    return this.calibrations.cancel(id);
  }

  @Serves(deleteCalibration)
  delete(@Param('id') id: string): Promise<void> {
    return this.calibrations.delete(id);
  }
}
