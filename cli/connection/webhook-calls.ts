import type { z } from 'zod';
import * as answers from './answers';
import type { ServiceApi } from './service-api';

/** Calls about webhooks. They throw the same errors as ServiceApi. */

/** All of them. */
export async function listWebhooks(api: ServiceApi): Promise<answers.Webhook[]> {
  return (await api.ask('GET /api/v1/webhooks', {}, answers.webhookList)).webhooks;
}

/** With its newest deliveries. */
export function getWebhook(api: ServiceApi, id: string): Promise<z.infer<typeof answers.webhookDetail>> {
  return api.ask('GET /api/v1/webhooks/{id}', { path: { id } }, answers.webhookDetail);
}

/** With its secret. */
export function createWebhook(api: ServiceApi, body: object): Promise<answers.Webhook> {
  return api.make('POST /api/v1/webhooks', { body }, answers.webhook);
}

/** With its new secret. */
export function rotateSecret(api: ServiceApi, id: string): Promise<answers.Webhook> {
  return api.make('POST /api/v1/webhooks/{id}/rotate-secret', { path: { id } }, answers.webhook);
}

export function deleteWebhook(api: ServiceApi, id: string): Promise<void> {
  return api.tell('DELETE /api/v1/webhooks/{id}', { path: { id } });
}

export function testWebhook(api: ServiceApi, id: string): Promise<answers.WebhookDelivery> {
  return api.make('POST /api/v1/webhooks/{id}/test', { path: { id } }, answers.webhookDelivery);
}
