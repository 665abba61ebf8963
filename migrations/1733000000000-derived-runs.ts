import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readFunction } from '../src/persistence/ledger/functions';

/**
 * A run may begin from the rows of another, and each of its scenario runs says which one it began from and how much of it was taken
 * over. Without foreign keys: a derived run is read on when its source is deleted. Older versions of claim_scenario_runs stay:
 * processes of the release before call theirs until the last of them has stopped.
 */
export class DerivedRuns1733000000000 implements MigrationInterface {
  readonly name = 'DerivedRuns1733000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // In the order in which every writer takes them.
    await queryRunner.query('LOCK TABLE test_runs, scenario_runs IN ACCESS EXCLUSIVE MODE');
    await queryRunner.query(`
      ALTER TABLE test_runs ADD COLUMN derived_from uuid, ADD COLUMN derivation text;
      ALTER TABLE scenario_runs ADD COLUMN source_scenario_run_id uuid, ADD COLUMN carried boolean NOT NULL DEFAULT false,
        ADD COLUMN kept_turns integer, ADD COLUMN given_message text, ADD COLUMN played_by json;
    `);
    await queryRunner.query(readFunction('claim-scenario-runs.v6.sql'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
