import { Controller, Header, NotFoundException, Param, Query, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { z } from 'zod';
import type { Caller } from '../../platform/access';
import { FromCaller, jsonDocumentOf, sendDocument, Serves } from '../../platform/http';
import { ScreenshotsStore } from '../../engine/ledger';
import { ShownMarks } from '../shown-marks/shown-marks';
import { jsonPieces } from './export/formats';
import { RunsService } from './runs.service';
import { scenarioRunList, listScenarioRuns, getScenarioRun, getScreenshot } from '../../../contract/scenario-runs';
import type { QueryOf } from '../../../contract/operation';

@Controller()
export class ScenarioRunsController {
  constructor(
    private readonly runs: RunsService,
    private readonly screenshots: ScreenshotsStore,
    private readonly shown: ShownMarks,
  ) {}

  @Serves(listScenarioRuns)
  async list(
    @Query({ schema: listScenarioRuns.query }) { test_run_id, scenario_id, ...page }: QueryOf<typeof listScenarioRuns>,
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

  @Serves(getScenarioRun)
  async find(@Param('id') id: string, @FromCaller() caller: Caller, @Res() response: Response): Promise<void> {
    const scenarioRun = await this.runs.findScenarioRun(id);
    if (isGraded(scenarioRun)) await this.shown.ofConversations(caller, [scenarioRun]);
    sendDocument(response, await jsonDocumentOf(jsonPieces(scenarioRun)));
  }

  @Header('cache-control', 'private, no-cache')
  @Serves(getScreenshot)
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
