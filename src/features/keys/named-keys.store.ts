import { Injectable } from '@nestjs/common';
import type { Role } from '../../../contract/operation';
import { ADVISORY_LOCKS, Database, isUuid, type Transaction } from '../../platform/database';

/** A named key as it is stored, in the names of the contract. */
export interface StoredKey {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly hint: string;
  readonly created_at: Date;
  readonly created_by: string;
  readonly expires_at: Date | null;
  /** By the clock of the database. */
  readonly is_expired: boolean;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
  readonly revoked_by: string | null;
}

export interface NewKey {
  readonly name: string;
  readonly role: Role;
  readonly digest: Buffer;
  readonly hint: string;
  readonly createdBy: string;
  readonly expiresInDays: number | null;
}

/** What a request is recognised by. */
export interface KnownKey {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** In hexadecimal digits. */
  readonly digest: string;
  readonly is_expired: boolean;
}

/** Every process has all of them in memory. */
export const MOST_KEYS = 200;
const REVOKED_SHOWN = 200;
/** So long a revoked key is listed; the audit trail keeps who made and revoked it. */
const REVOKED_KEPT_DAYS = 90;
const USED_AT_MOST_EVERY_SECONDS = 60;

const COLUMNS = `id, name, role, hint, created_at, created_by, expires_at, coalesce(expires_at <= now(), false) AS is_expired,
  last_used_at, revoked_at, revoked_by`;

/** Why a key was not made. */
export type NotMade = 'too many' | 'name taken' | 'name of a person';

/** The named keys. An id that is not a UUID is an id that no key has. */
@Injectable()
export class NamedKeysStore {
  constructor(private readonly database: Database) {}

  /** By name; of one name the newest first. */
  list(): Promise<StoredKey[]> {
    return this.database.query<StoredKey>(
      `SELECT ${COLUMNS} FROM service_keys WHERE revoked_at IS NULL OR revoked_at > now() - make_interval(days => $1)
       ORDER BY name, created_at DESC LIMIT $2`,
      [REVOKED_KEPT_DAYS, MOST_KEYS + REVOKED_SHOWN],
    );
  }

  /** Those that are not revoked. */
  known(): Promise<KnownKey[]> {
    return this.database.query<KnownKey>(
      `SELECT id, name, role, encode(digest, 'hex') AS digest, coalesce(expires_at <= now(), false) AS is_expired
       FROM service_keys WHERE revoked_at IS NULL LIMIT $1`,
      [MOST_KEYS],
    );
  }

  /** One after the other, so that the limit holds. What was revoked long ago is removed with it. */
  create(key: NewKey): Promise<StoredKey | NotMade> {
    return this.database.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.namesOfCallers]);
      await tx.query('DELETE FROM service_keys WHERE revoked_at <= now() - make_interval(days => $1)', [
        REVOKED_KEPT_DAYS,
      ]);
      const [live] = await tx.query<{ count: number; taken: boolean }>(
        `SELECT count(*)::int AS count, coalesce(bool_or(lower(name) = lower($1)), false) AS taken FROM service_keys WHERE revoked_at IS NULL`,
        [key.name],
      );
      if (live?.taken === true) return 'name taken';
      const [person] = await tx.query('SELECT FROM people WHERE lower(name) = lower($1)', [key.name]);
      if (person !== undefined) return 'name of a person';
      if ((live?.count ?? 0) >= MOST_KEYS) return 'too many';
      return stored(tx, key);
    });
  }

  /** As it is by then, also when it was revoked before; null when unknown. */
  async revoke(id: string, by: string): Promise<StoredKey | null> {
    if (!isUuid(id)) return null;
    const rows = await this.database.query<StoredKey>(
      `UPDATE service_keys SET revoked_at = coalesce(revoked_at, now()), revoked_by = coalesce(revoked_by, $2) WHERE id = $1
       RETURNING ${COLUMNS}`,
      [id, by],
    );
    return rows[0] ?? null;
  }

  /** Notes that they were used, each at most once a minute whichever processes say so. */
  async noteUse(ids: readonly string[]): Promise<void> {
    await this.database.query(
      `UPDATE service_keys SET last_used_at = now() WHERE id = ANY($1::uuid[])
         AND (last_used_at IS NULL OR last_used_at <= now() - make_interval(secs => $2))`,
      [ids, USED_AT_MOST_EVERY_SECONDS],
    );
  }
}

async function stored(tx: Transaction, key: NewKey): Promise<StoredKey> {
  const [row] = await tx.query<StoredKey>(
    `INSERT INTO service_keys (name, role, digest, hint, created_by, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + make_interval(days => $6::int)) RETURNING ${COLUMNS}`,
    [key.name, key.role, key.digest, key.hint, key.createdBy, key.expiresInDays],
  );
  if (row === undefined) throw new Error('A key that was inserted was not answered.');
  return row;
}
