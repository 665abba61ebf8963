import { Injectable } from '@nestjs/common';
import type { Queryable } from '../database/connections';
import { Database } from '../database/database';
import { toStorableJson } from '../storable-text/storable-text';

/** One request that works under a key. */
export interface KeyClaim {
  readonly keyHash: Buffer;
  readonly requestHash: Buffer;
  /** Identifies this request alone: what it writes is refused when another one has taken the key over. */
  readonly claim: string;
}

export type ClaimedKey<Answer> =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** What the answer told of was deleted. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'underWay' }
  /** The key was sent with another request. */
  | { readonly kind: 'otherRequest' };

/** Another request has taken the key over: what was to be made with it is not. */
export class KeyLost extends Error {
  override readonly name = 'KeyLost';

  constructor() {
    super('Another request works under the same idempotency key.');
  }
}

/** How long a key answers the same. */
export const KEPT_HOURS = 24;
/** The key of a process that was killed is free again this much later. */
const LEASE_SECONDS = 15;
export const RENEW_LEASE_MS = 5_000;
const FORGOTTEN_AT_ONCE = 1_000;

/**
 * What is made under a key is made once: the answer is stored in the transaction that makes it, by the one request that holds the key.
 * A request that ends otherwise frees its key.
 */
@Injectable()
export class IdempotencyKeysStore {
  constructor(private readonly database: Database) {}

  async claim<Answer>({ keyHash, requestHash, claim }: KeyClaim): Promise<ClaimedKey<Answer>> {
    // A transaction that is just storing the answer is waited for, and then seen.
    const claimed = await this.database.query(
      `INSERT INTO idempotency_keys AS known (key_hash, request_hash, claim, leased_until)
       VALUES ($1, $2, $3, now() + make_interval(secs => $4))
       ON CONFLICT (key_hash) DO UPDATE SET request_hash = EXCLUDED.request_hash, claim = EXCLUDED.claim,
         leased_until = EXCLUDED.leased_until, answer = NULL, about = '{}', is_gone = false, created_at = now()
       WHERE known.created_at <= now() - make_interval(hours => $5)
          OR (known.answer IS NULL AND known.leased_until <= now())
       RETURNING claim`,
      [keyHash, requestHash, claim, LEASE_SECONDS, KEPT_HOURS],
    );
    if (claimed.length > 0) return { kind: 'claimed' };
    const [known] = await this.database.query<{ request_hash: Buffer; answer: Answer | null; is_gone: boolean }>(
      'SELECT request_hash, answer, is_gone FROM idempotency_keys WHERE key_hash = $1',
      [keyHash],
    );
    // The key was freed this very moment: the next request claims it.
    if (known === undefined) return { kind: 'underWay' };
    if (!known.request_hash.equals(requestHash)) return { kind: 'otherRequest' };
    if (known.is_gone) return { kind: 'gone' };
    return known.answer === null ? { kind: 'underWay' } : { kind: 'answered', answer: known.answer };
  }

  /**
   * To be called in the transaction that makes what was asked for. Safe to repeat.
   * @param about the ids of what the answer tells of: once one of them is deleted, the answer is gone too
   * @throws KeyLost
   */
  async answer(tx: Queryable, { keyHash, claim }: KeyClaim, answer: object, about: readonly string[]): Promise<void> {
    const [row] = await tx.query<{ kept: number }>(
      `WITH answered AS (UPDATE idempotency_keys SET answer = $3, about = $4 WHERE key_hash = $1 AND claim = $2 RETURNING 1)
       SELECT count(*)::int AS kept FROM answered`,
      [keyHash, claim, toStorableJson(answer), about],
    );
    if (row?.kept !== 1) throw new KeyLost();
  }

  /** Notes that the request under the key is still being worked on. */
  async renew({ keyHash, claim }: KeyClaim): Promise<void> {
    await this.database.engine.query(
      `UPDATE idempotency_keys SET leased_until = now() + make_interval(secs => $3)
       WHERE key_hash = $1 AND claim = $2 AND answer IS NULL`,
      [keyHash, claim, LEASE_SECONDS],
    );
  }

  /** Frees the key of a request that made nothing. An answer that a commit in doubt has stored after all stays. */
  async release({ keyHash, claim }: KeyClaim): Promise<void> {
    await this.database.query('DELETE FROM idempotency_keys WHERE key_hash = $1 AND claim = $2 AND answer IS NULL', [
      keyHash,
      claim,
    ]);
  }

  /** Frees every key of a request that was under way, when no process can be working on one. */
  async releaseAll(): Promise<void> {
    await this.database.query('DELETE FROM idempotency_keys WHERE answer IS NULL');
  }

  /** Removes a bounded number of those that have been kept long enough; answers how many. Null when there were none. */
  async forgetOld(tx: Queryable): Promise<number | null> {
    const forgotten = await tx.query(
      `DELETE FROM idempotency_keys WHERE key_hash IN (
         SELECT key_hash FROM idempotency_keys WHERE created_at <= now() - make_interval(hours => $1)
         ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING 1`,
      [KEPT_HOURS, FORGOTTEN_AT_ONCE],
    );
    return forgotten.length === 0 ? null : forgotten.length;
  }
}
