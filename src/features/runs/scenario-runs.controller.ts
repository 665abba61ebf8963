import { Controller, Get, Header, NotFoundException, Param, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import type { Caller } from '../../platform/access/caller';
import { Endpoint } from '../../platform/http/endpoint';
import { givenId, id } from '../../platform/http/field';
import { FromCaller } from '../../platform/http/role.guard';
import { jsonDocumentOf, sendDocument } from '../../platform/http/json-document';
import { pageFields } from '../../platform/http/page';
import { ScreenshotsStore } from '../../engine/ledger/screenshots.store';
import { ShownMarks } from '../shown-marks/shown-marks';
import { jsonPieces } from './export/formats';
import { scenarioRunDetail, scenarioRunView } from './scenario-run.views';
import { RunsService } from './runs.service';

/** As many scenarios as may be asked for at once. */
const MOST_SCENARIOS = 100;

const listQuery = z.object({
  ...pageFields,
  test_run_id: givenId.describe('UUID or label of the test run.'),
  scenario_id: z
    .preprocess(
      (given) => (typeof given === 'string' ? given.split(',') : given),
      z.array(id).min(1).max(MOST_SCENARIOS),
    )
    .optional()
    .describe(
      `Only the scenario runs of these scenarios: UUIDs, repeated or separated by commas, ${MOST_SCENARIOS} at most.`,
    ),
});
const scenarioRunList = z.object({ results: z.array(scenarioRunView), total: z.int().min(0) });

@ApiTags('Scenario runs')
@Controller('api/v1/scenario-runs')
export class ScenarioRunsController {
  constructor(
    private readonly runs: RunsService,
    private readonly screenshots: ScreenshotsStore,
    private readonly shown: ShownMarks,
  ) {}

  @Get()
  @Endpoint({
    id: 'listScenarioRuns',
    role: 'viewer',
    summary: 'List the scenario runs of a test run',
    description: 'Trial by trial, each in the order in which the run was given its scenarios; without transcripts.',
    answers: {
      200: { description: 'A page of scenario runs.', schema: scenarioRunList },
      400: 'test_run_id is missing, or a parameter is wrong.',
      404: 'Test run not found',
    },
  })
  async list(
    @Query({ schema: listQuery }) { test_run_id, scenario_id, ...page }: z.output<typeof listQuery>,
    @FromCaller() caller: Caller,
  ): Promise<z.infer<typeof scenarioRunList>> {
    const found = await this.runs.listScenarioRuns(test_run_id, { ...page, scenarioIds: scenario_id ?? null });
    const graded = found.results.filter(isGraded);
    await this.shown.ofRuns(
      caller,
      graded.map((one) => one.test_run_id),
    );
    return found;
  }

  @Get(':id')
  @Endpoint({
    id: 'getScenarioRun',
    role: 'viewer',
    summary: 'Get a scenario run with its transcript',
    answers: {
      200: { description: 'The scenario run.', schema: scenarioRunDetail },
      404: 'Scenario run not found',
    },
  })
  async find(@Param('id') id: string, @FromCaller() caller: Caller, @Res() response: Response): Promise<void> {
    const scenarioRun = await this.runs.findScenarioRun(id);
    if (isGraded(scenarioRun)) await this.shown.ofConversations(caller, [scenarioRun]);
    sendDocument(response, await jsonDocumentOf(jsonPieces(scenarioRun)));
  }

  @Get(':id/screenshot')
  @Header('cache-control', 'private, no-cache')
  @Endpoint({
    id: 'getScreenshot',
    role: 'viewer',
    summary: "Get the screenshot of a browser agent's page when its scenario run failed",
    answers: {
      200: { description: 'The screenshot.', produces: 'image/jpeg' },
      404: 'Scenario run not found, or it has no screenshot.',
    },
  })
  async showScreenshot(@Param('id') id: string): Promise<StreamableFile> {
    const jpeg = await this.screenshots.find(id);
    if (jpeg === 'unknown') throw new NotFoundException('Scenario run not found');
    if (jpeg === null) {
      throw new NotFoundException('No screenshot: they are taken when the page of a browser agent fails.');
    }
    return new StreamableFile(jpeg, { type: 'image/jpeg', length: jpeg.length });
  }
}

function isGraded({ passed }: { readonly passed: boolean | null }): boolean {
  return passed !== null;
}
