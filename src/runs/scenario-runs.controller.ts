import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { givenId } from '../http/field';
import { pageFields } from '../http/page';
import { scenarioRunDetail, scenarioRunView, type ScenarioRunDetail } from './run.views';
import { RunsService } from './runs.service';

const listQuery = z.object({ ...pageFields, test_run_id: givenId.describe('UUID or label of the test run.') });
const scenarioRunList = z.object({ results: z.array(scenarioRunView), total: z.int() });

@ApiTags('Scenario runs')
@Controller('api/v1/scenario-runs')
export class ScenarioRunsController {
  constructor(private readonly runs: RunsService) {}

  @Get()
  @ApiOperation({ summary: 'List the scenario runs of a test run', operationId: 'listScenarioRuns' })
  @ApiResponse({ status: 200, schema: scenarioRunList })
  list(
    @Query({ schema: listQuery }) { test_run_id, ...page }: z.output<typeof listQuery>,
  ): Promise<z.infer<typeof scenarioRunList>> {
    return this.runs.listScenarioRuns(test_run_id, page);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Get a scenario run with its transcript', operationId: 'getScenarioRun' })
  @ApiResponse({ status: 200, schema: scenarioRunDetail })
  find(@Param('id') id: string): Promise<ScenarioRunDetail> {
    return this.runs.findScenarioRun(id);
  }
}
