import { Injectable, NotFoundException } from '@nestjs/common';
import { z } from 'zod';
import { jsonDocument, type JsonDocument } from '../http/json-document';
import { totalOf } from '../http/page';
import type { ScenarioEntity } from '../persistence/entities/scenario.entity';
import { ScenariosStore } from '../persistence/scenarios.store';
import { SharedRead } from '../persistence/shared-read';
import type { CreateScenarioRequest, ListScenariosQuery, UpdateScenarioRequest } from './scenario.requests';
import { listOfScenarios, viewOfScenario, type ScenarioView } from './scenario.views';

/** A page of the list, ready to be sent. */
export interface ListedScenarios {
  readonly document: JsonDocument;
  readonly shown: number;
  /** On all pages. */
  readonly total: number;
}

/** Which page of which list, as text: SharedRead compares its keys like those of a Map. */
const listKey = z.object({ tag: z.string().nullable(), limit: z.number(), offset: z.number() });
type ListKey = z.output<typeof listKey>;

/** Clinical test cases. */
@Injectable()
export class ScenariosService {
  /** Every page and client that views the library requests the same list. */
  private readonly lists = new SharedRead<string, ListedScenarios>((keys) =>
    Promise.all(keys.map((key) => this.readList(listKey.parse(JSON.parse(key))))),
  );

  constructor(private readonly scenarios: ScenariosStore) {}

  /** A page of the active scenarios, by priority (none last) and name. */
  list({ tag, limit, offset }: ListScenariosQuery): Promise<ListedScenarios> {
    const key: ListKey = { tag: tag ?? null, limit, offset };
    return this.lists.load(JSON.stringify(key));
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

  /** Marks it inactive. Idempotent. @throws NotFoundException */
  async delete(id: string): Promise<void> {
    if (!(await this.scenarios.deactivate(id))) throw new NotFoundException('Scenario not found');
  }

  private async readList({ tag, ...page }: ListKey): Promise<ListedScenarios> {
    const scenarios = await this.scenarios.listActive(tag, page);
    const total = await totalOf(page, scenarios.length, () => this.scenarios.countActive(tag));
    return { document: jsonDocument(listOfScenarios(scenarios, total)), shown: scenarios.length, total };
  }
}

function existing(scenario: ScenarioEntity | null): ScenarioEntity {
  if (scenario === null) throw new NotFoundException('Scenario not found');
  return scenario;
}
