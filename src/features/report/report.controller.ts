import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import { callerOf } from '../../platform/access/caller';
import { ownTurn } from '../../platform/concurrency/own-turn';
import { Endpoint } from '../../platform/http/endpoint';
import { jsonDocument, sendDocument } from '../../platform/http/json-document';
import { LinesOfCallers } from '../../platform/http/lines-of-callers';
import { ShownMarks } from '../shown-marks/shown-marks';
import { reportPage } from './report-page';
import { ReportService } from './report.service';

const reportQuery = z.object({
  format: z
    .enum(['html', 'json'])
    .default('html')
    .describe('html: one file that prints on A4. json: `{ sha256, report }`, what the hash in it is of.'),
});

/** The page loads nothing and runs nothing, wherever it is opened. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/** It compares with the baseline, which takes some seconds for runs of 20,000 conversations. */
const AT_ONCE = 2;

@ApiTags('Test runs')
@Controller('api/v1/tests/:id/report')
export class ReportController {
  private readonly lines = new LinesOfCallers(AT_ONCE);

  constructor(
    private readonly reports: ReportService,
    private readonly shown: ShownMarks,
  ) {}

  @Get()
  @Endpoint({
    id: 'getRunReport',
    role: 'viewer',
    summary: 'Get the report of a test run: one page for those who decide, or its JSON with a hash',
    description:
      'Supporting evidence, never a safety case. The first page says in words what to know before the numbers. docs/report.md says how ' +
      'the hash is checked.',
    answers: {
      200: { description: 'The report.', produces: ['text/html', 'application/json'] },
      400: 'format is unknown.',
      404: 'Test run not found',
      409: 'The run is under way.',
    },
  })
  async get(
    @Param('id') id: string,
    @Query({ schema: reportQuery }) { format }: z.output<typeof reportQuery>,
    @Res() response: Response,
  ): Promise<void> {
    const signed = await this.lines.inLine(response, () => this.reports.of(id));
    const { examined, baseline } = signed.report;
    await this.shown.ofRuns(callerOf(response.req), [
      examined.run.id,
      ...(baseline.comparison ? [baseline.comparison.before.id] : []),
    ]);
    // A report of a thousand scenarios is a megabyte to write: in a turn of the event loop of its own.
    await ownTurn(Number.POSITIVE_INFINITY);
    if (format === 'json') return sendDocument(response, jsonDocument(signed));
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.send(reportPage(signed));
  }
}
