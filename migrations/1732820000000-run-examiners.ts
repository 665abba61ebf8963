import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The models that a run asks for, and who really examined in it: more than one pair when something changed on the way. Without a
 * foreign key, whose check would wait for the lock of the run.
 */
export class RunExaminers1732820000000 implements MigrationInterface {
  readonly name = 'RunExaminers1732820000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE test_runs ADD COLUMN tester_model text, ADD COLUMN judge_model text;
      CREATE TABLE run_examiners (
        test_run_id uuid NOT NULL,
        tester jsonb NOT NULL,
        judge jsonb NOT NULL,
        noted_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (test_run_id, tester, judge)
      );
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
