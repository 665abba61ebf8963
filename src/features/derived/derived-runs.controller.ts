import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Endpoint } from '../../platform/http/endpoint';
import { OncePerKey, TakesIdempotencyKey } from '../../platform/idempotency/once-per-key';
import {
  forkRequest,
  regradeRequest,
  type ForkRequest,
  type RegradeRequest,
  derivedRunAnswer,
  type DerivedRunAnswer,
} from './derived-run.requests';
import { DerivedRunsService } from './derived-runs.service';

const STORED = 'The run is stored and in progress.';
const NOT_FOUND = 'Test run not found';

@ApiTags('Derived runs')
@Controller('api/v1')
export class DerivedRunsController {
  constructor(
    private readonly runs: DerivedRunsService,
    private readonly once: OncePerKey,
  ) {}

  @Post('tests/:id/retry')
  @TakesIdempotencyKey()
  @Endpoint({
    id: 'retryTestRun',
    role: 'runner',
    summary: 'Run the errors of a test run again',
    description:
      'A new run of the same scenarios: what has a verdict is carried over with its transcript, and what ended in an error or was canceled ' +
      'is examined anew, with the trials, patients, examiners’ models and limits of the source. Its pass rate is over all of them. ' +
      'The source stays as it is.',
    answers: {
      200: { description: STORED, schema: derivedRunAnswer },
      404: NOT_FOUND,
      409: 'The run is live, everything in it has a verdict, or its agent or its models have changed since.',
    },
  })
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

  @Post('tests/:id/regrade')
  @TakesIdempotencyKey()
  @Endpoint({
    id: 'regradeTestRun',
    role: 'runner',
    summary: 'Mark the conversations of a test run again',
    description:
      'A new run with the conversations of this one: each that was held to its end is marked again from what is stored, by the judge of today ' +
      'or the one that is asked for. The agent is never called. What has no whole conversation is carried over as it is, and so is one whose patient ' +
      'had strayed. The source stays as it is.',
    answers: {
      200: { description: STORED, schema: derivedRunAnswer },
      400: 'A field is wrong, or the model is not one of ALLOWED_MODELS.',
      404: NOT_FOUND,
      409: 'The run is live, no conversation in it was held to its end, or its models are no longer available.',
    },
  })
  regrade(
    @Param('id') id: string,
    @Body({ schema: regradeRequest }) request: RegradeRequest,
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

  @Post('scenario-runs/:id/fork')
  @TakesIdempotencyKey()
  @Endpoint({
    id: 'forkScenarioRun',
    role: 'runner',
    summary: 'Go on differently from a turn of a conversation',
    description:
      'A new run in which this conversation goes on from `at_turn`: the turns before it are kept, and patient and agent go on from there, up to the ' +
      'turns that the source was to have. For agents that are sent the whole conversation with each message, and for those that can name where ' +
      'they were (vapi). The source stays as it is.',
    answers: {
      200: { description: STORED, schema: derivedRunAnswer },
      400: 'A field is missing or wrong, the conversation does not have the turn, or the agent named is not found or inactive.',
      404: 'Scenario run not found',
      409: 'Its run is live, its scenario has no script, or the agent cannot go on from a transcript.',
    },
  })
  fork(
    @Param('id') id: string,
    @Body({ schema: forkRequest }) request: ForkRequest,
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
