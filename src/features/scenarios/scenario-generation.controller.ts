import { Body, Controller, HttpException, HttpStatus, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Caller } from '../../platform/access/caller';
import { clientGone } from '../../platform/http/lines-of-callers';
import { Endpoint } from '../../platform/http/endpoint';
import { FromCaller } from '../../platform/http/role.guard';
import { OncePerKey, TakesIdempotencyKey } from '../../platform/idempotency/once-per-key';
import { databaseAway, ScenarioGenerationService } from './scenario-generation.service';
import {
  generateBatchRequest,
  generateScenarioRequest,
  type GenerateBatchRequest,
  type GenerateScenarioRequest,
} from './scenario.requests';
import {
  generatedList,
  proposedList,
  scenarioView,
  type GeneratedList,
  type ProposedList,
  type ScenarioView,
} from './scenario.views';

const TEXT_MISSING = 'The text is missing or empty or states no rule to examine, or a field is wrong.';
const SPENT =
  'The daily limit on language-model cost (MAX_SPEND_USD_PER_DAY) is reached, or there were too many requests; Retry-After says when to try again.';
const FAILED = 'Generation failed: the language model or the database failed. Nothing is stored.';

@ApiTags('Scenarios')
@Controller('api/v1/scenarios')
export class ScenarioGenerationController {
  constructor(
    private readonly generation: ScenarioGenerationService,
    private readonly once: OncePerKey,
  ) {}

  @Post('generate')
  @TakesIdempotencyKey()
  @Endpoint({
    id: 'generateScenario',
    role: 'admin',
    summary: 'Generate a scenario from clinical text',
    description: 'It is not approved: a clinician approves it with PATCH.',
    answers: {
      201: { description: 'The scenario as stored.', schema: scenarioView },
      400: TEXT_MISSING,
      429: SPENT,
      500: FAILED,
    },
  })
  generate(
    @Body({ schema: generateScenarioRequest }) request: GenerateScenarioRequest,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ScenarioView> {
    return this.once.answer(
      response,
      'generateScenario',
      request,
      async (remember) => {
        await this.requireMoney(response);
        const signal = clientGone(response);
        return {
          view: await this.generation.generateOne(request, signal, caller, (tx, view) => remember(tx, { view })),
        };
      },
      ({ scenario_id }) => [scenario_id],
    );
  }

  @Post('generate-batch')
  @TakesIdempotencyKey()
  @Endpoint({
    id: 'generateScenarios',
    role: 'admin',
    whenAway: databaseAway,
    summary: 'Generate scenarios from a document',
    description: 'One for each case in the text, all stored or none. They are not approved.',
    answers: {
      201: { description: 'The scenarios as stored.', schema: generatedList },
      400: TEXT_MISSING,
      429: SPENT,
      500: FAILED,
    },
  })
  generateBatch(
    @Body({ schema: generateBatchRequest }) request: GenerateBatchRequest,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GeneratedList> {
    return this.once.answer(
      response,
      'generateScenarios',
      request,
      async (remember) => {
        await this.requireMoney(response);
        const signal = clientGone(response);
        return {
          view: await this.generation.generateAll(request, signal, caller, (tx, view) => remember(tx, { view })),
        };
      },
      (view) => view.scenarios.map(({ scenario_id }) => scenario_id),
    );
  }

  @Post('generate-preview')
  @Endpoint({
    id: 'previewScenarios',
    role: 'runner',
    summary: 'Preview the scenarios of a document',
    description:
      'What generate-batch would create from the text; nothing is stored. Each can be sent to POST /api/v1/scenarios, unchanged or edited.',
    answers: {
      200: { description: 'The scenarios, not stored.', schema: proposedList },
      400: TEXT_MISSING,
      429: SPENT,
      500: 'Generation failed: the language model failed.',
    },
  })
  async preview(
    @Body({ schema: generateBatchRequest }) request: GenerateBatchRequest,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProposedList> {
    await this.requireMoney(response);
    return this.generation.propose(request, clientGone(response), caller);
  }

  /** @throws HttpException 429 while the daily limit on language-model cost is reached */
  private async requireMoney(response: Response): Promise<void> {
    const spent = await this.generation.spent();
    if (spent === null) return;
    response.setHeader('Retry-After', String(spent.retryAfterSeconds));
    throw new HttpException(spent.sentence, HttpStatus.TOO_MANY_REQUESTS);
  }
}
