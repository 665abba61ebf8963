import { Readable } from 'node:stream';
import { BadRequestException, Controller, Get, Param, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import type { Caller } from '../../platform/access/caller';
import { Endpoint } from '../../platform/http/endpoint';
import { givenId } from '../../platform/http/field';
import { FromCaller } from '../../platform/http/role.guard';
import { LinesOfCallers } from '../../platform/http/lines-of-callers';
import { ShownMarks } from '../shown-marks/shown-marks';
import { minCoverage } from '../statistics/comparison.controller';
import { ComparisonService } from '../statistics/comparison.service';
import type { ComparisonView } from '../statistics/comparison.view';
import { confidence } from '../statistics/statistics.controller';
import { EXPORT_FORMATS, exportFile, type ExportFormat } from './export/formats';
import { RunsService } from './runs.service';

const exportQuery = z.object({
  format: z.enum(EXPORT_FORMATS).describe('csv: one row per scenario run; json: everything; junit: for CI.'),
  before: givenId
    .optional()
    .describe(
      'UUID or label of a run to compare with: junit then has a second test suite, which says whether this run is worse.',
    ),
  confidence,
  min_coverage: minCoverage,
});

/** A comparison takes some seconds. */
const COMPARED_AT_ONCE = 2;

const attached = (...produces: string[]) => ({ 200: { description: 'The run as an attachment.', produces } });

/** Test runs as files to download. */
@ApiTags('Test runs')
@Controller('api/v1/tests/:id')
export class ExportController {
  private readonly lines = new LinesOfCallers(COMPARED_AT_ONCE);

  constructor(
    private readonly runs: RunsService,
    private readonly shown: ShownMarks,
    private readonly comparisons: ComparisonService,
  ) {}

  @Get('export')
  @Endpoint({
    id: 'exportTestRun',
    role: 'viewer',
    summary: 'Download a test run with its scenario runs',
    description:
      'csv has one row per scenario run, with the flags that call for a second look (separated by spaces) and the number of disputed criteria. ' +
      'junit has both as properties of the test case, where there are any. json has everything.',
    answers: {
      ...attached('text/csv', 'application/json', 'application/xml'),
      400: 'format is missing or unknown, or before is given for another format than junit or is the run itself.',
      404: 'Test run not found',
      409: 'before is given, and either run is under way.',
    },
  })
  async export(
    @Param('id') id: string,
    @Query({ schema: exportQuery }) { format, before, ...query }: z.output<typeof exportQuery>,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    if (before === undefined) return this.attachment(id, format, caller);
    if (format !== 'junit') {
      await this.runs.find(id);
      throw new BadRequestException('before: only format=junit holds a comparison; leave it out.');
    }
    const asked = { before, after: id, confidencePercent: query.confidence, minCoverage: query.min_coverage };
    const comparison = await this.lines.inLine(response, () => this.comparisons.compare(asked));
    return this.attachment(id, format, caller, comparison);
  }

  @Get('export-csv')
  @Endpoint({
    id: 'exportTestRunCsv',
    role: 'viewer',
    summary: 'Download a test run as CSV',
    description: 'The same as export?format=csv.',
    answers: { ...attached('text/csv'), 404: 'Test run not found' },
  })
  exportCsv(@Param('id') id: string, @FromCaller() caller: Caller): Promise<StreamableFile> {
    return this.attachment(id, 'csv', caller);
  }

  private async attachment(
    id: string,
    format: ExportFormat,
    caller: Caller,
    comparison: ComparisonView | null = null,
  ): Promise<StreamableFile> {
    const run = await this.runs.find(id);
    // Also of a run under way: some of it may be marked by the time that it is sent.
    await this.shown.ofRuns(caller, [run.id]);
    const scenarioRuns = await begun(this.runs.eachScenarioRun(run.id));
    const { contentType, fileName, text } = exportFile(format, run, scenarioRuns, comparison);
    const file = new StreamableFile(Readable.from(text), {
      type: contentType,
      disposition: `attachment; filename="${fileName}"`,
    });
    // Part of the file has been sent: only a broken connection shows the client that it is incomplete.
    return file.setErrorHandler((_error, response) => response.destroy?.());
  }
}

/** The same items, with the first already read: an error in reading it is thrown before an answer begins. */
export async function begun<Item>(items: AsyncIterable<Item>): Promise<AsyncIterable<Item>> {
  const rest = items[Symbol.asyncIterator]();
  const first = await rest.next();
  return (async function* () {
    if (first.done === true) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => rest };
  })();
}
