import { Body, Controller, Delete, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import { TEST_RUN_STATUSES } from '../../domain/statuses';
import { Endpoint } from '../../platform/http/endpoint';
import { sendDocument } from '../../platform/http/json-document';
import { OncePerKey, TakesIdempotencyKey } from '../../platform/idempotency/once-per-key';
import { givenId } from '../../platform/http/field';
import { pageFields } from '../../platform/http/page';
import { testRunListItem, testRunView } from './run.views';
import { RunsService } from './runs.service';
import {
  cancelRunAnswer,
  cancelRunRequest,
  startRunAnswer,
  startRunRequest,
  type CancelRunAnswer,
  type CancelRunRequest,
  type StartRunAnswer,
  type StartRunRequest,
} from './start-run';

const listQuery = z.object({
  ...pageFields,
  status: z.enum(TEST_RUN_STATUSES).optional(),
  derived_from: givenId
    .optional()
    .describe('Only the runs that began from this one: its UUID, also when it is deleted, or its label.'),
});
const testRunList = z.object({ runs: z.array(testRunListItem), total: z.int().min(0) });

const NOT_FOUND = 'Test run not found';

@ApiTags('Test runs')
@Controller()
export class RunsController {
  constructor(
    private readonly runs: RunsService,
    private readonly once: OncePerKey,
  ) {}

  @Post('start-run')
  @TakesIdempotencyKey()
  @Endpoint({
    id: 'startRun',
    role: 'runner',
    summary: 'Start a test run',
    description:
      'Scenarios are chosen by scenario_ids, else test_suite_id, else tags, else all that are active and approved; ' +
      'max_scenarios caps the last three. Each is examined `trials` times, trial by trial; total_scenarios and ' +
      'scenarios_launched count scenario runs. Answered once the run and its scenario runs are stored.',
    answers: {
      200: { description: 'The run is stored and in progress.', schema: startRunAnswer },
      400: 'A field is missing or wrong, the agent is not found or inactive, its provider is not supported, no active scenarios are available, or scenarios × trials are more than 20,000.',
      404: 'Test suite not found',
      409: 'With scheduled_at: MAX_SCHEDULED_RUNS runs are scheduled already. Or a chosen scenario was purged in this very moment.',
    },
  })
  start(
    @Body({ schema: startRunRequest }) request: StartRunRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StartRunAnswer> {
    return this.once.answer(
      response,
      'startRun',
      request,
      async (remember) => ({
        view: await this.runs.start(request, (tx, view) => remember(tx, { view })),
      }),
      ({ id }) => [id],
    );
  }

  @Post('cancel-run')
  @Endpoint({
    id: 'cancelRun',
    role: 'runner',
    recorded: 'beside',
    summary: 'Cancel an in-progress test run',
    description: 'When this is answered, the cancellation is stored and calls in flight have been aborted.',
    answers: {
      200: { description: 'Canceled, or already finished.', schema: cancelRunAnswer },
      400: 'test_run_id is missing.',
      404: NOT_FOUND,
    },
  })
  cancel(@Body({ schema: cancelRunRequest }) body: CancelRunRequest): Promise<CancelRunAnswer> {
    return this.runs.cancel(body.test_run_id ?? body.run_id ?? body.id ?? '');
  }

  @Get('api/v1/tests')
  @Endpoint({
    id: 'listTestRuns',
    role: 'viewer',
    summary: 'List test runs, newest first',
    answers: { 200: { description: 'A page of test runs.', schema: testRunList }, 400: 'A parameter is wrong.' },
  })
  list(@Query({ schema: listQuery }) query: z.output<typeof listQuery>): Promise<z.infer<typeof testRunList>> {
    return this.runs.list(query);
  }

  @Get('api/v1/tests/:id')
  @Endpoint({
    id: 'getTestRun',
    role: 'viewer',
    summary: 'Get a test run, by id or label',
    answers: { 200: { description: 'The test run.', schema: testRunView }, 404: NOT_FOUND },
  })
  async find(@Param('id') id: string, @Res() response: Response): Promise<void> {
    sendDocument(response, await this.runs.findDocument(id));
  }

  @Delete('api/v1/tests/:id')
  @Endpoint({
    id: 'deleteTestRun',
    role: 'admin',
    summary: 'Delete a test run',
    description: 'A live run is canceled first.',
    answers: { 204: { description: 'Deleted.' }, 404: NOT_FOUND },
  })
  delete(@Param('id') id: string): Promise<void> {
    return this.runs.delete(id);
  }
}
