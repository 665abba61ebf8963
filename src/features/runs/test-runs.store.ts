import { Injectable, NotFoundException } from '@nestjs/common';
import type { TestRunFilter } from '../../../contract/test-runs';
import type { PatientProfile } from '../../domain';
import { Database, type Part, isUuid } from '../../platform/database';
import { COUNTS_OF_T, TEST_RUN_COLUMNS, type TestRunRecord } from './test-run.row';
import { SHOWN_RUNS } from '../../engine/ledger';

export interface TestRunPage {
  readonly runs: readonly TestRunRecord[];
  readonly total: number;
}

/** A conversation of a run as it was planned. */
export interface PlannedRow {
  readonly scenario_id: string;
  readonly trial: number;
  readonly patient: PatientProfile;
  /** Null in runs that left it to chance. */
  readonly seed: number | null;
}

/** Reads test runs. Everything that writes them is in TestRunLedger. */
@Injectable()
export class TestRunsStore {
  constructor(private readonly database: Database) {}

  /** By UUID or by `run_…` label. */
  async find(idOrLabel: string): Promise<TestRunRecord | null> {
    return (await this.findMany([idOrLabel])).get(idOrLabel) ?? null;
  }

  /** By UUIDs and labels, in one query; what does not exist is missing from the answer. */
  async findMany(idsOrLabels: readonly string[]): Promise<Map<string, TestRunRecord>> {
    const runs = await this.database.query<TestRunRecord>(
      `SELECT ${TEST_RUN_COLUMNS} FROM ${SHOWN_RUNS} t ${COUNTS_OF_T}
       WHERE t.id = ANY($1::uuid[]) OR t.label = ANY($2::text[])`,
      [idsOrLabels.filter(isUuid), idsOrLabels.filter((text) => !isUuid(text))],
    );
    const found = new Map<string, TestRunRecord>();
    for (const run of runs) {
      for (const key of idsOrLabels) {
        if (key === run.test_run_id || key.toLowerCase() === run.id) found.set(key, run);
      }
    }
    return found;
  }

  /** The configs of the agents that runs examined, secrets masked, by the runs' ids; null where it was not kept. */
  async agentConfigsOf(ids: readonly string[]): Promise<Map<string, Readonly<Record<string, unknown>> | null>> {
    const rows = await this.database.query<{ id: string; config: Readonly<Record<string, unknown>> | null }>(
      `SELECT id, agent_config AS config FROM ${SHOWN_RUNS} t WHERE id = ANY($1::uuid[])`,
      [ids],
    );
    return new Map(rows.map(({ id, config }) => [id, config]));
  }

  /** Newest first. */
  async list({ limit, offset, ...filter }: TestRunFilter & Part): Promise<TestRunPage> {
    const { where, values } = conditionsOf(filter);
    const [runs, [count]] = await Promise.all([
      this.database.query<TestRunRecord>(
        `SELECT ${TEST_RUN_COLUMNS} FROM (
           SELECT * FROM ${SHOWN_RUNS} t ${where} ORDER BY created_at DESC, id
           LIMIT $${values.length + 1} OFFSET $${values.length + 2}
         ) t ${COUNTS_OF_T} ORDER BY t.created_at DESC, t.id`,
        [...values, limit, offset],
      ),
      this.database.query<{ total: number }>(`SELECT count(*)::int AS total FROM ${SHOWN_RUNS} t ${where}`, values),
    ]);
    return { runs, total: count?.total ?? 0 };
  }

  /** Where its conversations stand, in their order: the scenario, trial, patient and judge's seed of each. */
  async plannedOf(testRunId: string): Promise<PlannedRow[]> {
    return this.database.query<PlannedRow>(
      `SELECT scenario_id, trial, patient, (examination->>'seed')::float8 AS seed FROM scenario_runs
       WHERE test_run_id = $1 ORDER BY position`,
      [testRunId],
    );
  }

  /** The seed by which the first spoken run of a family was disturbed; null when none of it was spoken. @param first of the family */
  async soundSeedOf(first: string): Promise<number | null> {
    const [row] = await this.database.query<{ seed: number }>(
      `SELECT (spoken->>'seed')::float8 AS seed FROM ${SHOWN_RUNS} t
       WHERE (id = $1::uuid OR twin_of = $1::uuid) AND spoken IS NOT NULL ORDER BY created_at, id LIMIT 1`,
      [first],
    );
    return row?.seed ?? null;
  }

  /** The UUID of a run named by UUID or label; null when there is none. */
  async resolve(idOrLabel: string): Promise<string | null> {
    const [row] = await this.database.query<{ id: string }>(
      `SELECT id FROM ${SHOWN_RUNS} t WHERE ${isUuid(idOrLabel) ? 'id = $1::uuid' : 'label = $1'}`,
      [idOrLabel],
    );
    return row?.id ?? null;
  }
}

/** SQL for each way to choose runs; `$` stands for what is asked for. */
const CONDITIONS: Readonly<Record<keyof TestRunFilter, string>> = {
  status: 't.status = $',
  derived_from: 't.derived_from = $::uuid',
  twin_of: `t.id <> $::uuid AND (t.twin_of = $::uuid
    OR (SELECT n.twin_of FROM test_runs n WHERE n.id = $::uuid) IN (t.id, t.twin_of))`,
  agent_id: 't.agent_id = $::uuid',
  agent_version: 't.agent_version = $',
  modality: 't.modality = $',
  test_suite_id: 't.test_suite_id = $::uuid',
  tag: '$ = ANY (t.tags)',
  q: `position(lower($::text) IN lower(concat_ws(chr(10), t.label, t.name, t.note, t.agent_name, t.agent_version, array_to_string(t.tags, chr(10))))) > 0`,
  from: 't.created_at >= $',
  to: 't.created_at < $',
};

function conditionsOf(filter: TestRunFilter): { readonly where: string; readonly values: unknown[] } {
  const asked = new Map<string, unknown>(Object.entries(filter));
  const given = Object.entries(CONDITIONS).filter(([name]) => asked.get(name) !== undefined);
  const conditions = given.map(([, sql], place) => sql.replaceAll('$', () => `$${place + 1}`));
  return {
    where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`,
    values: given.map(([name]) => asked.get(name)),
  };
}

/**
 * Call it after reading more than one row of a run. Deleting a run removes its own row first and the rest later: while that row
 * exists, everything read before was complete; once it is gone, part of it may have been missing.
 * @throws NotFoundException
 */
export async function assertRunExists(
  testRuns: TestRunsStore,
  id: string,
  message = 'Test run not found',
): Promise<void> {
  if ((await testRuns.resolve(id)) === null) throw new NotFoundException(message);
}
