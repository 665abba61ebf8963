import { Body, Controller, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { z } from 'zod';
import { sendDocument, Serves } from '../../platform/http';
import { OncePerKey } from '../../platform/idempotency';
import { RunsService } from './runs.service';
import {
  testRunList,
  listTestRuns,
  getTestRun,
  updateTestRun,
  deleteTestRun,
  type TestRunView,
  type UpdateRunRequest,
} from '../../../contract/test-runs';
import {
  startRun,
  cancelRun,
  type CancelRunAnswer,
  type CancelRunRequest,
  type StartRunAnswer,
  type StartRunRequest,
} from '../../../contract/start-run';
import type { QueryOf } from '../../../contract/operation';

@Controller()
export class RunsController {
  constructor(
    private readonly runs: RunsService,
    private readonly once: OncePerKey,
  ) {}

  @Serves(startRun)
  start(
    @Body({ schema: startRun.body }) request: StartRunRequest,
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

  @Serves(cancelRun)
  cancel(@Body({ schema: cancelRun.body }) body: CancelRunRequest): Promise<CancelRunAnswer> {
    return this.runs.cancel(body.test_run_id ?? body.run_id ?? body.id ?? '');
  }

  @Serves(listTestRuns)
  list(
    @Query({ schema: listTestRuns.query }) query: QueryOf<typeof listTestRuns>,
  ): Promise<z.infer<typeof testRunList>> {
    return this.runs.list(query);
  }

  @Serves(getTestRun)
  async find(@Param('id') id: string, @Res() response: Response): Promise<void> {
    sendDocument(response, await this.runs.findDocument(id));
  }

  @Serves(updateTestRun)
  update(
    @Param('id') id: string,
    @Body({ schema: updateTestRun.body }) request: UpdateRunRequest,
  ): Promise<TestRunView> {
    return this.runs.update(id, request);
  }

  @Serves(deleteTestRun)
  delete(@Param('id') id: string): Promise<void> {
    return this.runs.delete(id);
  }
}
