import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { WebhookDeliveryEntity } from './webhook.entity';
import { storableText, toStorableJson } from '../../platform/database/storable-text';
import { openedRow } from '../../platform/database/encryption/sealed-columns';
import { UnknownKey, UnopenedSecret } from '../../platform/database/encryption/vault';
import { isUuid } from '../../platform/database/uuid';
import { ALONE, statementsOf, type WriteWith } from '../../platform/database/connections';

/** One attempt that is to be made now, by the process that has claimed it. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly claim: string;
  readonly webhookId: string;
  readonly type: string;
  readonly testRunId: string | null;
  /** Null at the first attempt of what is told of a run. */
  readonly payload: Readonly<Record<string, unknown>> | null;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  readonly createdAt: Date;
  readonly url: string;
  readonly secret: string;
  /** The one before it, while messages are signed with both; null otherwise. */
  readonly previousSecret: string | null;
}

/** What became of an attempt. */
export type Outcome =
  | { readonly kind: 'delivered'; readonly statusCode: number; readonly excerpt: string | null }
  | {
      readonly kind: 'failed';
      readonly statusCode: number | null;
      readonly error: string;
      readonly excerpt: string | null;
      /** Null: there will be no further attempt. */
      readonly retryAfterMs: number | null;
    };

/** Longer than an attempt may take: only then was it left behind by a process that died. */
const LEASE_SECONDS = 30;
/** Attempts to one address at a time, so that a dead one holds up no other. */
const AT_ONCE_PER_WEBHOOK = 2;
/** Another process may have the key, or this one after its next start. */
const UNOPENED_RETRY_MS = 60_000;
const AT_ONCE = { error: null, retryAfterMs: 0 };
/** Deliveries that are over and still listed. */
const KEPT_PER_WEBHOOK = 200;
const KEPT_DAYS = 30;
const FORGOTTEN_AT_ONCE = 1_000;

/** Deliveries and how they went. Every attempt is claimed; its outcome is refused when another process has claimed it since. */
@Injectable()
export class WebhookDeliveriesStore {
  constructor(private readonly database: Database) {}

  /** Claims attempts that are due, of each webhook a few; at most `limit`. */
  async claim(limit: number): Promise<readonly ClaimedDelivery[]> {
    const claimed = await this.database.engine.query<ClaimedDelivery>(
      `WITH due AS (
         SELECT d.id FROM webhooks w CROSS JOIN LATERAL (
           SELECT p.id, p.next_attempt_at FROM webhook_deliveries p
           WHERE p.webhook_id = w.id AND p.status = 'pending' AND p.next_attempt_at <= now()
           ORDER BY p.next_attempt_at
           LIMIT greatest(0, $3 - (SELECT count(*) FROM webhook_deliveries b
             WHERE b.webhook_id = w.id AND b.status = 'pending' AND b.claim IS NOT NULL AND b.next_attempt_at > now()))
           FOR UPDATE SKIP LOCKED) d
         WHERE w.is_active ORDER BY d.next_attempt_at LIMIT $1)
       UPDATE webhook_deliveries d SET claim = gen_random_uuid(), attempts = d.attempts + 1, last_attempt_at = now(),
         next_attempt_at = now() + make_interval(secs => $2)
       FROM due, webhooks w WHERE d.id = due.id AND w.id = d.webhook_id
       RETURNING d.id, d.claim, d.webhook_id AS "webhookId", d.type, d.test_run_id AS "testRunId", d.payload,
         d.attempts AS attempt, d.created_at AS "createdAt", w.url, w.secret,
         CASE WHEN w.previous_secret_expires_at > now() THEN w.previous_secret END AS "previousSecret"`,
      [limit, LEASE_SECONDS, AT_ONCE_PER_WEBHOOK],
    );
    const opened = await Promise.all(claimed.map((delivery) => this.opened(delivery)));
    return opened.filter((delivery) => delivery !== null);
  }

  /** Null when its webhook's secret cannot be decrypted here: the other webhooks are still told. A missing key costs no attempt. */
  private async opened(delivery: ClaimedDelivery): Promise<ClaimedDelivery | null> {
    try {
      return { ...delivery, ...openedRow(this.database.vault, 'webhooks', delivery.webhookId, delivery) };
    } catch (error) {
      if (!(error instanceof UnopenedSecret)) throw error;
      if (error instanceof UnknownKey) {
        await this.giveBack(delivery, { error: error.message, retryAfterMs: UNOPENED_RETRY_MS });
        return null;
      }
      await this.settle(delivery, {
        kind: 'failed',
        statusCode: null,
        error: error.message,
        excerpt: null,
        retryAfterMs: UNOPENED_RETRY_MS,
      });
      return null;
    }
  }

