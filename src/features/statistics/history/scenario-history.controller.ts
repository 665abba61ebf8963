import { Controller, Get, NotFoundException, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import type { Caller } from '../../../platform/access/caller';
import { Endpoint } from '../../../platform/http/endpoint';
import { FromCaller } from '../../../platform/http/from-caller';
import { pageFields, type Page } from '../../../platform/http/page';
import { ScenarioHistoryStore } from './scenario-history.store';
import { isUuid } from '../../../platform/database/uuid';
import { ShownMarks } from '../../shown-marks/shown-marks';
import { scenarioHistoryView, viewOfHistory, type ScenarioHistoryView } from './scenario-history.view';

const historyQuery = z.object(pageFields);

const NOT_FOUND = 'Scenario not found';

@ApiTags('Scenarios')
@Controller('api/v1/scenarios/:id/history')
export class ScenarioHistoryController {
  constructor(
    private readonly histories: ScenarioHistoryStore,
    private readonly shown: ShownMarks,
  ) {}

  @Get()
  @Endpoint({
    id: 'getScenarioHistory',
    role: 'viewer',
    summary: 'Get the verdicts on a scenario, by what was examined and by whom',
    description:
      'A scenario is flaky where the same agent config, examined alike, both passed and failed it. docs/statistics.md says what that means.',
    answers: {
      200: { description: 'A page of the history, the newest first.', schema: scenarioHistoryView },
      400: 'A parameter is wrong.',
      404: NOT_FOUND,
    },
  })
  async find(
    @Param('id') id: string,
    @Query({ schema: historyQuery }) page: Page,
    @FromCaller() caller: Caller,
  ): Promise<ScenarioHistoryView> {
    const name = isUuid(id) ? await this.histories.nameOf(id) : null;
    if (name === null) throw new NotFoundException(NOT_FOUND);
    const history = viewOfHistory({ id: id.toLowerCase(), name }, await this.histories.read(id, page));
    const verdicts = history.history.flatMap((group) => group.verdicts);
    await this.shown.ofRuns(
      caller,
      verdicts.map(({ test_run_id }) => test_run_id),
    );
    return history;
  }
}
