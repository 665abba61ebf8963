import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndexOnline } from './online-index';

/** A run lists the runs that were derived from it. */
export class IndexDerivedRuns1733001000000 implements MigrationInterface {
  readonly name = 'IndexDerivedRuns1733001000000';
  /** Older processes go on writing to the table. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await buildIndexOnline(
      queryRunner,
      'test_runs_by_source',
      'ON test_runs (derived_from) WHERE derived_from IS NOT NULL',
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
