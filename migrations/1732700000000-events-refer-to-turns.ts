import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Transcripts are stored once: the event of a turn names the turn that holds its text. Events name their scenario run in a
 * column of its own; the trigger fills it for what processes of the release before append, which do not know it.
 *
 * The counts of a run are kept beside the number of its last event, and are those of its rows while counted_seq equals
 * last_seq (append-run-events): a process that does not know them moves last_seq alone.
 */
export class EventsReferToTurns1732700000000 implements MigrationInterface {
  readonly name = 'EventsReferToTurns1732700000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE run_events ADD COLUMN scenario_run_id uuid, ADD COLUMN conversation integer, ADD COLUMN turn integer;

      ALTER TABLE test_runs
        ADD COLUMN counted_seq bigint NOT NULL DEFAULT 0,
        ADD COLUMN passed_count integer NOT NULL DEFAULT 0,
        ADD COLUMN failed_count integer NOT NULL DEFAULT 0,
        ADD COLUMN error_count integer NOT NULL DEFAULT 0,
        ADD COLUMN canceled_count integer NOT NULL DEFAULT 0;

      CREATE FUNCTION name_scenario_run_of_event() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.scenario_run_id := NEW.fields->>'scenario_run_id';
        RETURN NEW;
      END $$;
      CREATE TRIGGER run_events_name_scenario_run BEFORE INSERT ON run_events FOR EACH ROW
        WHEN (NEW.scenario_run_id IS NULL AND NEW.type NOT LIKE 'test\\_run\\_%')
        EXECUTE FUNCTION name_scenario_run_of_event();
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
