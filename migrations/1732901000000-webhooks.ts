import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who is told of what, and what is to be told: a trigger notes it in the transaction that ends a run, whatever ends it and whichever
 * release the process is of. Comparisons are noted the same way and made afterwards.
 */
export class Webhooks1732901000000 implements MigrationInterface {
  readonly name = 'Webhooks1732901000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE webhooks (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        url text NOT NULL,
        description text,
        events text[] NOT NULL,
        secret text NOT NULL,
        is_active boolean NOT NULL DEFAULT true,
        disabled_reason text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE TABLE webhook_deliveries (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        webhook_id uuid NOT NULL CONSTRAINT webhook_deliveries_webhook_id_fkey REFERENCES webhooks ON DELETE CASCADE,
        type text NOT NULL,
        test_run_id uuid,
        payload json,
        status text NOT NULL DEFAULT 'pending',
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz(3) DEFAULT now(),
        claim uuid,
        last_attempt_at timestamptz(3),
        last_status_code integer,
        last_error text,
        response_excerpt text,
        delivered_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT webhook_deliveries_once UNIQUE (webhook_id, type, test_run_id)
      );
      CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at) WHERE status = 'pending';
      CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (webhook_id, created_at);
      CREATE TABLE webhook_comparisons (
        test_run_id uuid PRIMARY KEY,
        baseline_test_run_id uuid NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz(3) NOT NULL DEFAULT now(),
        claim uuid
      );
      CREATE FUNCTION note_end_of_test_run() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO webhook_deliveries (webhook_id, type, test_run_id)
          SELECT w.id, 'test_run.finished', NEW.id FROM webhooks w
          WHERE w.is_active AND 'test_run.finished' = ANY (w.events) FOR KEY SHARE
          ON CONFLICT DO NOTHING;
          IF NEW.status = 'completed' THEN
            INSERT INTO webhook_comparisons (test_run_id, baseline_test_run_id)
            SELECT NEW.id, a.baseline_test_run_id FROM agents a
            WHERE a.id = NEW.agent_id AND a.baseline_test_run_id <> NEW.id
              AND EXISTS (SELECT FROM webhooks w WHERE w.is_active AND 'comparison.worse' = ANY (w.events))
            ON CONFLICT DO NOTHING;
          END IF;
          RETURN NULL;
        END $$;
      CREATE TRIGGER test_runs_note_end AFTER UPDATE OF status ON test_runs FOR EACH ROW
        WHEN (OLD.status IS DISTINCT FROM NEW.status AND NEW.status IN ('completed', 'failed', 'canceled'))
        EXECUTE FUNCTION note_end_of_test_run();
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
