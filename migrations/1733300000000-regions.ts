import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readFunction } from '../src/persistence/ledger/functions';

/**
 * A run knows in which region its agent's patients are. Runs of releases that did not ask have none: in them any country's emergency
 * number counts, as it did when they were marked, also when they are marked again.
 */
export class Regions1733300000000 implements MigrationInterface {
  readonly name = 'Regions1733300000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE test_runs ADD COLUMN region text');
    await queryRunner.query(readFunction('claim-scenario-runs.v7.sql'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
