import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a browser agent's page showed when its scenario run failed. `attempt` is the one that saw it: a screenshot of an
 * attempt that did not come to end the scenario run is never shown, and the next one replaces it.
 */
export class Screenshots1732200000000 implements MigrationInterface {
  readonly name = 'Screenshots1732200000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE screenshots (
        scenario_run_id uuid PRIMARY KEY REFERENCES scenario_runs ON DELETE CASCADE,
        attempt integer NOT NULL,
        jpeg bytea NOT NULL,
        taken_at timestamptz(3) NOT NULL DEFAULT now()
      );
      ALTER TABLE screenshots ALTER COLUMN jpeg SET STORAGE EXTERNAL;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
