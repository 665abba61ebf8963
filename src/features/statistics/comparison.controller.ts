import { Controller, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { callerOf } from '../../platform/access';
import { jsonDocument, sendDocument, LinesOfCallers, Serves } from '../../platform/http';
import { ShownMarks } from '../shown-marks/shown-marks';
import { ComparisonService } from './comparison.service';
import { compareTestRuns } from '../../../contract/comparison';
import type { QueryOf } from '../../../contract/operation';

/** Two runs of 20,000 conversations take about a second, and tens of megabytes. */
const AT_ONCE = 2;

@Controller()
export class ComparisonController {
  private readonly lines = new LinesOfCallers(AT_ONCE);

  constructor(
    private readonly comparisons: ComparisonService,
    private readonly shown: ShownMarks,
  ) {}

  @Serves(compareTestRuns)
  async compare(
    @Param('id') after: string,
    @Query({ schema: compareTestRuns.query }) query: QueryOf<typeof compareTestRuns>,
    @Res() response: Response,
  ): Promise<void> {
    const asked = {
      before: query.before,
      after,
      confidencePercent: query.confidence,
      minCoverage: query.min_coverage,
      asTwins: query.as === 'twins',
    };
    const comparison = await this.lines.inLine(response, () => this.comparisons.compare(asked));
    await this.shown.ofRuns(callerOf(response.req), [comparison.before.id, comparison.after.id]);
    sendDocument(response, jsonDocument(comparison));
  }
}
