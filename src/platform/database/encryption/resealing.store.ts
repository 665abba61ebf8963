import { Injectable } from '@nestjs/common';
import type { Transaction } from '../connections';
import { Database } from '../database';
import { toStorableJson } from '../../storable-text/storable-text';
import type { InPieces } from '../../jobs/upkeep';
import { keyIdOf } from './check-secrets-key';
import { requestTableRewrite } from './table-rewrites.store';
import { open, seal, SEALED_COLUMNS, type SealedColumn } from './sealed-columns';
import { UnopenedSecret } from './vault';

/** Rows of a transaction: no caller waits long for one of them. */
const ROWS_AT_ONCE = 50;
/** Sentences about values that cannot be opened: the first few tell enough. */
const MOST_SENTENCES = 20;

export interface Resealed {
  /** How many values were in plain text. */
  readonly encrypted: number;
  /** How many were sealed with another key. */
  readonly rekeyed: number;
  /** How many are in plain text now. */
  readonly decrypted: number;
  /** Sentences about values that could not be opened. */
  readonly unopened: readonly string[];
}

/** What became of a few rows. */
interface Piece extends Resealed {
  /** The id of the last of them. */
  readonly last: string;
}

const NOTHING: Resealed = { encrypted: 0, rekeyed: 0, decrypted: 0, unopened: [] };

interface StoredValue {
  readonly id: string;
  readonly value: unknown;
  readonly key_id: string | null;
}

/** Gives every stored secret the form that SECRETS_KEY asks for: sealed with its first key, or in plain text. */
@Injectable()
export class ResealingStore {
  constructor(private readonly database: Database) {}

  /** Seals a few rows in a piece: what is done stays done, and the next process goes on from there. */
  async resealAll(inPieces: InPieces): Promise<Resealed> {
    let done = NOTHING;
    for (const column of SEALED_COLUMNS) {
      let after = FIRST_ID;
      await inPieces(
        (tx) => this.resealSome(tx, column, after),
        ({ last, ...changed }) => {
          after = last;
          done = sum(done, changed);
        },
      );
    }
    return done;
  }

  /** Null: no row is left after that one. */
  private async resealSome(tx: Transaction, column: SealedColumn, after: string): Promise<Piece | null> {
    const rows = await tx.query<StoredValue>(
      `SELECT id, ${column.column} AS value, ${keyIdOf(column)} AS key_id FROM ${column.table}
       WHERE id > $1 AND ${column.column} IS NOT NULL AND ${keyIdOf(column)} IS DISTINCT FROM $2::text
       ORDER BY id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED`,
      [after, this.database.vault.sealingKeyId, ROWS_AT_ONCE],
    );
    const last = rows.at(-1)?.id;
    if (last === undefined) return null;
    let changed = NOTHING;
    for (const row of rows) changed = sum(changed, await this.reseal(tx, column, row));
    if (changed.encrypted > 0) await requestTableRewrite(tx, column.table);
    return { ...changed, last };
  }

  private async reseal(tx: Transaction, column: SealedColumn, row: StoredValue): Promise<Resealed> {
    const { vault } = this.database;
    try {
      const value = seal(vault, column, row.id, open(vault, column, row.id, row.value));
      // For readers of the row this is no change: the time of its last change stays what it is, and with it its ETag.
      await tx.query(`UPDATE ${column.table} SET ${column.column} = $2 WHERE id = $1`, [
        row.id,
        column.kind === 'document' ? toStorableJson(value) : value,
      ]);
    } catch (error) {
      if (!(error instanceof UnopenedSecret)) throw error;
      return { ...NOTHING, unopened: [error.message] };
    }
    const change = row.key_id === null ? 'encrypted' : vault.sealingKeyId === null ? 'decrypted' : 'rekeyed';
    return { ...NOTHING, [change]: 1 };
  }
}

function sum(one: Resealed, other: Resealed): Resealed {
  return {
    encrypted: one.encrypted + other.encrypted,
    rekeyed: one.rekeyed + other.rekeyed,
    decrypted: one.decrypted + other.decrypted,
    unopened: [...one.unopened, ...other.unopened].slice(0, MOST_SENTENCES),
  };
}

/** The id before every other. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
