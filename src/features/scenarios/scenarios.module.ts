import { Module, type DynamicModule } from '@nestjs/common';
import { ScenarioGenerationController } from './scenario-generation.controller';
import { ScenarioGenerationService } from './scenario-generation.service';
import { ScenarioLintController, ScenariosController, ScenarioTrialController } from './scenarios.controller';
import { ScenarioLinter } from './scenario-linter';
import { TrialAgent, TryScenario } from './try-scenario';
import { ScenariosService } from './scenarios.service';

/** Clinical test cases: made by hand, generated from text, or loaded from the starter library. */
@Module({})
export class ScenariosModule {
  /** @param agent that scenarios are tried against */
  static with(agent: TrialAgent): DynamicModule {
    return {
      module: ScenariosModule,
      controllers: [ScenariosController, ScenarioGenerationController, ScenarioLintController, ScenarioTrialController],
      providers: [
        ScenariosService,
        ScenarioGenerationService,
        ScenarioLinter,
        TryScenario,
        { provide: TrialAgent, useValue: agent },
      ],
    };
  }
}
