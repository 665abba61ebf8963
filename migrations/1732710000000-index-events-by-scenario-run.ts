import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndexOnline } from './online-index';

/**
 * Events that were stored before they had a column for their scenario run get it, run after run, and the index on that column
 * takes the place of the one that parsed every event. What an interrupted try has done is passed over by the next one.
 */
export class IndexEventsByScenarioRun1732710000000 implements MigrationInterface {
  readonly name = 'IndexEventsByScenarioRun1732710000000';
  /** The log of events may be large, and older processes go on writing to it. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await nameScenarioRuns(queryRunner);
    await buildIndexOnline(
      queryRunner,
      'run_log_by_scenario_run',
      'ON run_log (scenario_run_id) WHERE scenario_run_id IS NOT NULL',
    );
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS run_events_of_scenario_runs');
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}

async function nameScenarioRuns(queryRunner: QueryRunner): Promise<void> {
  for (let last: string | null = null; ;) {
    const runs: { id: string }[] = await queryRunner.dataSource.query(
      'SELECT id FROM test_runs WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2',
      [last, 1],
      queryRunner,
    );
    const ids = runs.map(({ id }) => id);
    last = ids.at(-1) ?? null;
    if (last === null) return;
    await queryRunner.query(
      `UPDATE run_log SET scenario_run_id = (fields->>'scenario_run_id')::uuid
       WHERE test_run_id = ANY($1::uuid[]) AND scenario_run_id IS NULL AND type NOT LIKE 'test\\_run\\_%'`,
      [ids],
    );
  }
}
