import type { WebhookDeliveryEntity, WebhookEntity } from './webhook.entity';
import { whyUnopened } from '../../platform/database';
import type { WebhookView, DeliveryView } from '../../../contract/webhooks';
import { BULLETS } from '../../../contract/field';

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
