import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is deleted leaves nothing of it behind: neither in the answers that are kept for requests with an Idempotency-Key, nor in what
 * webhooks are told. An answer names what it is about; triggers empty it in the transaction of the deletion, whatever deletes and whichever
 * process, and a repeated request is told that it is gone. Deliveries about a run go with it: one that is under way is not sent any more
 * unless it has been sent already.
 */
export class ForgetDeletedRuns1734060000000 implements MigrationInterface {
  readonly name = 'ForgetDeletedRuns1734060000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE idempotency_keys ADD COLUMN about uuid[] NOT NULL DEFAULT '{}', ADD COLUMN is_gone boolean NOT NULL DEFAULT false;
      CREATE INDEX idempotency_keys_about ON idempotency_keys USING gin (about);
      CREATE FUNCTION forget_answers_about_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE idempotency_keys SET is_gone = true, answer = '{}' WHERE about @> ARRAY[OLD.id] AND answer IS NOT NULL;
          RETURN NULL;
        END $$;
      CREATE TRIGGER scenarios_forget_answers AFTER DELETE ON scenarios FOR EACH ROW
        EXECUTE FUNCTION forget_answers_about_deleted();
      CREATE TRIGGER test_suites_forget_answers AFTER DELETE ON test_suites FOR EACH ROW
        EXECUTE FUNCTION forget_answers_about_deleted();
      CREATE TRIGGER calibrations_forget_answers AFTER DELETE ON calibrations FOR EACH ROW
        EXECUTE FUNCTION forget_answers_about_deleted();
      CREATE TRIGGER webhooks_forget_answers AFTER DELETE ON webhooks FOR EACH ROW
        EXECUTE FUNCTION forget_answers_about_deleted();
      CREATE OR REPLACE FUNCTION note_deleted_test_run() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE scenario_runs SET status = 'canceled', owner = NULL
          WHERE test_run_id = OLD.id AND status IN ('pending', 'running', 'grading');
          INSERT INTO deleted_test_runs (test_run_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
          UPDATE idempotency_keys SET is_gone = true, answer = '{}' WHERE about @> ARRAY[OLD.id] AND answer IS NOT NULL;
          DELETE FROM webhook_deliveries WHERE test_run_id = OLD.id;
          DELETE FROM webhook_comparisons WHERE test_run_id = OLD.id;
          RETURN NULL;
        END $$;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
