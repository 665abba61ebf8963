import type { DataSource } from 'typeorm';
import { listNames } from '../../../domain';
import { DatabaseStartError } from '../unavailable';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns';
import { keyIdOfDocument, keyIdOfText, type Vault } from './vault';

/** In SQL: the id of the key that a column's value is sealed with; null for plain text. */
export const keyIdOf = ({ column, kind }: SealedColumn): string =>
  kind === 'document' ? keyIdOfDocument(column) : keyIdOfText(column);

/** @throws DatabaseStartError when something is sealed with a key that this process was not given */
export async function checkSecretsKey(dataSource: DataSource, vault: Vault): Promise<void> {
  const used = new Set<string>();
  for (const column of SEALED_COLUMNS) {
    for (const { id } of await usedIn(dataSource, column)) used.add(id);
  }
  const missing = [...used].filter((id) => !vault.keyIds.includes(id)).sort();
  if (missing.length === 0) return;
  const mend =
    vault.keyIds.length === 0
      ? 'is not set: set it to that key'
      : `has ${listNames([...vault.keyIds].sort())}: give that key too, after a comma if another one is to encrypt from now on`;
  throw new DatabaseStartError(
    `Secrets in the database are encrypted with the key ${listNames(missing)}, and SECRETS_KEY ${mend}. Nothing was changed.`,
  );
}

/** Answers none for a database that is new, or of a release without that column. */
async function usedIn(dataSource: DataSource, column: SealedColumn): Promise<{ id: string }[]> {
  const there = await dataSource.query<unknown[]>(
    'SELECT FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = $2 AND NOT attisdropped',
    [column.table, column.column],
  );
  if (there.length === 0) return [];
  return dataSource.query(
    `SELECT DISTINCT id FROM (SELECT ${keyIdOf(column)} AS id FROM ${column.table}) stored WHERE id IS NOT NULL LIMIT 100`,
  );
}
