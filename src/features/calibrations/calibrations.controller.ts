import { Body, Controller, Delete, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import { Endpoint } from '../../platform/http/endpoint';
import { pageFields, pageHeaders, setPageHeaders, type Page } from '../../platform/http/page';
import { OncePerKey, TakesIdempotencyKey } from '../../platform/idempotency/once-per-key';
import { createCalibrationRequest, type CreateCalibrationRequest } from './calibration.requests';
import { calibrationList, calibrationView, type CalibrationList, type CalibrationView } from './calibration.views';
import { CalibrationsService, NOT_FOUND } from './calibrations.service';

const listQuery = z.object(pageFields);

@ApiTags('Calibrations')
@Controller('api/v1/calibrations')
export class CalibrationsController {
  constructor(
    private readonly calibrations: CalibrationsService,
    private readonly once: OncePerKey,
  ) {}

  @Get()
  @Endpoint({
    id: 'listCalibrations',
    role: 'viewer',
    summary: 'List calibrations, newest first',
    answers: { 200: { description: 'A page of them.', schema: calibrationList, headers: pageHeaders } },
  })
  async list(
    @Query({ schema: listQuery }) page: Page,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CalibrationList> {
    const list = await this.calibrations.list(page);
    setPageHeaders(response, page, list.calibrations.length, list.total);
    return list;
  }

  @Post()
  @TakesIdempotencyKey()
  @Endpoint({
    id: 'createCalibration',
    role: 'admin',
    summary: 'Calibrate the judge: have it mark transcripts that people have labelled',
    description:
      'The transcripts are marked in the background, as those of runs are; GET the calibration to see its progress and results. ' +
      'docs/calibration.md says how to read the numbers.',
    answers: {
      201: { description: 'The calibration; nothing is marked yet.', schema: calibrationView },
      400: 'A field is missing or wrong, or judge_model may not be used.',
    },
  })
  create(
    @Body({ schema: createCalibrationRequest }) request: CreateCalibrationRequest,
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

  @Get(':id')
  @Endpoint({
    id: 'getCalibration',
    role: 'viewer',
    summary: 'Get a calibration: its progress, and how well the judge agrees with the labels',
    answers: { 200: { description: 'The calibration.', schema: calibrationView }, 404: NOT_FOUND },
  })
  find(@Param('id') id: string): Promise<CalibrationView> {
    return this.calibrations.find(id);
  }

  @Post(':id/cancel')
  @Endpoint({
    id: 'cancelCalibration',
    role: 'runner',
    recorded: 'beside',
    summary: 'Cancel a calibration',
    description: 'Marks given so far are kept; nothing more is marked. A calibration that has ended stays as it is.',
    answers: { 200: { description: 'The calibration as it is now.', schema: calibrationView }, 404: NOT_FOUND },
  })
  cancel(@Param('id') id: string): Promise<CalibrationView> {
    return this.calibrations.cancel(id);
  }

  @Delete(':id')
  @Endpoint({
    id: 'deleteCalibration',
    role: 'admin',
    summary: 'Delete a calibration, with its transcripts and marks',
    description: 'A running calibration is canceled first.',
    answers: { 204: { description: 'Deleted.' }, 404: NOT_FOUND },
  })
  delete(@Param('id') id: string): Promise<void> {
    return this.calibrations.delete(id);
  }
}
