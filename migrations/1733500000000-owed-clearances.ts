import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables whose files may still hold plain text of what has been sealed since: kept until they have been written anew, whoever stops in between. */
export class OwedClearances1733500000000 implements MigrationInterface {
  readonly name = 'OwedClearances1733500000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE owed_clearances (
        table_name text PRIMARY KEY,
        times integer NOT NULL DEFAULT 1
      );
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
