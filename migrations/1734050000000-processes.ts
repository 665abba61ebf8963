import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The processes that are at work on this database, each with when it was last seen and who may play and mark in it. */
export class Processes1734050000000 implements MigrationInterface {
  readonly name = 'Processes1734050000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE UNLOGGED TABLE processes (
        id uuid PRIMARY KEY,
        bus text NOT NULL,
        testers jsonb NOT NULL,
        judges jsonb NOT NULL,
        started_at timestamptz(3) NOT NULL DEFAULT now(),
        seen_at timestamptz(3) NOT NULL DEFAULT now()
      ) WITH (fillfactor = 50);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
