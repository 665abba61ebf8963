import { outageOf } from '../outage';
import { isRefusedForRights, sqlStateOf } from '../unavailable';
import { BackupError } from './format';

/**
 * For what PostgreSQL says to rows from a file: the file's fault, unless the server itself is in outage. Its own words repeat what is
 * in the row, a credential perhaps; table, line and SQLSTATE are enough to find it.
 */
export function misfit(file: string, table?: string): (error: unknown) => never {
  return (error) => {
    const state = sqlStateOf(error);
    if (state === undefined || outageOf(error) !== null || isRefusedForRights(error)) throw error;
    const place = [...(table === undefined ? [] : [`table ${table}`]), ...lineOf(error), `SQLSTATE ${state}`].join(
      ', ',
    );
    throw new BackupError(
      `${file} holds what its tables do not take (${place}): it was changed after it was written. Nothing was restored.`,
      { cause: error },
    );
  };
}

/** Of the COPY; there is none for what is found wrong when all rows are there, as a reference to a row that is not. */
function lineOf(error: unknown): string[] {
  const where = typeof error === 'object' && error !== null && 'where' in error ? String(error.where) : '';
  const line = /^COPY \w+, line (\d+)/.exec(where)?.[1];
  return line === undefined ? [] : [`line ${line}`];
}
