import { Module } from '@nestjs/common';
import { ActorsModule } from '../../engine/actors';
import { ContinuingAgent, SameAgent } from '../derived/same-agent';
import { DerivedRunsController } from '../derived/derived-runs.controller';
import { DerivedRunsService, RunSources } from '../derived/derived-runs.service';
import { ExaminedAgents } from './examined-agents';
import { ExportController } from './export.controller';
import { AgentHistoryController } from '../statistics/history/agent-history.controller';
import { AgentHistoryService } from '../statistics/history/agent-history.service';
import { ScenarioHistoryController } from '../statistics/history/scenario-history.controller';
import { ModelChoice } from './model-choice';
import { RunBeginnings } from './run-beginnings';
import { RunPlans } from './run-plans';
import { RunSetComparisons } from '../run-sets/run-set-comparisons';
import { RunSets } from '../run-sets/run-sets.service';
import { RunSetsController } from '../run-sets/run-sets.controller';
import { RunsController } from './runs.controller';
import { RunsService } from './runs.service';
import { ScenarioRunsController } from './scenario-runs.controller';
import { ComparisonController } from '../statistics/comparison.controller';
import { ComparisonService } from '../statistics/comparison.service';
import { TwinLines } from '../statistics/twin-lines';
import { GridController } from '../statistics/grid.controller';
import { SpokenPlans } from './spoken-plans';
import { TwinRuns } from './twin-runs';
import { RunSummariesModule } from './run-summaries';
import { StatisticsController } from '../statistics/statistics.controller';
import { StatisticsService } from '../statistics/statistics.service';

/** Starting, canceling and reading test runs. */
@Module({
  imports: [ActorsModule, RunSummariesModule],
  controllers: [
    RunsController,
    ExportController,
    ScenarioRunsController,
    StatisticsController,
    ComparisonController,
    GridController,
    ScenarioHistoryController,
    AgentHistoryController,
    DerivedRunsController,
    RunSetsController,
  ],
  providers: [
    RunsService,
    ExaminedAgents,
    RunBeginnings,
    RunPlans,
    SpokenPlans,
    TwinRuns,
    RunSets,
    RunSetComparisons,
    ModelChoice,
    StatisticsService,
    ComparisonService,
    TwinLines,
    AgentHistoryService,
    RunSources,
    SameAgent,
    ContinuingAgent,
    DerivedRunsService,
  ],
  exports: [ComparisonService, RunSummariesModule, StatisticsService, ModelChoice, RunBeginnings, RunPlans],
})
export class RunsModule {}
