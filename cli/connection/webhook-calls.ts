import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import * as answers from './answers';
import type { ServiceApi } from './service-api';

/** Calls about webhooks. They throw the same errors as ServiceApi. */

const PATH = '/api/v1/webhooks';
const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`;

/** All of them. */
export async function listWebhooks(api: ServiceApi): Promise<answers.Webhook[]> {
  return (await api.ask({ method: 'GET', path: PATH }, answers.webhookList)).webhooks;
}

/** With its newest deliveries. */
export function getWebhook(api: ServiceApi, id: string): Promise<z.infer<typeof answers.webhookDetail>> {
  return api.ask({ method: 'GET', path: pathOf(id) }, answers.webhookDetail);
}

/** With its secret. */
export function createWebhook(api: ServiceApi, fields: object): Promise<answers.Webhook> {
  return api.ask({ method: 'POST', path: PATH, body: fields, idempotencyKey: randomUUID() }, answers.webhook);
}

/** With its new secret. */
export function rotateSecret(api: ServiceApi, id: string): Promise<answers.Webhook> {
  const call = { method: 'POST', path: `${pathOf(id)}/rotate-secret`, idempotencyKey: randomUUID() } as const;
  return api.ask(call, answers.webhook);
}

export function deleteWebhook(api: ServiceApi, id: string): Promise<void> {
  return api.delete(pathOf(id));
}

export function testWebhook(api: ServiceApi, id: string): Promise<answers.WebhookDelivery> {
  const call = { method: 'POST', path: `${pathOf(id)}/test`, idempotencyKey: randomUUID() } as const;
  return api.ask(call, answers.webhookDelivery);
}
