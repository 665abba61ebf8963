import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The long documents of a scenario run (its copy of the scenario, its marks, its metadata) stand outside of its row from now on, and
 * what statistics count stays in it. A run of twenty thousand is then counted from a third of the pages, and an update of a row copies
 * no document that it leaves as it is. Rows that are there keep their form until they are written.
 */
export class NarrowScenarioRuns1732855000000 implements MigrationInterface {
  readonly name = 'NarrowScenarioRuns1732855000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE scenario_runs ALTER COLUMN patient SET STORAGE MAIN, ALTER COLUMN examiners SET STORAGE MAIN,
        ALTER COLUMN findings SET STORAGE MAIN, SET (toast_tuple_target = 768)
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
