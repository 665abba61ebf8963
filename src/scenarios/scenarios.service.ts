import { Injectable, NotFoundException } from '@nestjs/common';
import { jsonDocument, type JsonDocument } from '../http/json-document';
import type { ScenarioEntity } from '../persistence/entities/scenario.entity';
import { ScenariosStore } from '../persistence/scenarios.store';
import { SharedRead } from '../persistence/shared-read';
import type { CreateScenarioRequest, UpdateScenarioRequest } from './scenario.requests';
import { listOfScenarios, viewOfScenario, type ScenarioView } from './scenario.views';

/** Clinical test cases. */
@Injectable()
export class ScenariosService {
  /** Every page and client that looks at the library asks for the same list. */
  private readonly lists = new SharedRead<string | null, JsonDocument>((tags) =>
    Promise.all(tags.map(async (tag) => jsonDocument(listOfScenarios(await this.scenarios.listActive(tag))))),
  );

  constructor(private readonly scenarios: ScenariosStore) {}

  /** Active scenarios, by priority (none last) and name. */
  list(tag: string | null): Promise<JsonDocument> {
    return this.lists.load(tag);
  }

  /** Deleted ones too. @throws NotFoundException */
  async find(id: string): Promise<ScenarioView> {
    return viewOfScenario(existing(await this.scenarios.find(id)));
  }

  async create(request: CreateScenarioRequest): Promise<ScenarioView> {
    const { scenario_type, is_active, priority, rubric_criteria, ...fields } = request;
    const scenario = await this.scenarios.create({
      ...fields,
      scenarioType: scenario_type,
      isActive: is_active,
      priority: priority ?? null,
      rubricCriteria: rubric_criteria,
    });
    return viewOfScenario(scenario);
  }

  /** @throws NotFoundException */
  async update(id: string, request: UpdateScenarioRequest): Promise<ScenarioView> {
    const { scenario_type, is_active, rubric_criteria, ...fields } = request;
    const scenario = await this.scenarios.update(id, {
      ...fields,
      ...(scenario_type !== undefined && { scenarioType: scenario_type }),
      ...(is_active !== undefined && { isActive: is_active }),
      ...(rubric_criteria !== undefined && { rubricCriteria: rubric_criteria }),
    });
    return viewOfScenario(existing(scenario));
  }

  /** Marks it inactive; again is the same. @throws NotFoundException */
  async delete(id: string): Promise<void> {
    if (!(await this.scenarios.deactivate(id))) throw new NotFoundException('Scenario not found');
  }
}

function existing(scenario: ScenarioEntity | null): ScenarioEntity {
  if (scenario === null) throw new NotFoundException('Scenario not found');
  return scenario;
}
