import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readFunction } from '../src/persistence/ledger/functions';

/**
 * What the statistics of a run count of a scenario run (src/persistence/ledger/findings.ts) stands beside its marks, and so do its
 * examiners. Rows without examiners ended before, or by a process of the release before: of those the marks themselves are read.
 */
export class Findings1732810000000 implements MigrationInterface {
  readonly name = 'Findings1732810000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE scenario_runs ADD COLUMN examiners json, ADD COLUMN findings json');
    await queryRunner.query(readFunction('record-scenario-changes.v4.sql'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
