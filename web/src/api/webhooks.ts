import * as z from 'zod/mini';
import { call } from './client';
import { resourceAt, type Resource } from './resource';

const webhook = z.object({
  id: z.string(),
  url: z.string(),
  description: z.nullable(z.string()),
  events: z.array(z.string()),
  /** Complete only in the answer that creates it. */
  secret: z.string(),
  is_active: z.boolean(),
  disabled_reason: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Webhook = z.output<typeof webhook>;
const webhookList = z.object({ webhooks: z.array(webhook) });

const delivery = z.object({
  id: z.string(),
  type: z.string(),
  test_run_id: z.nullable(z.string()),
  status: z.string(),
  attempts: z.number(),
  next_attempt_at: z.nullable(z.string()),
  last_attempt_at: z.nullable(z.string()),
  last_status_code: z.nullable(z.number()),
  last_error: z.nullable(z.string()),
  response_excerpt: z.nullable(z.string()),
  delivered_at: z.nullable(z.string()),
  created_at: z.string(),
});
export type Delivery = z.output<typeof delivery>;
const webhookActivity = z.object({
  is_active: z.boolean(),
  disabled_reason: z.nullable(z.string()),
  /** The newest ones first. */
  deliveries: z.array(delivery),
});
export type WebhookActivity = z.output<typeof webhookActivity>;

export interface WebhookFields {
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly string[];
}

export type WebhookChanges = Partial<WebhookFields> & { readonly is_active?: boolean };

const API = '/api/v1/webhooks';
const path = (id: string) => `${API}/${encodeURIComponent(id)}`;

export const webhooks: Resource<Webhook, WebhookFields, WebhookChanges> = resourceAt({
  view: '/webhooks',
  api: API,
  item: webhook,
  idOf: ({ id }) => id,
  // There are few, and they come in one answer.
  list: async (_page, signal) => (await call(webhookList, API, { signal })).webhooks,
});

/** The parts of a webhook that change without an edit. */
export function getActivity(webhookId: string, signal: AbortSignal): Promise<WebhookActivity> {
  return call(webhookActivity, path(webhookId), { signal });
}

export function sendTest(webhookId: string, idempotencyKey: string): Promise<Delivery> {
  return call(delivery, `${path(webhookId)}/test`, { method: 'POST', idempotencyKey });
}

export function sendAgain(deliveryId: string): Promise<Delivery> {
  return call(delivery, `/api/v1/webhook-deliveries/${encodeURIComponent(deliveryId)}/redeliver`, { method: 'POST' });
}
