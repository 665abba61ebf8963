import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readFunction } from '../src/persistence/ledger/functions';

/**
 * Installs the functions through which the ledger writes, as their files say. What ends in _2 stays: processes of the release
 * before call it until the last of them has stopped.
 */
export class InstallLedgerFunctions1732720000000 implements MigrationInterface {
  readonly name = 'InstallLedgerFunctions1732720000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const file of ['append-run-events.v1.sql', 'record-scenario-changes.v3.sql', 'claim-scenario-runs.v3.sql']) {
      await queryRunner.query(readFunction(file));
    }
    await queryRunner.query(
      'DROP FUNCTION IF EXISTS record_scenario_changes_1; DROP FUNCTION IF EXISTS claim_scenario_runs_1;',
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
