import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import { listNames } from '../../domain';
import type { WriteWith } from '../../platform/database';
import { requireMatch, tagged, type Tagged, totalOf } from '../../platform/http';
import type { TestSuiteEntity } from './test-suite.entity';
import { TestSuitesStore, UnknownScenariosError } from './test-suites.store';
import {
  type SuiteView,
  type SuiteList,
  type CreateSuiteRequest,
  type UpdateSuiteRequest,
} from '../../../contract/test-suites';
import type { Page } from '../../../contract/page';

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
