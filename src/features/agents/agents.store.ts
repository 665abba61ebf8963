import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IsNull, type Repository } from 'typeorm';
import {
  Database,
  findOptions,
  type Part,
  isUuid,
  insertRows,
  updateRow,
  ALONE,
  statementsOf,
  type Queryable,
  type WriteWith,
} from '../../platform/database';
import { AgentEntity } from './agent.entity';
import { SHOWN_RUNS } from '../../engine/ledger';

export interface NewAgent {
  readonly provider: string;
  readonly name: string;
  readonly description: string | null;
  readonly config: Readonly<Record<string, unknown>>;
}

export interface AgentChanges {
  readonly name?: string;
  readonly description?: string | null;
  /** Makes the new config from the row as it is at the moment of the change. */
  readonly config?: (agent: AgentEntity) => Record<string, unknown> | Promise<Record<string, unknown>>;
  readonly isActive?: boolean;
}

/** A run that is being started has read its agent but not yet stored its row; this outlives that moment by far. */
const ERASE_GRACE_SECONDS = 60;

/**
 * Agents under test. A deleted one is marked, so that live runs can still reach it, and erased with its credentials when
 * the last of them has ended. An id that is not a UUID is an id that no agent has.
 */
@Injectable()
export class AgentsStore {
  constructor(private readonly database: Database) {}

  /** The agents that are not deleted, by name: all of them, or a part of the list. */
  list(part?: Part): Promise<AgentEntity[]> {
    return this.agents.find({ order: { name: 'ASC', id: 'ASC' }, ...findOptions(part) });
  }

  /** The models that agents' configs name, with one agent of each: at most `limit`. */
  namedModels(limit: number): Promise<{ readonly agent: string; readonly model: string }[]> {
    return this.database.query<{ agent: string; model: string }>(
      `SELECT min(name) AS agent, left(config->>'model', 300) AS model FROM agents
       WHERE deleted_at IS NULL AND is_active AND json_typeof(config->'model') = 'string'
       GROUP BY 2 ORDER BY 1 LIMIT $1`,
      [limit],
    );
  }

  count(): Promise<number> {
    return this.agents.count();
  }

  /** Null when unknown or deleted. */
  async find(id: string): Promise<AgentEntity | null> {
    return isUuid(id) ? this.agents.findOneBy({ id }) : null;
  }

  /** Also finds a deleted agent, for the runs that were live when it was deleted. */
  async findForRun(id: string): Promise<AgentEntity | null> {
    return isUuid(id) ? this.agents.findOne({ where: { id }, withDeleted: true }) : null;
  }

  create(agent: NewAgent, also: WriteWith<AgentEntity> = ALONE): Promise<AgentEntity> {
    return this.database.dataSource.transaction(async (manager) => {
      const id = randomUUID();
      await insertRows(manager, AgentEntity, [{ ...agent, id }]);
      const stored = await manager.findOneByOrFail(AgentEntity, { id });
      await also(statementsOf(manager), stored);
      return stored;
    });
  }

  /**
   * The row as changed; null when unknown or deleted. Changes of others at the same time are not lost.
   * @param check throws when the row is not to be changed
   */
  async update(
    id: string,
    { config, ...changes }: AgentChanges,
    check: (stored: AgentEntity) => void | Promise<void> = () => undefined,
  ): Promise<AgentEntity | null> {
    if (!isUuid(id)) return null;
    return this.database.dataSource.transaction(async (manager) => {
      const agent = await manager.findOne(AgentEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (agent === null) return null;
      await check(agent);
      const changed = { ...changes, ...(config !== undefined && { config: await config(agent) }) };
      await updateRow(manager, AgentEntity, id, changed);
      return manager.findOneByOrFail(AgentEntity, { id });
    });
  }

  /**
   * Null removes the baseline. Answers the row as changed, or which of the two does not exist (any more).
   * @param testRunId a run of this agent that has ended
   */
  async setBaseline(id: string, testRunId: string | null): Promise<AgentEntity | 'no agent' | 'no run'> {
    if (!isUuid(id)) return 'no agent';
    return this.database.dataSource.transaction(async (manager) => {
      if (testRunId !== null) {
        // A run that is being deleted is waited for, and is then found to be gone.
        const runs = await manager.query<unknown[]>(`SELECT 1 FROM ${SHOWN_RUNS} t WHERE id = $1 FOR KEY SHARE`, [
          testRunId,
        ]);
        if (runs.length === 0) return 'no run';
      }
      const { affected } = await manager.update(
        AgentEntity,
        { id, deletedAt: IsNull() },
        { baselineTestRunId: testRunId },
      );
      return affected === 1 ? manager.findOneByOrFail(AgentEntity, { id }) : 'no agent';
    });
  }

  /** False when unknown or deleted before. */
  async delete(id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    const { affected } = await this.agents.softDelete({ id });
    return affected === 1;
  }

  /** Removes deleted agents, and with them their credentials, once no run needs them. Answers how many. */
  async eraseDeletedAgents(tx: Queryable, graceSeconds = ERASE_GRACE_SECONDS): Promise<number> {
    const erased = await tx.query<{ id: string }>(
      `DELETE FROM agents a
       WHERE a.deleted_at <= now() - make_interval(secs => $1) AND NOT EXISTS (
         SELECT FROM test_runs t WHERE t.agent_id = a.id AND t.status IN ('scheduled', 'pending', 'running'))
       RETURNING a.id`,
      [graceSeconds],
    );
    return erased.length;
  }

  private get agents(): Repository<AgentEntity> {
    return this.database.dataSource.getRepository(AgentEntity);
  }
}
