import { Injectable } from '@nestjs/common';
import {
  Database,
  openedRow,
  isUuid,
  ALONE,
  statementsOf,
  type Transaction,
  type WriteWith,
} from '../../platform/database';
import { WebhookDeliveryEntity } from './webhook.entity';
import { storableText, toStorableJson } from '../../platform/storable-text';
import type { ClaimedJob, JobTable } from '../../platform/jobs';
import type { Receipt } from './webhook-sender';

/** What an attempt is to send, and where. */
export interface MessageToSend {
  readonly webhookId: string;
  readonly testRunId: string | null;
  /** Null at the first attempt of what is told of a run. */
  readonly payload: Readonly<Record<string, unknown>> | null;
  readonly url: string;
  readonly secret: string;
  /** The one before it, while messages are signed with both; null otherwise. */
  readonly previousSecret: string | null;
}

/** Attempts to one address at a time, so that a dead one holds up no other. */
const AT_ONCE_PER_WEBHOOK = 2;

/** Deliveries as jobs: of each webhook that is switched on a few at a time, the oldest first. */
export const DELIVERIES: JobTable = {
  name: 'webhook_deliveries',
  key: 'id',
  keepsRows: true,
  due: `
    SELECT d.id AS key, d.next_attempt_at AS due_at FROM webhooks w CROSS JOIN LATERAL (
      SELECT p.id, p.next_attempt_at FROM webhook_deliveries p
      WHERE p.webhook_id = w.id AND p.status = 'pending' AND p.next_attempt_at <= now()
      ORDER BY p.next_attempt_at
      LIMIT greatest(0, ${AT_ONCE_PER_WEBHOOK} - (SELECT count(*) FROM webhook_deliveries b
        WHERE b.webhook_id = w.id AND b.status = 'pending' AND b.claim IS NOT NULL AND b.next_attempt_at > now()))
      FOR UPDATE SKIP LOCKED) d
    WHERE w.is_active ORDER BY d.next_attempt_at LIMIT $1`,
};

/** Deliveries that are over and still listed. */
const KEPT_PER_WEBHOOK = 200;
const KEPT_DAYS = 30;
const FORGOTTEN_AT_ONCE = 1_000;

/** Deliveries and how they went. */
@Injectable()
export class WebhookDeliveriesStore {
  constructor(private readonly database: Database) {}

  /**
   * Notes that an attempt begins. Null when the claim is lost: its run may have been deleted, and with it what was to be told.
   * @throws UnopenedSecret
   */
  async begin({ key, claim }: ClaimedJob): Promise<MessageToSend | null> {
    const [message] = await this.database.engine.query<MessageToSend>(
      `UPDATE webhook_deliveries d SET last_attempt_at = now() FROM webhooks w
       WHERE d.id = $1 AND d.claim = $2 AND w.id = d.webhook_id
       RETURNING d.webhook_id AS "webhookId", d.test_run_id AS "testRunId", d.payload, w.url, w.secret,
         CASE WHEN w.previous_secret_expires_at > now() THEN w.previous_secret END AS "previousSecret"`,
      [key, claim],
    );
    if (message === undefined) return null;
    return { ...message, ...openedRow(this.database.vault, 'webhooks', message.webhookId, message) };
  }

  /** Keeps what is told, so that every attempt says the same. False when the claim is lost. */
  async keepPayload({ key, claim }: ClaimedJob, payload: object): Promise<boolean> {
    const kept = await this.database.engine.query(
      'UPDATE webhook_deliveries SET payload = $3 WHERE id = $1 AND claim = $2 RETURNING id',
      [key, claim, toStorableJson(payload)],
    );
    return kept.length > 0;
  }

  /** Notes what came of an attempt, in the transaction that settles it. */
  async note(
    tx: Transaction,
    id: string,
    status: 'delivered' | 'failed' | 'pending',
    { statusCode, error, excerpt }: Receipt,
  ): Promise<void> {
    await tx.query(
      `UPDATE webhook_deliveries SET status = $2, last_status_code = $3, last_error = $4, response_excerpt = $5,
         delivered_at = CASE WHEN $2 = 'delivered' THEN now() END
       WHERE id = $1`,
      [
        id,
        status,
        statusCode,
        error === null ? null : storableText(error),
        excerpt === null ? null : storableText(excerpt),
      ],
    );
  }

  /** Notes why no attempt could be made. */
  async noteError(tx: Transaction, id: string, error: string): Promise<void> {
    await tx.query('UPDATE webhook_deliveries SET last_error = $2 WHERE id = $1', [id, error]);
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

  /** Removes a bounded number of old ones that are over; answers how many. Null when there were none. */
  async forgetOld(tx: Transaction): Promise<number | null> {
    const forgotten = await tx.query(
      `DELETE FROM webhook_deliveries WHERE status <> 'pending' AND id IN (
         SELECT d.id FROM webhooks w CROSS JOIN LATERAL (
           SELECT o.id, o.status, o.created_at, row_number() OVER (ORDER BY o.created_at DESC) AS place
           FROM webhook_deliveries o WHERE o.webhook_id = w.id) d
         WHERE d.status <> 'pending' AND (d.place > $1 OR d.created_at < now() - make_interval(days => $2)) LIMIT $3)
       RETURNING 1`,
      [KEPT_PER_WEBHOOK, KEPT_DAYS, FORGOTTEN_AT_ONCE],
    );
    return forgotten.length === 0 ? null : forgotten.length;
  }
}

/**
 * A delivery for each webhook that asked to be told of this. To be called in the transaction of what is told.
 * @param testRunId the run that it tells of, with which it is deleted; null for what tells of none
 */
export async function noteDeliveries(
  tx: Transaction,
  payload: { readonly type: string },
  testRunId: string | null,
): Promise<void> {
  await tx.query(
    `INSERT INTO webhook_deliveries (webhook_id, type, test_run_id, payload)
     SELECT w.id, $1::text, $2::uuid, $3::json FROM webhooks w WHERE w.is_active AND $1::text = ANY (w.events) FOR KEY SHARE
     ON CONFLICT DO NOTHING`,
    [payload.type, testRunId, toStorableJson(payload)],
  );
}
