import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import type { Caller } from '../../platform/access/caller';
import { Endpoint } from '../../platform/http/endpoint';
import { queryNumber } from '../../platform/http/field';
import { FromCaller } from '../../platform/http/role.guard';
import { jsonDocument, sendDocument } from '../../platform/http/json-document';
import { ShownMarks } from '../shown-marks/shown-marks';
import { StatisticsService } from './statistics.service';
import { statisticsView } from './statistics.view';

export const confidence = queryNumber(z.number().min(50).lt(100).default(95)).describe(
  'The confidence level of the intervals, in percent.',
);

const statisticsQuery = z.object({ confidence });

@ApiTags('Test runs')
@Controller('api/v1/tests/:id/statistics')
export class StatisticsController {
  constructor(
    private readonly statistics: StatisticsService,
    private readonly shown: ShownMarks,
  ) {}

  @Get()
  @Endpoint({
    id: 'getRunStatistics',
    role: 'viewer',
    summary: 'Get the statistics of a test run: its rates, and how far they can be trusted',
    description:
      'At any moment of the run, by id or label. A rate comes with its interval and with how much of the run it covers. ' +
      'docs/statistics.md says which number answers which question.',
    answers: {
      200: { description: 'The statistics.', schema: statisticsView },
      400: 'confidence is not at least 50 and below 100.',
      404: 'Test run not found',
    },
  })
  async find(
    @Param('id') id: string,
    @Query({ schema: statisticsQuery }) query: z.output<typeof statisticsQuery>,
    @FromCaller() caller: Caller,
    @Res() response: Response,
  ): Promise<void> {
    const statistics = await this.statistics.find(id, query.confidence);
    // What was missed is named in them.
    if (statistics.graded > 0) await this.shown.ofRuns(caller, [statistics.test_run_id]);
    sendDocument(response, jsonDocument(statistics));
  }
}
