import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A run is deleted by its own row, in a moment, whatever its size: everything that is read finds a run by that row. What belonged to it
 * is noted here, by a trigger, whichever release the process is of, and cleared away in pieces. So no foreign key leads from what is
 * large to the run: with one, deleting a run would be a single transaction over all of its turns and events.
 *
 * What was still going on in it is called off in the same moment: whoever executes it is refused from then on.
 */
export class DeleteRunsInPieces1733600000000 implements MigrationInterface {
  readonly name = 'DeleteRunsInPieces1733600000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Less than a second for the three together: whoever came later waits behind each of them. Then it begins again.
    await queryRunner.query(`SET LOCAL lock_timeout = '300ms'`);
    // In the order in which every writer takes them.
    await queryRunner.query('LOCK TABLE test_runs, scenario_runs, run_log IN ACCESS EXCLUSIVE MODE');
    await queryRunner.query(`
      CREATE TABLE deleted_test_runs (
        test_run_id uuid PRIMARY KEY,
        deleted_at timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE FUNCTION note_deleted_test_run() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE scenario_runs SET status = 'canceled', owner = NULL
          WHERE test_run_id = OLD.id AND status IN ('pending', 'running', 'grading');
          INSERT INTO deleted_test_runs (test_run_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
          RETURN NULL;
        END $$;
      CREATE TRIGGER test_runs_note_deletion AFTER DELETE ON test_runs FOR EACH ROW
        EXECUTE FUNCTION note_deleted_test_run();
      ALTER TABLE scenario_runs DROP CONSTRAINT scenario_runs_test_run_id_fkey;
      ALTER TABLE run_log DROP CONSTRAINT run_log_test_run_id_fkey;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
