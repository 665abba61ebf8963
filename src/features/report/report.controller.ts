import { Controller, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { callerOf } from '../../platform/access';
import { othersTurn } from '../../platform/concurrency';
import { jsonDocument, sendDocument, LinesOfCallers, Serves } from '../../platform/http';
import { ShownMarks } from '../shown-marks/shown-marks';
import { reportPage } from './report-page';
import { ReportService } from './report.service';
import { getRunReport } from '../../../contract/report';
import type { QueryOf } from '../../../contract/operation';

/** The page loads nothing and runs nothing, wherever it is opened. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/** It compares with the baseline, which takes about a second for runs of 20,000 conversations. */
const AT_ONCE = 2;

@Controller()
export class ReportController {
  private readonly lines = new LinesOfCallers(AT_ONCE);

  constructor(
    private readonly reports: ReportService,
    private readonly shown: ShownMarks,
  ) {}

  @Serves(getRunReport)
  async get(
    @Param('id') id: string,
    @Query({ schema: getRunReport.query }) { format }: QueryOf<typeof getRunReport>,
    @Res() response: Response,
  ): Promise<void> {
    const signed = await this.lines.inLine(response, () => this.reports.of(id));
    const { examined, baseline } = signed.report;
    await this.shown.ofRuns(callerOf(response.req), [
      examined.run.id,
      ...(baseline.comparison ? [baseline.comparison.before.id] : []),
    ]);
    // A report of a thousand scenarios is a megabyte to write: in a turn of the event loop of its own.
    await othersTurn();
    if (format === 'json') return sendDocument(response, jsonDocument(signed));
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.send(reportPage(signed));
  }
}
