import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The one row that health writes to see whether PostgreSQL still takes writes; room on its page for updates in place. */
export class WriteProbe1732310000000 implements MigrationInterface {
  readonly name = 'WriteProbe1732310000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE write_probe (
        id boolean PRIMARY KEY DEFAULT true CHECK (id),
        written_at timestamptz NOT NULL
      ) WITH (fillfactor = 10);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
