import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A run says which agent it examined (its config without secrets, a hash of it, a version that the client names), and each
 * scenario run which revision of its scenario. Null in what was stored before, and in what processes of the release before store
 * meanwhile: they do not know it.
 */
export class WhatWasExamined1732840000000 implements MigrationInterface {
  readonly name = 'WhatWasExamined1732840000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // In the order in which every writer takes them.
    await queryRunner.query('LOCK TABLE test_runs, scenario_runs IN ACCESS EXCLUSIVE MODE');
    await queryRunner.query(`
      ALTER TABLE test_runs ADD COLUMN agent_config json, ADD COLUMN agent_config_hash text, ADD COLUMN agent_version text;
      ALTER TABLE scenario_runs ADD COLUMN scenario_revision integer, ADD COLUMN scenario_content_hash text;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
