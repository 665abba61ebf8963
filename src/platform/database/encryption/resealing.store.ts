import { Injectable } from '@nestjs/common';
import type { Transaction } from '../connections';
import { Database } from '../database';
import { toStorableJson } from '../storable-text';
import { ADVISORY_LOCKS } from '../advisory-locks';
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
  encrypted: number;
  /** How many were sealed with another key. */
  rekeyed: number;
  /** How many are in plain text now. */
  decrypted: number;
  /** Sentences about values that could not be opened. */
  readonly unopened: string[];
  /** False when another process seals, or this one stops: there may be more. */
  isComplete: boolean;
}

type Changed = Omit<Resealed, 'isComplete'>;

const nothing = (): Changed => ({ encrypted: 0, rekeyed: 0, decrypted: 0, unopened: [] });

interface StoredValue {
  readonly id: string;
  readonly value: unknown;
  readonly key_id: string | null;
}

/** Gives every stored secret the form that SECRETS_KEY asks for: sealed with its first key, or in plain text. */
@Injectable()
export class ResealingStore {
  constructor(private readonly database: Database) {}

  /** Seals a few rows at a time, each in a transaction of its own: what is done stays done, and the next process goes on from there. */
  async resealAll(signal: AbortSignal): Promise<Resealed> {
    const done: Resealed = { ...nothing(), isComplete: false };
    for (const column of SEALED_COLUMNS) {
      for (let after: string | null = NOTHING; after !== null && !signal.aborted;) {
        const batch = await this.resealSome(column, after, done);
        if (batch === 'busy') return done;
        after = batch.next;
      }
    }
    done.isComplete = !signal.aborted;
    return done;
  }

  /** Answers the row after which to go on; null at the end. */
  private resealSome(
    column: SealedColumn,
    after: string,
    done: Resealed,
  ): Promise<{ readonly next: string | null } | 'busy'> {
    const { vault } = this.database;
    return this.database.transaction(async (tx) => {
      const [lock] = await tx.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [
        ADVISORY_LOCKS.reencryption,
      ]);
      if (lock?.taken !== true) return 'busy';
      const rows = await tx.query<StoredValue>(
        `SELECT id, ${column.column} AS value, ${keyIdOf(column)} AS key_id FROM ${column.table}
         WHERE id > $1 AND ${column.column} IS NOT NULL AND ${keyIdOf(column)} IS DISTINCT FROM $2::text
         ORDER BY id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED`,
        [after, vault.sealingKeyId, ROWS_AT_ONCE],
      );
      const changed = nothing();
      for (const row of rows) await this.reseal(tx, column, row, changed);
      if (changed.encrypted > 0) await requestTableRewrite(tx, column.table);
      done.encrypted += changed.encrypted;
      done.rekeyed += changed.rekeyed;
      done.decrypted += changed.decrypted;
      done.unopened.push(...changed.unopened.slice(0, MOST_SENTENCES - done.unopened.length));
      return { next: rows.length < ROWS_AT_ONCE ? null : (rows.at(-1)?.id ?? null) };
    });
  }

  private async reseal(tx: Transaction, column: SealedColumn, row: StoredValue, changed: Changed): Promise<void> {
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
      changed.unopened.push(error.message);
      return;
    }
    changed[row.key_id === null ? 'encrypted' : vault.sealingKeyId === null ? 'decrypted' : 'rekeyed'] += 1;
  }
}

/** The id before every other. */
const NOTHING = '00000000-0000-0000-0000-000000000000';