  /** Keeps what is told, so that every attempt says the same. False when the claim is lost. */
  async keepPayload({ id, claim }: ClaimedDelivery, payload: object): Promise<boolean> {
    const kept = await this.database.engine.query(
      'UPDATE webhook_deliveries SET payload = $3 WHERE id = $1 AND claim = $2 RETURNING id',
      [id, claim, toStorableJson(payload)],
    );
    return kept.length > 0;
  }

  /** Whether the attempt is still to be made: its run may have been deleted, and with it what was to be told. */
  async isDue({ id, claim }: ClaimedDelivery): Promise<boolean> {
    const found = await this.database.engine.query('SELECT 1 FROM webhook_deliveries WHERE id = $1 AND claim = $2', [
      id,
      claim,
    ]);
    return found.length > 0;
  }

  async settle({ id, claim }: ClaimedDelivery, outcome: Outcome): Promise<void> {
    const isDelivered = outcome.kind === 'delivered';
    const retryAfterMs = isDelivered ? null : outcome.retryAfterMs;
    await this.database.engine.query(
      `UPDATE webhook_deliveries SET claim = NULL, status = $3, last_status_code = $4, last_error = $5, response_excerpt = $6,
         delivered_at = CASE WHEN $3 = 'delivered' THEN now() END,
         next_attempt_at = now() + make_interval(secs => $7::float8 / 1000)
       WHERE id = $1 AND claim = $2`,
      [
        id,
        claim,
        isDelivered ? 'delivered' : retryAfterMs === null ? 'failed' : 'pending',
        outcome.statusCode,
        isDelivered ? null : storableText(outcome.error),
        outcome.excerpt === null ? null : storableText(outcome.excerpt),
        retryAfterMs,
      ],
    );
  }

  /** Gives back an attempt that was not made, since this process stops or lacks a key: another process makes it. */
  async giveBack(
    { id, claim }: ClaimedDelivery,
    { error, retryAfterMs }: { readonly error: string | null; readonly retryAfterMs: number } = AT_ONCE,
  ): Promise<void> {
    await this.database.engine.query(
      `UPDATE webhook_deliveries SET claim = NULL, attempts = attempts - 1, last_error = COALESCE($3, last_error),
         next_attempt_at = now() + make_interval(secs => $4::float8 / 1000)
       WHERE id = $1 AND claim = $2`,
      [id, claim, error, retryAfterMs],
    );
  }

  /** Switches off a webhook whose receiver wants nothing any more: nothing is sent there until an admin switches it on again. */
  async disable(webhookId: string, reason: string): Promise<void> {
    await this.database.engine.query(
      'UPDATE webhooks SET is_active = false, disabled_reason = $2, updated_at = now() WHERE id = $1',
      [webhookId, reason],
    );
  }

  /** One to try the webhook with; null when there is no such webhook (any more). */
  createTest(
    webhookId: string,
    payload: Record<string, unknown>,
    also: WriteWith<WebhookDeliveryEntity> = ALONE,
  ): Promise<WebhookDeliveryEntity | null> {
    return this.database.dataSource.transaction(async (manager) => {
      // One that is being deleted is waited for, and is then found to be gone.
      const webhooks = await manager.query<unknown[]>('SELECT 1 FROM webhooks WHERE id = $1 FOR KEY SHARE', [
        webhookId,
      ]);
      if (webhooks.length === 0) return null;
      const delivery = Object.assign(new WebhookDeliveryEntity(), { webhookId, type: payload['type'], payload });
      const { id } = await manager.save(delivery);
      const stored = await manager.findOneByOrFail(WebhookDeliveryEntity, { id });
      await also(statementsOf(manager), stored);
      return stored;
    });
  }

  async find(id: string): Promise<WebhookDeliveryEntity | null> {
    return isUuid(id) ? this.database.dataSource.getRepository(WebhookDeliveryEntity).findOneBy({ id }) : null;
  }

  /** Has it sent again at once, with as many attempts as a new one; answers it as it is then, null when it is gone. One that is being sent is left alone. */
  async redeliver(id: string): Promise<WebhookDeliveryEntity | null> {
    await this.database.query(
      `UPDATE webhook_deliveries SET status = 'pending', attempts = 0, next_attempt_at = now(), delivered_at = NULL
       WHERE id = $1 AND claim IS NULL`,
      [id],
    );
    return this.find(id);
  }

  /** Removes old ones that are over: a bounded number. */
  async forgetOld(): Promise<void> {
    await this.database.query(
      `DELETE FROM webhook_deliveries WHERE id IN (
         SELECT d.id FROM webhooks w CROSS JOIN LATERAL (
           SELECT o.id, o.status, o.created_at, row_number() OVER (ORDER BY o.created_at DESC) AS place
           FROM webhook_deliveries o WHERE o.webhook_id = w.id) d
         WHERE d.status <> 'pending' AND (d.place > $1 OR d.created_at < now() - make_interval(days => $2)) LIMIT $3)`,
      [KEPT_PER_WEBHOOK, KEPT_DAYS, FORGOTTEN_AT_ONCE],
    );
  }
}
