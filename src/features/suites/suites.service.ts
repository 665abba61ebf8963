import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import { z } from 'zod';
import { listNames } from '../../domain/sentence';
import type { WriteWith } from '../../platform/database/connections';
import { requireMatch, tagged, type Tagged } from '../../platform/http/entity-tag';
import { id, timestamp, description, givenId, name } from '../../platform/http/field';
import { totalOf, type Page } from '../../platform/http/page';
import type { TestSuiteEntity } from './test-suite.entity';
import { TestSuitesStore, UnknownScenariosError } from './test-suites.store';

export const suiteView = z
  .object({
    id,
    name: z.string(),
    description: z.string().nullable(),
    scenario_ids: z.array(z.uuid()),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'TestSuite' });
export type SuiteView = z.output<typeof suiteView>;

export const suiteList = z.object({ test_suites: z.array(suiteView), total: z.int() });
export type SuiteList = z.output<typeof suiteList>;

function viewOfSuite(suite: TestSuiteEntity): SuiteView {
  return {
    id: suite.id,
    name: suite.name,
    description: suite.description,
    scenario_ids: suite.scenarioIds,
    created_at: suite.createdAt.toISOString(),
    updated_at: suite.updatedAt.toISOString(),
  };
}

const scenarioIds = z.array(givenId).max(10_000).describe('In the order in which they run.');

export const createSuiteRequest = z
  .object({ name, description: description.nullish(), scenario_ids: scenarioIds })
  .meta({
    id: 'CreateTestSuite',
    examples: [{ name: 'Release gate', scenario_ids: ['7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34'] }],
  });
export type CreateSuiteRequest = z.output<typeof createSuiteRequest>;

export const updateSuiteRequest = z
  .object({ name: name.optional(), description: description.nullish(), scenario_ids: scenarioIds.optional() })
  .meta({ id: 'UpdateTestSuite', examples: [{ name: 'Release gate 2' }] });
export type UpdateSuiteRequest = z.output<typeof updateSuiteRequest>;

/** Named selections of scenarios. */
@Injectable()
export class SuitesService {
  constructor(private readonly suites: TestSuitesStore) {}

  /** A page of them, by name. */
  async list(page: Page): Promise<SuiteList> {
    const suites = await this.suites.list(page);
    const total = await totalOf(page, suites.length, () => this.suites.count());
    return { test_suites: suites.map(viewOfSuite), total };
  }

  /** @throws NotFoundException */
  async find(id: string): Promise<Tagged<SuiteView>> {
    return tagged(viewOfSuite(existing(await this.suites.find(id))));
  }

  /**
   * @param remember is written with it
   * @throws BadRequestException naming scenarios that do not exist
   */
  async create(
    { name, description, scenario_ids }: CreateSuiteRequest,
    remember: WriteWith<Tagged<SuiteView>>,
  ): Promise<Tagged<SuiteView>> {
    const suite = { name, description: description ?? null, scenarioIds: distinct(scenario_ids) };
    const stored = this.suites.create(suite, (tx, made) => remember(tx, tagged(viewOfSuite(made))));
    return tagged(viewOfSuite(await refusingUnknown(stored)));
  }

  /**
   * @param ifMatch the header
   * @throws NotFoundException, HttpException 412, BadRequestException naming scenarios that do not exist
   */
  async update(
    id: string,
    { scenario_ids, ...fields }: UpdateSuiteRequest,
    ifMatch?: string,
  ): Promise<Tagged<SuiteView>> {
    const changes = { ...fields, ...(scenario_ids !== undefined && { scenarioIds: distinct(scenario_ids) }) };
    const check = (stored: TestSuiteEntity): void =>
      requireMatch(ifMatch, tagged(viewOfSuite(stored)).etag, 'test suite');
    return tagged(viewOfSuite(existing(await refusingUnknown(this.suites.update(id, changes, check)))));
  }

  /** @throws NotFoundException */
  async delete(id: string): Promise<void> {
    if (!(await this.suites.delete(id))) throw new NotFoundException('Test suite not found');
  }
}

/** UUIDs are lower case; a scenario is run once, where it is named first. */
function distinct(scenarioIds: readonly string[]): string[] {
  return [...new Set(scenarioIds.map((id) => id.toLowerCase()))];
}

async function refusingUnknown<Result>(stored: Promise<Result>): Promise<Result> {
  try {
    return await stored;
  } catch (error) {
    if (error instanceof UnknownScenariosError) {
      throw new BadRequestException(`scenario_ids: no such scenario: ${listNames(error.scenarioIds)}`);
    }
    throw error;
  }
}

function existing(suite: TestSuiteEntity | null): TestSuiteEntity {
  if (suite === null) throw new NotFoundException('Test suite not found');
  return suite;
}
