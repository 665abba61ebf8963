import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Scenarios are instruments with revisions, and an approval is that of one revision. A row without a hash is not sealed yet: what
 * was stored before, and what processes of the release before store meanwhile. When those edit a scenario, a trigger takes the
 * hash of the earlier text from it. A constant default changes no row.
 */
export class ScenarioRevisions1732841000000 implements MigrationInterface {
  readonly name = 'ScenarioRevisions1732841000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE scenarios ADD COLUMN revision integer NOT NULL DEFAULT 1, ADD COLUMN content_hash text,
        ADD COLUMN approved_by text, ADD COLUMN approved_role text, ADD COLUMN approved_at timestamptz(3),
        ADD COLUMN approved_revision integer;
      CREATE TABLE scenario_revisions (
        scenario_id uuid NOT NULL,
        revision integer NOT NULL,
        content_hash text NOT NULL,
        content json NOT NULL,
        rubric_criteria json NOT NULL,
        approved_by text,
        approved_role text,
        approved_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (scenario_id, revision)
      );
      CREATE FUNCTION unseal_scenario() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          NEW.content_hash := NULL;
          RETURN NEW;
        END $$;
      CREATE TRIGGER scenarios_unseal BEFORE UPDATE OF content, rubric_criteria ON scenarios FOR EACH ROW
        WHEN (NEW.content_hash IS NOT DISTINCT FROM OLD.content_hash AND
              (NEW.content::text, NEW.rubric_criteria::text) IS DISTINCT FROM (OLD.content::text, OLD.rubric_criteria::text))
        EXECUTE FUNCTION unseal_scenario();
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
