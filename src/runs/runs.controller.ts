import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { TEST_RUN_STATUSES } from '../../machines/statuses';
import { pageFields } from '../http/page';
import { testRunView } from './run.views';
import { RunsService } from './runs.service';
import {
  cancelRunAnswer,
  cancelRunRequest,
  startRunAnswer,
  startRunRequest,
  type CancelRunAnswer,
  type StartRunAnswer,
  type StartRunRequest,
} from './start-run';

const listQuery = z.object({ ...pageFields, status: z.enum(TEST_RUN_STATUSES).optional() });
const testRunList = z.object({ runs: z.array(testRunView), total: z.int() });

@ApiTags('Test runs')
@Controller()
export class RunsController {
  constructor(private readonly runs: RunsService) {}

  @Post('start-run')
  @HttpCode(200)
  @ApiOperation({ summary: 'Start a test run', operationId: 'startRun' })
  @ApiResponse({ status: 200, schema: startRunAnswer })
  start(@Body({ schema: startRunRequest }) request: StartRunRequest): Promise<StartRunAnswer> {
    return this.runs.start(request);
  }

  @Post('cancel-run')
  @HttpCode(200)
  @ApiOperation({ summary: 'Cancel an in-progress test run', operationId: 'cancelRun' })
  @ApiResponse({ status: 200, schema: cancelRunAnswer })
  cancel(@Body({ schema: cancelRunRequest }) body: z.output<typeof cancelRunRequest>): Promise<CancelRunAnswer> {
    return this.runs.cancel(body.test_run_id ?? body.run_id ?? body.id ?? '');
  }

  @Get('api/v1/tests')
  @ApiOperation({ summary: 'List test runs, newest first', operationId: 'listTestRuns' })
  @ApiResponse({ status: 200, schema: testRunList })
  list(@Query({ schema: listQuery }) query: z.output<typeof listQuery>): Promise<z.infer<typeof testRunList>> {
    return this.runs.list(query);
  }

  @Get('api/v1/tests/:id')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @ApiOperation({ summary: 'Get one test run, by id or label', operationId: 'getTestRun' })
  @ApiResponse({ status: 200, schema: testRunView })
  find(@Param('id') id: string): Promise<string> {
    return this.runs.findJson(id);
  }

  @Delete('api/v1/tests/:id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a test run; a live one is canceled first', operationId: 'deleteTestRun' })
  async delete(@Param('id') id: string): Promise<void> {
    await this.runs.delete(id);
  }
}
