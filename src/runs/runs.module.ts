import { Module } from '@nestjs/common';
import { ActorsModule } from '../actors/actors.module';
import { ExportController } from './export.controller';
import { ScenarioHistoryController } from './history/scenario-history.controller';
import { ModelChoice } from './model-choice';
import { RunsController } from './runs.controller';
import { RunsService } from './runs.service';
import { ScenarioRunsController } from './scenario-runs.controller';
import { ComparisonController } from './statistics/comparison.controller';
import { ComparisonService } from './statistics/comparison.service';
import { SettledRates } from './statistics/settled-rates';
import { StatisticsController } from './statistics/statistics.controller';
import { StatisticsService } from './statistics/statistics.service';

/** Starting, canceling and reading test runs. */
@Module({
  imports: [ActorsModule],
  controllers: [
    RunsController,
    ExportController,
    ScenarioRunsController,
    StatisticsController,
    ComparisonController,
    ScenarioHistoryController,
  ],
  providers: [RunsService, ModelChoice, StatisticsService, ComparisonService, SettledRates],
  exports: [ComparisonService, SettledRates],
})
export class RunsModule {}
