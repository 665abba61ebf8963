import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the examiners' language models cost by list price, one row a UTC day, over all processes. Deleted runs stay spent. */
export class ModelSpend1732500000000 implements MigrationInterface {
  readonly name = 'ModelSpend1732500000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE model_spend (
        day date PRIMARY KEY,
        usd float8 NOT NULL
      ) WITH (fillfactor = 50);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
