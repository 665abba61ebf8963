import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { clientGone } from '../http/client-gone';
import { Endpoint } from '../http/endpoint';
import { ScenarioGenerationService } from './scenario-generation.service';
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

const TEXT_MISSING = 'The text is missing or empty, or a field is wrong.';
const FAILED = 'Generation failed: the language model or the database did not do its part. Nothing is stored.';

@ApiTags('Scenarios')
@Controller('api/v1/scenarios')
export class ScenarioGenerationController {
  constructor(private readonly generation: ScenarioGenerationService) {}

  @Post('generate')
  @Endpoint({
    id: 'generateScenario',
    summary: 'Generate a scenario from clinical text',
    description: 'It is not approved: a clinician approves it with PATCH.',
    answers: {
      201: { description: 'The scenario as stored.', schema: scenarioView },
      400: TEXT_MISSING,
      500: FAILED,
    },
  })
  generate(
    @Body({ schema: generateScenarioRequest }) request: GenerateScenarioRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ScenarioView> {
    return this.generation.generateOne(request, clientGone(response));
  }

  @Post('generate-batch')
  @Endpoint({
    id: 'generateScenarios',
    summary: 'Generate scenarios from a document',
    description: 'One for each case of the text, all stored or none. They are not approved.',
    answers: {
      201: { description: 'The scenarios as stored.', schema: generatedList },
      400: TEXT_MISSING,
      500: FAILED,
    },
  })
  generateBatch(
    @Body({ schema: generateBatchRequest }) request: GenerateBatchRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GeneratedList> {
    return this.generation.generateAll(request, clientGone(response));
  }

  @Post('generate-preview')
  @Endpoint({
    id: 'previewScenarios',
    summary: 'Preview the scenarios of a document',
    description:
      'What generate-batch would make of the text; nothing is stored. Each can be sent to POST /api/v1/scenarios, as it is or changed.',
    answers: {
      200: { description: 'The scenarios, not stored.', schema: proposedList },
      400: TEXT_MISSING,
      500: 'Generation failed: the language model did not do its part.',
    },
  })
  preview(
    @Body({ schema: generateBatchRequest }) request: GenerateBatchRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProposedList> {
    return this.generation.propose(request, clientGone(response));
  }
}
