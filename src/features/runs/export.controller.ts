import { Readable } from 'node:stream';
import { BadRequestException, Controller, Param, Query, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../platform/access';
import { Settings } from '../../platform/config';
import { FromCaller, LinesOfCallers, Serves } from '../../platform/http';
import { ShownMarks } from '../shown-marks/shown-marks';
import { ComparisonService } from '../statistics/comparison.service';
import { exportFile } from './export/formats';
import { RunsService } from './runs.service';
import { exportTestRun, exportTestRunCsv, type ExportFormat } from '../../../contract/exports';
import type { QueryOf } from '../../../contract/operation';
import { type ComparisonView } from '../../../contract/comparison';

/** A comparison takes some seconds. */
const COMPARED_AT_ONCE = 2;

/** Test runs as files to download. */

@Controller()
export class ExportController {
  private readonly lines = new LinesOfCallers(COMPARED_AT_ONCE);

  constructor(
    private readonly runs: RunsService,
    private readonly shown: ShownMarks,
    private readonly comparisons: ComparisonService,
    private readonly settings: Settings,
  ) {}

  @Serves(exportTestRun)
  async export(
    @Param('id') id: string,
    @Query({ schema: exportTestRun.query }) { format, before, ...query }: QueryOf<typeof exportTestRun>,
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

  @Serves(exportTestRunCsv)
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
    const { contentType, fileName, text } = exportFile(format, run, scenarioRuns, comparison, this.settings.publicUrl);
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
