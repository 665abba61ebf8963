import { Module } from '@nestjs/common';
import { ActorsModule } from '../actors/actors.module';
import { ExportController } from './export.controller';
import { RunsController } from './runs.controller';
import { RunsService } from './runs.service';
import { ScenarioRunsController } from './scenario-runs.controller';

/** Starting, canceling and reading test runs. */
@Module({
  imports: [ActorsModule],
  controllers: [RunsController, ExportController, ScenarioRunsController],
  providers: [RunsService],
})
export class RunsModule {}
