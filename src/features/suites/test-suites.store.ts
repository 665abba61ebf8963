import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { Database, findOptions, type Part, isUuid, ALONE, statementsOf, type WriteWith } from '../../platform/database';
import { TestSuiteEntity } from './test-suite.entity';
import { ScenarioSelectionStore } from '../scenarios/scenario-selection.store';

export interface NewTestSuite {
  readonly name: string;
  readonly description: string | null;
  /** In the order in which they are run. */
  readonly scenarioIds: readonly string[];
}

export type TestSuiteChanges = Partial<NewTestSuite>;

/** A suite was to hold scenarios that do not exist. */
export class UnknownScenariosError extends Error {
  override readonly name = 'UnknownScenariosError';

  constructor(readonly scenarioIds: readonly string[]) {
    super(`Scenarios not found: ${scenarioIds.join(', ')}`);
  }
}

/** Named selections of scenarios. An id that is not a UUID is an id that no suite has. */
@Injectable()
export class TestSuitesStore {
  constructor(
    private readonly database: Database,
    private readonly selection: ScenarioSelectionStore,
  ) {}

  /** By name: all of them, or a part of the list. */
  list(part?: Part): Promise<TestSuiteEntity[]> {
    return this.suites.find({ order: { name: 'ASC', id: 'ASC' }, ...findOptions(part) });
  }

  count(): Promise<number> {
    return this.suites.count();
  }

  async find(id: string): Promise<TestSuiteEntity | null> {
    return isUuid(id) ? this.suites.findOneBy({ id }) : null;
  }

  /** @throws UnknownScenariosError */
  async create(suite: NewTestSuite, also: WriteWith<TestSuiteEntity> = ALONE): Promise<TestSuiteEntity> {
    await this.requireKnown(suite.scenarioIds);
    return this.database.dataSource.transaction(async (manager) => {
      const stored = await manager.save(Object.assign(new TestSuiteEntity(), suite));
      await also(statementsOf(manager), stored);
      return stored;
    });
  }

  /**
   * The row as changed; null when unknown.
   * @param check throws when the row is not to be changed
   * @throws UnknownScenariosError
   */
  async update(
    id: string,
    changes: TestSuiteChanges,
    check: (stored: TestSuiteEntity) => void = () => undefined,
  ): Promise<TestSuiteEntity | null> {
    if ((await this.find(id)) === null) return null;
    if (changes.scenarioIds !== undefined) await this.requireKnown(changes.scenarioIds);
    return this.database.dataSource.transaction(async (manager) => {
      const suite = await manager.findOne(TestSuiteEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (suite === null) return null;
      check(suite);
      return manager.save(Object.assign(suite, changes));
    });
  }

  /** Its scenarios and runs stay. False when unknown. */
  async delete(id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    const { affected } = await this.suites.delete({ id });
    return affected === 1;
  }

  /** One that is purged in this very moment is left out of the runs of the suite. */
  private async requireKnown(scenarioIds: readonly string[]): Promise<void> {
    const unknown = await this.selection.findUnknown(scenarioIds);
    if (unknown.length > 0) throw new UnknownScenariosError(unknown);
  }

  private get suites(): Repository<TestSuiteEntity> {
    return this.database.dataSource.getRepository(TestSuiteEntity);
  }
}
