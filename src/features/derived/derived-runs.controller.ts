import { Body, Controller, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { OncePerKey } from '../../platform/idempotency';
import { DerivedRunsService } from './derived-runs.service';
import {
  retryTestRun,
  regradeTestRun,
  forkScenarioRun,
  type ForkRequest,
  type RegradeRequest,
  type DerivedRunAnswer,
} from '../../../contract/derived-runs';
import { Serves } from '../../platform/http';

@Controller()
export class DerivedRunsController {
  constructor(
    private readonly runs: DerivedRunsService,
    private readonly once: OncePerKey,
  ) {}

  @Serves(retryTestRun)
  retry(@Param('id') id: string, @Res({ passthrough: true }) response: Response): Promise<DerivedRunAnswer> {
    return this.once.answer(
      response,
      'retryTestRun',
      { id },
      async (remember) => ({
        view: await this.runs.retry(id, (tx, view) => remember(tx, { view })),
      }),
      ({ id }) => [id],
    );
  }

  @Serves(regradeTestRun)
  regrade(
    @Param('id') id: string,
    @Body({ schema: regradeTestRun.body }) request: RegradeRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DerivedRunAnswer> {
    return this.once.answer(
      response,
      'regradeTestRun',
      { id, ...request },
      async (remember) => ({
        view: await this.runs.regrade(id, request, (tx, view) => remember(tx, { view })),
      }),
      ({ id }) => [id],
    );
  }

  @Serves(forkScenarioRun)
  fork(
    @Param('id') id: string,
    @Body({ schema: forkScenarioRun.body }) request: ForkRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DerivedRunAnswer> {
    return this.once.answer(
      response,
      'forkScenarioRun',
      { id, ...request },
      async (remember) => ({
        view: await this.runs.fork(id, request, (tx, view) => remember(tx, { view })),
      }),
      ({ id }) => [id],
    );
  }
}
