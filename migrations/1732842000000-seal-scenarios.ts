import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inBatches, sealBatch } from '../src/persistence/seal-scenarios';

/**
 * Scenarios that were stored before get the hash of what they hold, and their first revision: a few at a time, each few in a
 * transaction of its own, so that nobody waits. Safe to begin again.
 */
export class SealScenarios1732842000000 implements MigrationInterface {
  readonly name = 'SealScenarios1732842000000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const { dataSource } = queryRunner;
    const tx = {
      query: <Row>(sql: string, params: readonly unknown[] = []): Promise<Row[]> =>
        dataSource.query<Row[]>(sql, [...params], queryRunner),
    };
    const unsealed = await tx.query<{ id: string }>('SELECT id FROM scenarios WHERE content_hash IS NULL ORDER BY id');
    for (const ids of inBatches(unsealed.map(({ id }) => id))) {
      await queryRunner.startTransaction();
      try {
        await sealBatch(tx, ids);
        await queryRunner.commitTransaction();
      } catch (error) {
        await queryRunner.rollbackTransaction();
        throw error;
      }
    }
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
