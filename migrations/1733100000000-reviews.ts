import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What people decided about conversations that the judge has marked. Rows are only ever added, numbered within their scenario run; each
 * keeps what all reviews up to it say together, so that the last one tells the effective verdict.
 */
export class Reviews1733100000000 implements MigrationInterface {
  readonly name = 'Reviews1733100000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE reviews (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        scenario_run_id uuid NOT NULL CONSTRAINT reviews_scenario_run_id_fkey REFERENCES scenario_runs ON DELETE CASCADE,
        number integer NOT NULL,
        reviewer text NOT NULL,
        role text NOT NULL,
        blind boolean NOT NULL,
        global_rating integer,
        comment text NOT NULL,
        criteria json NOT NULL,
        passed boolean NOT NULL,
        score_percent double precision NOT NULL,
        effective_passed boolean NOT NULL,
        effective_score_percent double precision NOT NULL,
        disagreements integer NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT reviews_numbered UNIQUE (scenario_run_id, number)
      );
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
