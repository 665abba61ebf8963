import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Transcripts are stored once: the event of a turn names the turn that holds its text. Events name their scenario run in a
 * column of its own.
 *
 * The log gets a new name. Under the old one, processes of the release before find what they know: a view in which every event
 * is whole, and which takes what they append. The next release drops it.
 *
 * The counts of a run are kept beside the number of its last event, and are those of its rows while counted_seq equals
 * last_seq (append-run-events): a process that does not know them moves last_seq alone.
 */
export class EventsReferToTurns1732700000000 implements MigrationInterface {
  readonly name = 'EventsReferToTurns1732700000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // In the order in which every writer takes them: whoever appends events holds its run already.
    await queryRunner.query('LOCK TABLE test_runs, run_events IN ACCESS EXCLUSIVE MODE');
    await queryRunner.query(`
      ALTER TABLE run_events RENAME TO run_log;
      ALTER TABLE run_log RENAME CONSTRAINT run_events_pkey TO run_log_pkey;
      ALTER TABLE run_log RENAME CONSTRAINT run_events_test_run_id_fkey TO run_log_test_run_id_fkey;
      ALTER TABLE run_log ADD COLUMN scenario_run_id uuid, ADD COLUMN conversation integer, ADD COLUMN turn integer;

      ALTER TABLE test_runs
        ADD COLUMN counted_seq bigint NOT NULL DEFAULT 0,
        ADD COLUMN passed_count integer NOT NULL DEFAULT 0,
        ADD COLUMN failed_count integer NOT NULL DEFAULT 0,
        ADD COLUMN error_count integer NOT NULL DEFAULT 0,
        ADD COLUMN canceled_count integer NOT NULL DEFAULT 0;

      CREATE VIEW run_events AS
      SELECT e.test_run_id, e.seq, e.type, e.at,
             CASE WHEN u.turn IS NULL THEN e.fields ELSE
               ('{"type":"transcript_update","scenario_run_id":"' || u.scenario_run_id || '","turn":' || u.turn
                || ',"patient_message":' || to_json(u.patient_message) || ',"agent_message":' || to_json(u.agent_message)
                || ',"latency_ms":' || to_json(u.latency_ms) || '}')::json
             END AS fields
      FROM run_log e
      LEFT JOIN turns u ON u.scenario_run_id = e.scenario_run_id AND u.conversation = e.conversation AND u.turn = e.turn;

      CREATE FUNCTION append_to_run_log() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.at := COALESCE(NEW.at, now());
        INSERT INTO run_log (test_run_id, seq, type, at, fields, scenario_run_id)
        VALUES (NEW.test_run_id, NEW.seq, NEW.type, NEW.at, NEW.fields,
                (NEW.fields->>'scenario_run_id')::uuid);
        RETURN NEW;
      END $$;
      CREATE TRIGGER run_events_append INSTEAD OF INSERT ON run_events FOR EACH ROW EXECUTE FUNCTION append_to_run_log();
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
