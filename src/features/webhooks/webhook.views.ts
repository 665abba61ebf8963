import { z } from 'zod';
import { BULLETS } from '../../agents/secrets/mask-credentials';
import { id, timestamp } from '../../platform/http/field';
import type { WebhookDeliveryEntity, WebhookEntity } from './webhook.entity';
import { whyUnopened } from '../../platform/database/encryption/vault';

// Enumerations of stored values are open in answers: another version may have written a value that this one does not know.

export const webhookView = z
  .object({
    id,
    url: z
      .string()
      .describe(
        'Its origin alone for keys of runners and viewers: what follows is often a credential. Where it cannot be decrypted, a sentence says why.',
      ),
    description: z.string().nullable(),
    events: z.array(z.string()),
    secret: z
      .string()
      .describe(
        '`whsec_…`, whole only in the answer that creates the webhook or rotates its secret; masked in every other.',
      ),
    previous_secret_expires_at: timestamp
      .nullable()
      .describe(
        'Until then messages are also signed with the secret before the last rotation; null when they are not.',
      ),
    is_active: z.boolean(),
    disabled_reason: z.string().nullable().describe('Why the service has switched it off by itself, or null.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Webhook' });
export type WebhookView = z.output<typeof webhookView>;

export const webhookList = z.object({ webhooks: z.array(webhookView), total: z.int() });
export type WebhookList = z.output<typeof webhookList>;

export const deliveryView = z
  .object({
    id: id.describe('Also the `webhook-id` header, the same in every attempt.'),
    type: z.string(),
    test_run_id: id.nullable(),
    status: z.string().describe('`pending`, `delivered`, or `failed`: given up.'),
    attempts: z.int().min(0),
    next_attempt_at: timestamp.nullable(),
    last_attempt_at: timestamp.nullable(),
    last_status_code: z.int().nullable(),
    last_error: z.string().nullable(),
    response_excerpt: z.string().nullable().describe('The first 200 characters of the last answer, as they came.'),
    delivered_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'WebhookDelivery' });
export type DeliveryView = z.output<typeof deliveryView>;

/** One webhook, with what it was told lately. */
export const webhookDetail = webhookView
  .extend({ deliveries: z.array(deliveryView).describe('The newest 50, newest first.') })
  .meta({ id: 'WebhookDetail' });
export type WebhookDetail = z.output<typeof webhookDetail>;

const MASKED = `whsec_${BULLETS}`;

export function viewOfWebhook(webhook: WebhookEntity): WebhookView {
  return {
    id: webhook.id,
    url: whyUnopened(webhook) ?? webhook.url,
    description: webhook.description,
    events: webhook.events,
    secret: MASKED,
    previous_secret_expires_at: iso(isPast(webhook.previousSecretExpiresAt) ? null : webhook.previousSecretExpiresAt),
    is_active: webhook.isActive,
    disabled_reason: webhook.disabledReason,
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  };
}

/** The view for a caller who may not change it: some receivers accept any message to their path. */
export function viewOfForeignWebhook(webhook: WebhookEntity): WebhookView {
  if (whyUnopened(webhook) !== null) return viewOfWebhook(webhook);
  const { origin } = new URL(webhook.url);
  return {
    ...viewOfWebhook(webhook),
    url: webhook.url.replace(/\/$/, '') === origin ? webhook.url : `${origin}/${BULLETS}`,
  };
}

/** The view with its secret, only for the caller that creates or rotates it. */
export function viewOfNewWebhook(webhook: WebhookEntity): WebhookView {
  return { ...viewOfWebhook(webhook), secret: webhook.secret };
}

export function viewOfDelivery(delivery: WebhookDeliveryEntity): DeliveryView {
  return {
    id: delivery.id,
    type: delivery.type,
    test_run_id: delivery.testRunId,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: delivery.status === 'pending' ? iso(delivery.nextAttemptAt) : null,
    last_attempt_at: iso(delivery.lastAttemptAt),
    last_status_code: delivery.lastStatusCode,
    last_error: delivery.lastError,
    response_excerpt: delivery.responseExcerpt,
    delivered_at: iso(delivery.deliveredAt),
    created_at: delivery.createdAt.toISOString(),
  };
}

function iso(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}

function isPast(time: Date | null): boolean {
  return time !== null && time.getTime() <= Date.now();
}
