import { Module } from '@nestjs/common';
import { ScenarioGenerationController } from './scenario-generation.controller';
import { ScenarioGenerationService } from './scenario-generation.service';
import { ScenarioLintController, ScenariosController } from './scenarios.controller';
import { ScenarioLinter } from './scenario-linter';
import { ScenariosService } from './scenarios.service';

/** Clinical test cases: made by hand, generated from text, or loaded from the starter library. */
@Module({
  controllers: [ScenariosController, ScenarioGenerationController, ScenarioLintController],
  providers: [ScenariosService, ScenarioGenerationService, ScenarioLinter],
})
export class ScenariosModule {}
