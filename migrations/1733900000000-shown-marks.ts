import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which service key was shown how a conversation was marked, and what others decided about it: whether a review is blind is known from
 * here and not from whoever writes it. One row for a key and a run, or a scenario run. The caller is empty where a service without keys
 * has shown it: then anybody may have seen it. So it may be for all that was marked before this was kept.
 *
 * A review has the name of the key that wrote it. Those written before have none, and keep the `blind` that their writers gave.
 */
export class ShownMarks1733900000000 implements MigrationInterface {
  readonly name = 'ShownMarks1733900000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE shown_marks (
        test_run_id uuid NOT NULL,
        subject_id uuid NOT NULL,
        caller text NOT NULL,
        what text NOT NULL,
        shown_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (test_run_id, subject_id, caller, what)
      );
      ALTER TABLE reviews ADD COLUMN key_name text, ADD COLUMN not_blind_because text;
      INSERT INTO shown_marks (test_run_id, subject_id, caller, what) SELECT id, id, '', 'marks' FROM test_runs;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
