import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readFunction } from '../src/persistence/ledger/functions';

/**
 * A run holds each of its conversations several times: `trials` says how often, and each scenario run says which of them it
 * is. What was stored before, and what processes of the release before store meanwhile, is one trial.
 *
 * The functions that those processes call stay, those that end in _2 too: none was released since.
 */
export class Trials1732800000000 implements MigrationInterface {
  readonly name = 'Trials1732800000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // In the order in which every writer takes them. A constant default changes no row.
    await queryRunner.query('LOCK TABLE test_runs, scenario_runs IN ACCESS EXCLUSIVE MODE');
    await queryRunner.query(`
      ALTER TABLE test_runs ADD COLUMN trials integer NOT NULL DEFAULT 1;
      ALTER TABLE scenario_runs ADD COLUMN trial integer NOT NULL DEFAULT 1;
    `);
    await queryRunner.query(readFunction('claim-scenario-runs.v4.sql'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
