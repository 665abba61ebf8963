import { Controller, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../platform/access';
import { FromCaller, jsonDocument, sendDocument, Serves } from '../../platform/http';
import { ShownMarks } from '../shown-marks/shown-marks';
import { StatisticsService } from './statistics.service';
import { getRunStatistics } from '../../../contract/statistics';
import type { QueryOf } from '../../../contract/operation';

@Controller()
export class StatisticsController {
  constructor(
    private readonly statistics: StatisticsService,
    private readonly shown: ShownMarks,
  ) {}

  @Serves(getRunStatistics)
  async find(
    @Param('id') id: string,
    @Query({ schema: getRunStatistics.query }) query: QueryOf<typeof getRunStatistics>,
    @FromCaller() caller: Caller,
    @Res() response: Response,
  ): Promise<void> {
    const statistics = await this.statistics.find(id, query.confidence);
    // What was missed is named in them.
    if (statistics.graded > 0) await this.shown.ofRuns(caller, [statistics.test_run_id]);
    sendDocument(response, jsonDocument(statistics));
  }
}
