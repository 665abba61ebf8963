import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A labelled transcript may say where its patient was: there, and nowhere else, its emergency number is the right one. */
export class RegionsOfLabels1733800000000 implements MigrationInterface {
  readonly name = 'RegionsOfLabels1733800000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE calibration_items ADD COLUMN region text');
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
