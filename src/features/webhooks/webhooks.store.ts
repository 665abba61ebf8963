import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  ADVISORY_LOCKS,
  Database,
  isUuid,
  insertRows,
  updateRow,
  ALONE,
  statementsOf,
  type Transaction,
  type WriteWith,
} from '../../platform/database';
import { WebhookDeliveryEntity, WebhookEntity } from './webhook.entity';

export interface NewWebhook {
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly string[];
  readonly secret: string;
  readonly isActive: boolean;
}

export type WebhookChanges = Partial<Omit<NewWebhook, 'secret'>>;

/** No further webhook may be created: their limit is reached. */
export class TooManyWebhooks extends Error {
  override readonly name = 'TooManyWebhooks';

  constructor(readonly most: number) {
    super(`There are ${most} webhooks already.`);
  }
}

export const MOST_WEBHOOKS = 50;

/** Webhooks: addresses with what they are told of. An id that is not a UUID is an id that no webhook has. */
@Injectable()
export class WebhooksStore {
  constructor(private readonly database: Database) {}

  /** Oldest first. */
  list(): Promise<WebhookEntity[]> {
    return this.webhooks.find({ order: { createdAt: 'ASC', id: 'ASC' }, take: MOST_WEBHOOKS });
  }

  async find(id: string): Promise<WebhookEntity | null> {
    return isUuid(id) ? this.webhooks.findOneBy({ id }) : null;
  }

  /** @throws TooManyWebhooks */
  create(webhook: NewWebhook, also: WriteWith<WebhookEntity> = ALONE): Promise<WebhookEntity> {
    return this.database.dataSource.transaction(async (manager) => {
      await manager.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.webhooks]);
      if ((await manager.count(WebhookEntity)) >= MOST_WEBHOOKS) throw new TooManyWebhooks(MOST_WEBHOOKS);
      const id = randomUUID();
      await insertRows(manager, WebhookEntity, [{ ...webhook, id }]);
      const stored = await manager.findOneByOrFail(WebhookEntity, { id });
      await also(statementsOf(manager), stored);
      return stored;
    });
  }

  /**
   * Gives it another secret; the present one signs too for some hours. Null when unknown.
   * @param also is written with it
   */
  async rotateSecret(
    id: string,
    secret: string,
    bothForHours: number,
    also: WriteWith<WebhookEntity> = ALONE,
  ): Promise<WebhookEntity | null> {
    if (!isUuid(id)) return null;
    return this.database.dataSource.transaction(async (manager) => {
      const present = await manager.findOne(WebhookEntity, { where: { id }, lock: { mode: 'for_no_key_update' } });
      if (present === null) return null;
      await updateRow(manager, WebhookEntity, id, { secret, previousSecret: present.secret });
      await manager.query(
        'UPDATE webhooks SET previous_secret_expires_at = now() + make_interval(hours => $2) WHERE id = $1',
        [id, bothForHours],
      );
      const webhook = await manager.findOneByOrFail(WebhookEntity, { id });
      await also(statementsOf(manager), webhook);
      return webhook;
    });
  }

  /** Secrets that no longer sign are not kept. */
  async forgetExpiredSecrets(tx: Transaction): Promise<void> {
    await tx.query(
      `UPDATE webhooks SET previous_secret = NULL, previous_secret_expires_at = NULL WHERE previous_secret_expires_at <= now()`,
    );
  }

  /**
   * The row as changed; null when unknown. Switching one on again removes the reason for which it was switched off.
   * @param check sees the row as it is; what it throws leaves it so
   */
  async update(
    id: string,
    changes: WebhookChanges,
    check: (stored: WebhookEntity) => void = () => undefined,
  ): Promise<WebhookEntity | null> {
    if (!isUuid(id)) return null;
    return this.database.dataSource.transaction(async (manager) => {
      const webhook = await manager.findOne(WebhookEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (webhook === null) return null;
      check(webhook);
      await updateRow(manager, WebhookEntity, id, {
        ...changes,
        ...(changes.isActive === true && { disabledReason: null }),
      });
      return manager.findOneByOrFail(WebhookEntity, { id });
    });
  }

  /** With its deliveries. False when unknown. */
  async delete(id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    const { affected } = await this.webhooks.delete({ id });
    return affected === 1;
  }

  /** Newest first. */
  deliveries(webhookId: string, limit: number): Promise<WebhookDeliveryEntity[]> {
    return this.database.dataSource.getRepository(WebhookDeliveryEntity).find({
      where: { webhookId },
      order: { createdAt: 'DESC', id: 'ASC' },
      take: limit,
    });
  }

  private get webhooks() {
    return this.database.dataSource.getRepository(WebhookEntity);
  }
}
