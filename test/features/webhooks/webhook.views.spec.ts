import { WebhookDeliveryEntity, WebhookEntity } from '../../../src/features/webhooks/webhook.entity';
import {
  viewOfDelivery,
  viewOfForeignWebhook,
  viewOfNewWebhook,
  viewOfWebhook,
} from '../../../src/features/webhooks/webhook.views';

const CREATED = new Date('2026-03-14T09:26:53.000Z');
const UPDATED = new Date('2026-03-15T09:26:53.000Z');
const HOUR_MS = 3_600_000;

function webhook(fields: Partial<WebhookEntity> = {}): WebhookEntity {
  return Object.assign(new WebhookEntity(), {
    id: '00000000-0000-4000-8000-000000000001',
    url: 'https://ci.example.org/hook/of/its-own?token=x',
    description: null,
    events: ['test_run.finished'],
    secret: 'whsec_present',
    previousSecret: null,
    previousSecretExpiresAt: null,
    isActive: true,
    disabledReason: null,
    createdAt: CREATED,
    updatedAt: UPDATED,
    ...fields,
  });
}

function delivery(fields: Partial<WebhookDeliveryEntity> = {}): WebhookDeliveryEntity {
  return Object.assign(new WebhookDeliveryEntity(), {
    id: '00000000-0000-4000-8000-000000000002',
    type: 'webhook.test',
    testRunId: null,
    status: 'pending',
    attempts: 0,
    nextAttemptAt: UPDATED,
    lastAttemptAt: null,
    lastStatusCode: null,
    lastError: null,
    responseExcerpt: null,
    deliveredAt: null,
    createdAt: CREATED,
    ...fields,
  });
}

describe('the view of a webhook', () => {
  it('has its address, and its secret only for the caller that made it', () => {
    expect(viewOfWebhook(webhook())).toEqual({
      id: '00000000-0000-4000-8000-000000000001',
      url: 'https://ci.example.org/hook/of/its-own?token=x',
      description: null,
      events: ['test_run.finished'],
      secret: 'whsec_••••••••',
      previous_secret_expires_at: null,
      is_active: true,
      disabled_reason: null,
      created_at: '2026-03-14T09:26:53.000Z',
      updated_at: '2026-03-15T09:26:53.000Z',
    });
    expect(viewOfNewWebhook(webhook())).toEqual({ ...viewOfWebhook(webhook()), secret: 'whsec_present' });
  });

  it('says until when the secret before this one signs too, while it does', () => {
    const soon = new Date(Date.now() + HOUR_MS);
    const isOver = new Date(Date.now() - HOUR_MS);
    expect(viewOfWebhook(webhook({ previousSecretExpiresAt: soon })).previous_secret_expires_at).toBe(
      soon.toISOString(),
    );
    expect(viewOfWebhook(webhook({ previousSecretExpiresAt: isOver })).previous_secret_expires_at).toBeNull();
  });

  it.each([
    ['https://ci.example.org', 'https://ci.example.org'],
    ['https://ci.example.org/', 'https://ci.example.org/'],
    ['https://ci.example.org:8443/', 'https://ci.example.org:8443/'],
    ['https://ci.example.org/hook', 'https://ci.example.org/••••••••'],
    ['https://ci.example.org//', 'https://ci.example.org/••••••••'],
    ['https://ci.example.org?token=/', 'https://ci.example.org/••••••••'],
  ])('for a caller who may not change it has the host of %s alone', (url, shown) => {
    expect(viewOfForeignWebhook(webhook({ url }))).toEqual({ ...viewOfWebhook(webhook({ url })), url: shown });
  });
});

describe('the view of a delivery', () => {
  it('says when the next attempt is due while there is one to come', () => {
    expect(viewOfDelivery(delivery())).toEqual({
      id: '00000000-0000-4000-8000-000000000002',
      type: 'webhook.test',
      test_run_id: null,
      status: 'pending',
      attempts: 0,
      next_attempt_at: '2026-03-15T09:26:53.000Z',
      last_attempt_at: null,
      last_status_code: null,
      last_error: null,
      response_excerpt: null,
      delivered_at: null,
      created_at: '2026-03-14T09:26:53.000Z',
    });
    const over = { attempts: 1, lastAttemptAt: CREATED, lastStatusCode: 204, deliveredAt: UPDATED };
    expect(viewOfDelivery(delivery({ status: 'delivered', ...over }))).toMatchObject({
      status: 'delivered',
      next_attempt_at: null,
      last_attempt_at: '2026-03-14T09:26:53.000Z',
      delivered_at: '2026-03-15T09:26:53.000Z',
    });
  });
});
