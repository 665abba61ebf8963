import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Endpoint } from '../http/endpoint';
import { sendDocument } from '../http/json-document';
import { pageHeaders, setPageHeaders, WHOLE_LIST } from '../http/page';
import {
  createScenarioRequest,
  listScenariosQuery,
  updateScenarioRequest,
  type CreateScenarioRequest,
  type ListScenariosQuery,
  type UpdateScenarioRequest,
} from './scenario.requests';
import { scenarioList, scenarioView, type ScenarioView } from './scenario.views';
import { ScenariosService } from './scenarios.service';

const NOT_FOUND = 'Scenario not found';

@ApiTags('Scenarios')
@Controller('api/v1/scenarios')
export class ScenariosController {
  constructor(private readonly scenarios: ScenariosService) {}

  @Get()
  @Endpoint({
    id: 'listScenarios',
    summary: 'List active scenarios, by priority and name',
    description: WHOLE_LIST,
    answers: { 200: { description: 'The active scenarios.', schema: scenarioList, headers: pageHeaders } },
  })
  async list(
    @Query({ schema: listScenariosQuery }) query: ListScenariosQuery,
    @Res() response: Response,
  ): Promise<void> {
    const { document, shown, total } = await this.scenarios.list(query);
    setPageHeaders(response, query, shown, total);
    sendDocument(response, document);
  }

  @Post()
  @Endpoint({
    id: 'createScenario',
    summary: 'Create a scenario',
    answers: {
      201: { description: 'The scenario as stored.', schema: scenarioView },
      400: 'A field is missing or wrong; the message names it by its path.',
    },
  })
  create(@Body({ schema: createScenarioRequest }) request: CreateScenarioRequest): Promise<ScenarioView> {
    return this.scenarios.create(request);
  }

  @Get(':id')
  @Endpoint({
    id: 'getScenario',
    summary: 'Get a scenario',
    description: 'A deleted one too, with `is_active` false.',
    answers: { 200: { description: 'The scenario.', schema: scenarioView }, 404: NOT_FOUND },
  })
  find(@Param('id') id: string): Promise<ScenarioView> {
    return this.scenarios.find(id);
  }

  @Patch(':id')
  @Endpoint({
    id: 'updateScenario',
    summary: 'Update a scenario',
    description:
      'Fields that are left out stay as they are; runs that have started keep the scenario they started with.',
    answers: {
      200: { description: 'The scenario as it is now.', schema: scenarioView },
      400: 'A field is wrong; the message names it by its path.',
      404: NOT_FOUND,
    },
  })
  update(
    @Param('id') id: string,
    @Body({ schema: updateScenarioRequest }) request: UpdateScenarioRequest,
  ): Promise<ScenarioView> {
    return this.scenarios.update(id, request);
  }

  @Delete(':id')
  @Endpoint({
    id: 'deleteScenario',
    summary: 'Delete a scenario',
    description: 'It is marked inactive: gone from lists and no longer chosen for runs.',
    answers: { 204: { description: 'Marked inactive.' }, 404: NOT_FOUND },
  })
  delete(@Param('id') id: string): Promise<void> {
    return this.scenarios.delete(id);
  }
}
