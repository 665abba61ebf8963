import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The run that an agent's other runs are compared with when no other is named. With the run it is gone. */
export class Baselines1732850000000 implements MigrationInterface {
  readonly name = 'Baselines1732850000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE agents ADD COLUMN baseline_test_run_id uuid
         CONSTRAINT agents_baseline_test_run_id_fkey REFERENCES test_runs ON DELETE SET NULL`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
