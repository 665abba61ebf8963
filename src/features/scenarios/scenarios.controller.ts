import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import { callerOf } from '../../platform/access/caller';
import type { WriteWith } from '../../platform/database/connections';
import { Endpoint } from '../../platform/http/endpoint';
import {
  CHANGED_MEANWHILE,
  ifMatchOf,
  sendTagged,
  tagHeaders,
  TakesIfMatch,
  type Tagged,
} from '../../platform/http/entity-tag';
import { sendDocument } from '../../platform/http/json-document';
import { clientGone } from '../../platform/http/lines-of-callers';
import { pageFields, pageHeaders, setPageHeaders, WHOLE_LIST, type Page } from '../../platform/http/page';
import { OncePerKey, TakesIdempotencyKey } from '../../platform/idempotency/once-per-key';
import { lintRequest, type LintRequest } from './lint.requests';
import { lintedList, type LintedList } from './lint.views';
import { ScenarioLinter } from './scenario-linter';
import {
  createScenarioRequest,
  deleteScenarioQuery,
  listScenariosQuery,
  updateScenarioRequest,
  type CreateScenarioRequest,
  type DeleteScenarioQuery,
  type ListScenariosQuery,
  type UpdateScenarioRequest,
} from './scenario.requests';
import { revisionList, scenarioList, scenarioView, type RevisionList, type ScenarioView } from './scenario.views';
import { ScenariosService } from './scenarios.service';

const revisionsQuery = z.object(pageFields);

const NOT_FOUND = 'Scenario not found';

@ApiTags('Scenarios')
@Controller('api/v1/scenarios')
export class ScenariosController {
  constructor(
    private readonly scenarios: ScenariosService,
    private readonly once: OncePerKey,
  ) {}

  @Get()
  @Endpoint({
    id: 'listScenarios',
    role: 'viewer',
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
  @TakesIdempotencyKey()
  @Endpoint({
    id: 'createScenario',
    role: 'admin',
    summary: 'Create a scenario',
    answers: {
      201: { description: 'The scenario as stored.', schema: scenarioView, headers: tagHeaders },
      400: 'A field is missing or wrong; the message names it by its path.',
    },
  })
  create(
    @Body({ schema: createScenarioRequest }) request: CreateScenarioRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ScenarioView> {
    const make = (remember: WriteWith<Tagged<ScenarioView>>) => this.scenarios.create(request, remember);
    return this.once.answer(response, 'createScenario', request, make, ({ scenario_id }) => [scenario_id]);
  }

  @Get(':id')
  @Endpoint({
    id: 'getScenario',
    role: 'viewer',
    summary: 'Get a scenario',
    description: 'Also answers a deleted one, with `is_active` false.',
    answers: { 200: { description: 'The scenario.', schema: scenarioView, headers: tagHeaders }, 404: NOT_FOUND },
  })
  async find(@Param('id') id: string, @Res({ passthrough: true }) response: Response): Promise<ScenarioView> {
    return sendTagged(response, await this.scenarios.find(id));
  }

  @Get(':id/revisions')
  @Endpoint({
    id: 'listScenarioRevisions',
    role: 'viewer',
    summary: 'List the revisions of a scenario, newest first',
    description:
      'Every change of content or rubric_criteria makes a revision, which is kept as it was; scenario runs name theirs. ' +
      'A page holds a megabyte of text at most, so it may be shorter than its limit; Link names the next.',
    answers: {
      200: { description: 'A page of revisions.', schema: revisionList, headers: pageHeaders },
      400: 'A parameter is wrong.',
      404: NOT_FOUND,
    },
  })
  async listRevisions(
    @Param('id') id: string,
    @Query({ schema: revisionsQuery }) page: Page,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RevisionList> {
    const list = await this.scenarios.listRevisions(id, page);
    setPageHeaders(response, page, list.revisions.length, list.total);
    return list;
  }

  @Patch(':id')
  @TakesIfMatch()
  @Endpoint({
    id: 'updateScenario',
    role: 'admin',
    summary: 'Update a scenario',
    description:
      'Fields that are left out stay as they are; runs that have started keep the scenario they started with. Another content or ' +
      'rubric_criteria is a new revision, and no longer approved unless the same request says `approved: true`.',
    answers: {
      200: { description: 'The scenario as it is now.', schema: scenarioView, headers: tagHeaders },
      400: 'A field is wrong; the message names it by its path.',
      404: NOT_FOUND,
      412: CHANGED_MEANWHILE,
    },
  })
  async update(
    @Param('id') id: string,
    @Body({ schema: updateScenarioRequest }) request: UpdateScenarioRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ScenarioView> {
    return sendTagged(response, await this.scenarios.update(id, request, ifMatchOf(response)));
  }

  @Delete(':id')
  @Endpoint({
    id: 'deleteScenario',
    role: 'admin',
    summary: 'Delete a scenario',
    description:
      'It is marked inactive: it disappears from lists and is no longer chosen for runs. With `purge=true` it is removed for good, with its ' +
      'revisions; only if no run, no suite and no twin refers to it.',
    answers: {
      204: { description: 'Marked inactive, or removed.' },
      400: 'A parameter is wrong.',
      404: NOT_FOUND,
      409: 'With purge: something refers to it; the message says how many runs, and what else.',
    },
  })
  delete(
    @Param('id') id: string,
    @Query({ schema: deleteScenarioQuery }) { purge }: DeleteScenarioQuery,
  ): Promise<void> {
    return purge === true ? this.scenarios.purge(id) : this.scenarios.delete(id);
  }
}

@ApiTags('Scenarios')
@Controller('api/v1/scenarios')
export class ScenarioLintController {
  constructor(private readonly linter: ScenarioLinter) {}

  @Post('lint')
  @Endpoint({
    id: 'lintScenarios',
    role: 'viewer',
    recorded: 'never',
    summary: 'Lint scenarios',
    description:
      'Rules, no language model: questions that the patient answers unasked, two acts in one criterion, a rubric that a fixed text passes, and the like. Nothing is stored.',
    answers: {
      200: { description: 'The findings, scenario by scenario.', schema: lintedList },
      400: 'A field is wrong, or one of the ids is unknown; the message names it.',
    },
  })
  lint(
    @Body({ schema: lintRequest }) request: LintRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LintedList> {
    return this.linter.lint(request, callerOf(response.req), clientGone(response));
  }
}
