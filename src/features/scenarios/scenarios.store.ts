import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ArrayContains, In, type EntityManager, type FindOptionsWhere, type Repository } from 'typeorm';
import type { RubricCriterion } from '../../domain';
import {
  ADVISORY_LOCKS,
  ALONE,
  statementsOf,
  type WriteWith,
  Database,
  findOptions,
  type Part,
  insertRows,
  updateRow,
  isUuid,
} from '../../platform/database';
import { type ScenarioContent, firstRevision, revised, type Sealed, type Signature } from './scenario-revision';
import { ScenarioRevisionEntity, ScenarioEntity } from './scenario.entity';

export interface NewScenario {
  readonly name: string;
  readonly category: string;
  readonly scenarioType: string;
  readonly severity: string;
  readonly isActive: boolean;
  readonly approved: boolean;
  readonly priority: number | null;
  readonly content: Readonly<Record<string, unknown>>;
  readonly rubricCriteria: readonly RubricCriterion[];
  readonly tags: readonly string[];
  /** The person who approves it, when `approved` is true. */
  readonly signature?: Signature;
}

export type ScenarioChanges = Partial<NewScenario>;

/** Scenarios. A deleted one is only no longer active. An id that is not a UUID is an id that no scenario has. */
@Injectable()
export class ScenariosStore {
  constructor(private readonly database: Database) {}

  /**
   * The active ones, those with the tag if one is given, in the order in which they are run: by priority, then by name.
   * All of them, or a part of the list.
   */
  listActive(tag: string | null = null, part?: Part): Promise<ScenarioEntity[]> {
    return this.scenarios.find({
      where: activeWith(tag),
      order: { priority: { direction: 'ASC', nulls: 'LAST' }, name: 'ASC', id: 'ASC' },
      ...findOptions(part),
    });
  }

  countActive(tag: string | null): Promise<number> {
    return this.scenarios.countBy(activeWith(tag));
  }

  /** Active or not; null when unknown. */
  async find(id: string): Promise<ScenarioEntity | null> {
    return isUuid(id) ? this.scenarios.findOneBy({ id }) : null;
  }

  async create(scenario: NewScenario, also: WriteWith<ScenarioEntity> = ALONE): Promise<ScenarioEntity> {
    return only(await this.createAll([scenario], (tx, created) => also(tx, only(created))));
  }

  /** Stores all of them or none; answers in their order. */
  createAll(
    scenarios: readonly NewScenario[],
    also: WriteWith<readonly ScenarioEntity[]> = ALONE,
  ): Promise<ScenarioEntity[]> {
    return this.database.dataSource.transaction(async (manager) => {
      const created = await insert(manager, scenarios, new Date());
      await also(statementsOf(manager), created);
      return created;
    });
  }

  /**
   * Stores them if there never was a scenario here (a deleted one counts), once, however many processes try at the same time. No
   * person has approved these, whatever they say. Answers whether they were stored.
   */
  createAllIfEmpty(scenarios: readonly NewScenario[]): Promise<boolean> {
    return this.database.dataSource.transaction(async (manager: EntityManager) => {
      await manager.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.starterScenarios]);
      if (await manager.exists(ScenarioEntity)) return false;
      await insert(manager, scenarios, null);
      return true;
    });
  }

  /**
   * The row as changed, with a new revision when content or rubric have changed; null when unknown.
   * @param check throws when the row, sealed, is not to be changed
   */
  async update(
    id: string,
    changes: ScenarioChanges,
    check: (stored: ScenarioEntity) => void = () => undefined,
  ): Promise<ScenarioEntity | null> {
    if (!isUuid(id)) return null;
    return this.database.dataSource.transaction(async (manager) => {
      const stored = await lockScenario(manager, id);
      if (stored === null) return null;
      check(stored);
      const { approved, signature, ...fields } = changes;
      const sealed = revised(stored, changes, { approved, signature }, new Date());
      await updateRow(manager, ScenarioEntity, id, { ...fields, ...sealed });
      const scenario = await manager.findOneByOrFail(ScenarioEntity, { id });
      if (scenario.revision !== stored.revision)
        await insertRows(manager, ScenarioRevisionEntity, [revisionOf(scenario)]);
      else if (approved === true) await noteApproval(manager, scenario);
      return scenario;
    });
  }

  /** Marks it inactive; doing so again is no mistake. False when unknown. */
  async deactivate(id: string): Promise<boolean> {
    return (await this.update(id, { isActive: false })) !== null;
  }

  private get scenarios(): Repository<ScenarioEntity> {
    return this.database.dataSource.getRepository(ScenarioEntity);
  }
}

