import type { BodyFor } from '../../../contract/call';
import type { DeliveryView, WebhookDetail, WebhookView } from '../../../contract/webhooks';
import { call, callForNothing, callTagged } from './client';
import { resourceOf, type Resource } from './resource';

export type { WebhookEvent } from '../../../contract/webhooks';
export type Webhook = WebhookView;
export type Delivery = DeliveryView;
/** With what became of its newest deliveries, the newest first. */
export type WebhookActivity = WebhookDetail;
export type WebhookFields = BodyFor<'POST /api/v1/webhooks'>;
export type WebhookChanges = BodyFor<'PATCH /api/v1/webhooks/{id}'>;

export const webhooks: Resource<Webhook, WebhookFields, WebhookChanges> = resourceOf<
  Webhook,
  WebhookFields,
  WebhookChanges
>({
  view: '/webhooks',
  idOf: ({ id }) => id,
  // There are few, and they come in one answer.
  list: async (_query, signal) => (await call('GET /api/v1/webhooks', { signal })).webhooks,
  get: (id, signal) => callTagged('GET /api/v1/webhooks/{id}', { path: { id }, signal }),
  create: (body, idempotencyKey) => callTagged('POST /api/v1/webhooks', { body, idempotencyKey }),
  change: (id, body, etag) => callTagged('PATCH /api/v1/webhooks/{id}', { path: { id }, body, etag }),
  remove: (id) => callForNothing('DELETE /api/v1/webhooks/{id}', { path: { id } }),
});

/** The parts of a webhook that change without an edit. */
export function getActivity(webhookId: string, signal: AbortSignal): Promise<WebhookActivity> {
  return call('GET /api/v1/webhooks/{id}', { path: { id: webhookId }, signal });
}

export function sendTest(webhookId: string, idempotencyKey: string): Promise<Delivery> {
  return call('POST /api/v1/webhooks/{id}/test', { path: { id: webhookId }, idempotencyKey });
}

export function sendAgain(deliveryId: string): Promise<Delivery> {
  return call('POST /api/v1/webhook-deliveries/{id}/redeliver', { path: { id: deliveryId } });
}
