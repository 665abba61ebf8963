import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When the next request to an agent may be sent, for all processes together. One row for each credential that has a limit;
 * `key` is a digest. Unlogged: what a crash of the server empties is at most one pause between two requests.
 */
export class SharedRequestBudgets1732100000000 implements MigrationInterface {
  readonly name = 'SharedRequestBudgets1732100000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE UNLOGGED TABLE request_budgets (
        key text PRIMARY KEY,
        free_at timestamptz NOT NULL
      ) WITH (fillfactor = 50);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
