import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readFunction } from '../src/persistence/ledger/functions';
import { buildIndexOnline } from './online-index';

/**
 * A claim counts what is under way in its run by an index that holds nothing else. It used to leave the choice among indexes to
 * PostgreSQL, which went through all that waits when its statistics were of another moment: 20,000 rows for each of 20,000 claims.
 */
export class CountWhatIsOwned1734000000000 implements MigrationInterface {
  readonly name = 'CountWhatIsOwned1734000000000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await buildIndexOnline(
      queryRunner,
      'scenario_runs_owned',
      'ON scenario_runs ((test_run_id::text)) WHERE owner IS NOT NULL',
    );
    // Outside a transaction an earlier try may have come as far as this.
    const installed = await queryRunner.dataSource.query<unknown[]>(
      `SELECT FROM pg_proc WHERE proname = 'claim_scenario_runs_8'`,
      [],
      queryRunner,
    );
    if (installed.length === 0) await queryRunner.query(readFunction('claim-scenario-runs.v8.sql'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
