import type { QueryRunner } from 'typeorm';

/**
 * Builds an index while others go on writing to the table, however large it is. For migrations outside a transaction
 * (`readonly transaction = false`). What an interrupted build left behind is removed first: PostgreSQL keeps such an index as
 * invalid, uses it for nothing and yet updates it with every write.
 * @param definition what follows the index' name in CREATE INDEX, from ON
 */
export async function buildIndexOnline(queryRunner: QueryRunner, name: string, definition: string): Promise<void> {
  const invalid = await queryRunner.dataSource.query<unknown[]>(
    `SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid`,
    [name],
    queryRunner,
  );
  if (invalid.length > 0) await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await queryRunner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ${definition}`);
}
