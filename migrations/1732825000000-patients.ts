import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readFunction } from '../src/persistence/ledger/functions';

/**
 * A scenario is examined with patients who behave differently: each scenario run says with which. What was stored before, and what
 * processes of the release before store meanwhile, is a cooperative patient who speaks English. A constant default changes no row.
 */
export class Patients1732825000000 implements MigrationInterface {
  readonly name = 'Patients1732825000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE scenario_runs ADD COLUMN patient json NOT NULL DEFAULT '{"style":"cooperative","language":"en"}'`,
    );
    await queryRunner.query(readFunction('claim-scenario-runs.v5.sql'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
