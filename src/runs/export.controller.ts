import { Readable } from 'node:stream';
import { Controller, Get, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import type { Caller } from '../access/caller';
import { Endpoint } from '../http/endpoint';
import { FromCaller } from '../http/from-caller';
import { ShownMarks } from '../shown-marks/shown-marks';
import { begun } from './export/begun';
import { EXPORT_FORMATS, exportFile, type ExportFormat } from './export/formats';
import { RunsService } from './runs.service';

const exportQuery = z.object({
  format: z.enum(EXPORT_FORMATS).describe('csv: one row per scenario run; json: everything; junit: for CI.'),
});

const attached = (...produces: string[]) => ({ 200: { description: 'The run as an attachment.', produces } });

/** Test runs as files to download. */
@ApiTags('Test runs')
@Controller('api/v1/tests/:id')
export class ExportController {
  constructor(
    private readonly runs: RunsService,
    private readonly shown: ShownMarks,
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
      400: 'format is missing or unknown.',
      404: 'Test run not found',
    },
  })
  export(
    @Param('id') id: string,
    @Query({ schema: exportQuery }) { format }: z.output<typeof exportQuery>,
    @FromCaller() caller: Caller,
  ): Promise<StreamableFile> {
    return this.attachment(id, format, caller);
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

  private async attachment(id: string, format: ExportFormat, caller: Caller): Promise<StreamableFile> {
    const run = await this.runs.find(id);
    // Also of a run under way: some of it may be marked by the time that it is sent.
    await this.shown.ofRuns(caller, [run.id]);
    const { contentType, fileName, text } = exportFile(format, run, await begun(this.runs.eachScenarioRun(run.id)));
    const file = new StreamableFile(Readable.from(text), {
      type: contentType,
      disposition: `attachment; filename="${fileName}"`,
    });
    // Part of the file has been sent: only a broken connection shows the client that it is incomplete.
    return file.setErrorHandler((_error, response) => response.destroy?.());
  }
}
