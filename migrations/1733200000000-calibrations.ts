import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far judges agree with what people decided: labelled transcripts, and the marks that a judge gives them, one at a time. */
export class Calibrations1733200000000 implements MigrationInterface {
  readonly name = 'Calibrations1733200000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE calibrations (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        name text NOT NULL,
        source text NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        repeats integer NOT NULL,
        transcripts integer NOT NULL,
        criteria integer NOT NULL,
        judge_model text,
        judge jsonb NOT NULL,
        result json,
        error_message text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        started_at timestamptz(3),
        completed_at timestamptz(3)
      );
      CREATE TABLE calibration_items (
        calibration_id uuid NOT NULL CONSTRAINT calibration_items_calibration_id_fkey REFERENCES calibrations ON DELETE CASCADE,
        position integer NOT NULL,
        item_id text NOT NULL,
        transcript json NOT NULL,
        criteria json NOT NULL,
        rubric_scale text,
        PRIMARY KEY (calibration_id, position)
      );
      CREATE TABLE calibration_marks (
        calibration_id uuid NOT NULL CONSTRAINT calibration_marks_calibration_id_fkey REFERENCES calibrations ON DELETE CASCADE,
        position integer NOT NULL,
        repeat integer NOT NULL,
        seed bigint NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        attempts integer NOT NULL DEFAULT 0,
        claim uuid,
        leased_until timestamptz(3),
        criteria json,
        record json,
        error_kind text,
        error_message text,
        marked_at timestamptz(3),
        PRIMARY KEY (calibration_id, position, repeat)
      );
      CREATE INDEX calibrations_newest ON calibrations (created_at);
      CREATE INDEX calibrations_live ON calibrations (created_at) WHERE status IN ('pending', 'running');
      CREATE INDEX calibration_marks_due ON calibration_marks (calibration_id) WHERE status = 'pending';
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
