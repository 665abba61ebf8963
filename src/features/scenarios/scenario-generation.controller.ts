import { Body, Controller, HttpException, HttpStatus, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../platform/access';
import { clientGone, FromCaller, Serves } from '../../platform/http';
import { OncePerKey } from '../../platform/idempotency';
import { databaseAway, ScenarioGenerationService } from './scenario-generation.service';
import { type GeneratedList, type ProposedList, type ScenarioView } from './scenario.views';
import { generateScenario, generateScenarios, previewScenarios } from '../../../contract/scenario-generation';
import { type GenerateBatchRequest, type GenerateScenarioRequest } from '../../../contract/scenarios';

@Controller()
export class ScenarioGenerationController {
  constructor(
    private readonly generation: ScenarioGenerationService,
    private readonly once: OncePerKey,
  ) {}

  @Serves(generateScenario)
  generate(
    @Body({ schema: generateScenario.body }) request: GenerateScenarioRequest,
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

  @Serves(generateScenarios, databaseAway)
  generateBatch(
    @Body({ schema: generateScenarios.body }) request: GenerateBatchRequest,
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

  @Serves(previewScenarios)
  async preview(
    @Body({ schema: previewScenarios.body }) request: GenerateBatchRequest,
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