function only([created]: readonly ScenarioEntity[]): ScenarioEntity {
  if (created === undefined) throw new Error('A scenario that was just stored is gone.');
  return created;
}

function activeWith(tag: string | null): FindOptionsWhere<ScenarioEntity> {
  return { isActive: true, ...(tag !== null && { tags: ArrayContains([tag]) }) };
}

/** Answers the rows as stored, in the order given, each with its first revision. */
async function insert(
  manager: EntityManager,
  scenarios: readonly NewScenario[],
  approvedAt: Date | null,
): Promise<ScenarioEntity[]> {
  const rows = scenarios.map(({ signature, ...scenario }) => ({
    ...scenario,
    ...firstRevision(scenario, { approved: scenario.approved, signature }, approvedAt),
    id: randomUUID(),
  }));
  await insertRows(manager, ScenarioEntity, rows);
  await insertRows(manager, ScenarioRevisionEntity, rows.map(revisionOf));
  const stored = new Map(
    (await manager.findBy(ScenarioEntity, { id: In(rows.map(({ id }) => id)) })).map((row) => [row.id, row]),
  );
  return rows.flatMap(({ id }) => stored.get(id) ?? []);
}

function lockScenario(manager: EntityManager, id: string): Promise<ScenarioEntity | null> {
  return manager.findOne(ScenarioEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
}

function revisionOf({
  id: scenarioId,
  revision,
  contentHash,
  content,
  rubricCriteria,
  approved,
  approvedBy,
  approvedRole,
  approvedAt,
}: { readonly id: string } & ScenarioContent & Pick<ScenarioEntity, keyof Sealed>) {
  const approval = approved ? { approvedBy, approvedRole, approvedAt } : NO_APPROVAL;
  return { scenarioId, revision, contentHash, content, rubricCriteria, ...approval };
}

const NO_APPROVAL = { approvedBy: null, approvedRole: null, approvedAt: null } as const;

/** The rest of a revision stays as it was written. */
async function noteApproval(manager: EntityManager, { id, revision, ...approval }: ScenarioEntity): Promise<void> {
  const { approvedBy, approvedRole, approvedAt } = approval;
  await manager.update(ScenarioRevisionEntity, { scenarioId: id, revision }, { approvedBy, approvedRole, approvedAt });
}

export interface ScenarioRevisionRecord {
  readonly revision: number;
  readonly content_hash: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly rubric_criteria: readonly RubricCriterion[];
  readonly approved_by: string | null;
  readonly approved_role: string | null;
  readonly approved_at: Date | null;
  readonly created_at: Date;
}

/** A page holds no more text than this, but always one revision. */
const MOST_BYTES = 1024 * 1024;

/** What scenarios held, revision by revision. */
@Injectable()
export class ScenarioRevisionsStore {
  constructor(private readonly database: Database) {}

  /** Newest first. A page of long ones is shorter than its limit. */
  async list(
    scenarioId: string,
    { limit, offset }: Part,
  ): Promise<{ readonly revisions: readonly ScenarioRevisionRecord[]; readonly total: number }> {
    const [revisions, [count]] = await Promise.all([
      this.database.query<ScenarioRevisionRecord>(
        `SELECT revision, content_hash, content, rubric_criteria, approved_by, approved_role, approved_at, created_at FROM (
           SELECT *, row_number() OVER newest AS place,
                  sum(octet_length(content::text) + octet_length(rubric_criteria::text)) OVER newest AS bytes
           FROM (SELECT * FROM scenario_revisions WHERE scenario_id = $1 ORDER BY revision DESC LIMIT $2 OFFSET $3) page
           WINDOW newest AS (ORDER BY revision DESC)
         ) sized WHERE place = 1 OR bytes <= ${MOST_BYTES} ORDER BY revision DESC`,
        [scenarioId, limit, offset],
      ),
      this.database.query<{ total: number }>(
        'SELECT count(*)::int AS total FROM scenario_revisions WHERE scenario_id = $1',
        [scenarioId],
      ),
    ]);
    return { revisions, total: count?.total ?? 0 };
  }
}
