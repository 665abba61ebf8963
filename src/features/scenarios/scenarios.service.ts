import { BadRequestException, ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { z } from 'zod';
import { listNames } from '../../domain';
import { requireMatch, tagged, type Tagged, jsonDocument, type JsonDocument, totalOf } from '../../platform/http';
import type { ScenarioEntity } from './scenario.entity';
import { ScenarioPurgeStore, type References } from './scenario-purge.store';
import type { Signature } from './scenario-revision';
import { ScenarioRevisionsStore, ScenariosStore } from './scenarios.store';
import { SharedRead, type WriteWith } from '../../platform/database';
import {
  listOfRevisions,
  listOfScenarios,
  viewOfScenario,
  type RevisionList,
  type ScenarioView,
} from './scenario.views';
import type { Page } from '../../../contract/page';
import type { CreateScenarioRequest, ListScenariosQuery, UpdateScenarioRequest } from '../../../contract/scenarios';

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

  constructor(
    private readonly scenarios: ScenariosStore,
    private readonly revisions: ScenarioRevisionsStore,
    private readonly purges: ScenarioPurgeStore,
  ) {}

  /** A page of the active scenarios, by priority (none last) and name. */
  list({ tag, limit, offset }: ListScenariosQuery): Promise<ListedScenarios> {
    const key: ListKey = { tag: tag ?? null, limit, offset };
    return this.lists.load(JSON.stringify(key));
  }

  /** Deleted ones too. @throws NotFoundException */
  async find(id: string): Promise<Tagged<ScenarioView>> {
    return tagged(viewOfScenario(existing(await this.scenarios.find(id))));
  }

  /** Newest first; a page of long ones is shorter than its limit. @throws NotFoundException */
  async listRevisions(id: string, page: Page): Promise<RevisionList> {
    const scenario = existing(await this.scenarios.find(id));
    const { revisions, total } = await this.revisions.list(scenario.id, page);
    return listOfRevisions(revisions, total);
  }

  /**
   * @param remember is written with it
   * @throws BadRequestException when the request names an approver and does not approve
   */
  async create(
    request: CreateScenarioRequest,
    remember: WriteWith<Tagged<ScenarioView>>,
  ): Promise<Tagged<ScenarioView>> {
    const { scenario_type, is_active, priority, rubric_criteria, approved_by, approved_role, ...fields } = request;
    const signature = signatureOf(fields.approved, approved_by, approved_role);
    const scenario = {
      ...fields,
      scenarioType: scenario_type,
      isActive: is_active,
      priority: priority ?? null,
      rubricCriteria: rubric_criteria,
      ...(signature && { signature }),
    };
    const stored = await this.scenarios.create(scenario, (tx, made) => remember(tx, tagged(viewOfScenario(made))));
    return tagged(viewOfScenario(stored));
  }

  /**
   * @param ifMatch the header
   * @throws NotFoundException, HttpException 412, BadRequestException as create
   */
  async update(id: string, request: UpdateScenarioRequest, ifMatch?: string): Promise<Tagged<ScenarioView>> {
    const { scenario_type, is_active, rubric_criteria, approved_by, approved_role, ...fields } = request;
    const signature = signatureOf(fields.approved, approved_by, approved_role);
    const changes = {
      ...fields,
      ...(signature && { signature }),
      ...(scenario_type !== undefined && { scenarioType: scenario_type }),
      ...(is_active !== undefined && { isActive: is_active }),
      ...(rubric_criteria !== undefined && { rubricCriteria: rubric_criteria }),
    };
    const scenario = await this.scenarios.update(id, changes, (stored) =>
      requireMatch(ifMatch, tagged(viewOfScenario(stored)).etag, 'scenario'),
    );
    return tagged(viewOfScenario(existing(scenario)));
  }

  /** Marks it inactive. Idempotent. @throws NotFoundException */
  async delete(id: string): Promise<void> {
    if (!(await this.scenarios.deactivate(id))) throw new NotFoundException('Scenario not found');
  }

  /** Removes it for good. @throws NotFoundException; ConflictException naming what refers to it */
  async purge(id: string): Promise<void> {
    const outcome = await this.purges.purge(id);
    if (outcome.kind === 'unknown') throw new NotFoundException('Scenario not found');
    if (outcome.kind === 'kept') throw new ConflictException(refusalOf(outcome.references));
  }

  private async readList({ tag, ...page }: ListKey): Promise<ListedScenarios> {
    const scenarios = await this.scenarios.listActive(tag, page);
    const total = await totalOf(page, scenarios.length, () => this.scenarios.countActive(tag));
    return { document: jsonDocument(listOfScenarios(scenarios, total)), shown: scenarios.length, total };
  }
}

/** The approver that the request names; undefined when it names none. */
function signatureOf(
  approved: boolean | undefined,
  by: string | null | undefined,
  role: string | null | undefined,
): Signature | undefined {
  const signature = { by: by ?? null, role: role ?? null };
  if (signature.by === null && signature.role === null) return undefined;
  if (approved === true) return signature;
  const field = signature.by === null ? 'approved_role' : 'approved_by';
  throw new BadRequestException(`${field}: names who approves; send approved: true with it.`);
}

/**
 * What refers to a scenario, and what to do about it: in words that fit the page ("Delete for good"), the command (--purge) and
 * the API.
 */
function refusalOf({ runs, suites, twins, isActive }: References): string {
  const referring = [
    ...(runs === 0 ? [] : [runs === 1 ? '1 test run' : `${runs} test runs`]),
    ...suites.map((name) => `the suite “${name}”`),
    ...twins.map((name) => `the twin “${name}”`),
  ];
  const meanwhile = isActive
    ? 'An ordinary deletion takes it out of lists and new runs.'
    : 'Lists and new runs leave it out already.';
  return `This scenario cannot be deleted for good while it is referred to by ${listNames(referring)}: delete or change those first. ${meanwhile}`;
}

function existing(scenario: ScenarioEntity | null): ScenarioEntity {
  if (scenario === null) throw new NotFoundException('Scenario not found');
  return scenario;
}
