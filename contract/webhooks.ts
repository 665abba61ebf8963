import { BULLETS, description, filledText, id, timestamp } from './field';
import { z } from 'zod';
import { operation } from './operation';
import { CHANGED_MEANWHILE, tagHeaders } from './headers';

/** What a webhook may be told of. */
export const WEBHOOK_EVENTS = [
  'test_run.finished',
  'comparison.worse',
  'schedule.gate_failed',
  'schedule.gate_undecided',
  'schedule.start_failed',
] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

const url = filledText(2_000)
  .refine(
    (text) => !text.includes(BULLETS),
    'expected the whole address, not as it is shown without its path: leave it out to keep it',
  )
  .describe('An http or https address; TARGETS says where it may lead.');

const events = z
  .array(z.enum(WEBHOOK_EVENTS))
  .min(1)
  .max(20)
  .describe(
    `The events to notify it of: ${WEBHOOK_EVENTS.map((type) => `\`${type}\``).join(', ')}; all of them by default.`,
  );

const is_active = z.boolean().describe('Nothing is sent while it is false.');

const example = { url: 'https://ci.example.org/hooks/osce', events: ['test_run.finished'] };

/** Body of POST /api/v1/webhooks. */
const createWebhookRequest = z
  .object({ url, description: description.nullish(), events: events.optional(), is_active: is_active.optional() })
  .meta({ id: 'CreateWebhook', examples: [example] });

export type CreateWebhookRequest = z.output<typeof createWebhookRequest>;

/** Body of PATCH /api/v1/webhooks/{id}. */
const updateWebhookRequest = z
  .object({
    url: url.optional(),
    description: description.nullish(),
    events: events.optional(),
    is_active: is_active.optional(),
  })
  .meta({ id: 'UpdateWebhook', examples: [{ is_active: false }] });

export type UpdateWebhookRequest = z.output<typeof updateWebhookRequest>;

// Enumerations of stored values are open in answers: another version may have written a value that this one does not know.

const webhookView = z
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

const webhookList = z.object({ webhooks: z.array(webhookView), total: z.int() });

export type WebhookList = z.output<typeof webhookList>;

const deliveryView = z
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
const webhookDetail = webhookView
  .extend({ deliveries: z.array(deliveryView).describe('The newest 50, newest first.') })
  .meta({ id: 'WebhookDetail' });

export type WebhookDetail = z.output<typeof webhookDetail>;

const NOT_FOUND = 'Webhook not found';

const WRONG_FIELD = 'A field is missing or wrong, or TARGETS does not allow the address.';

export const SWITCHED_OFF = 'The webhook is switched off: set is_active to true first.';

export const listWebhooks = operation({
  id: 'listWebhooks',
  method: 'GET',
  path: '/api/v1/webhooks',
  tag: 'Webhooks',
  role: 'viewer',
  summary: 'List webhooks, oldest first',
  answers: { 200: { description: 'The webhooks.', schema: webhookList } },
});

export const createWebhook = operation({
  id: 'createWebhook',
  method: 'POST',
  path: '/api/v1/webhooks',
  tag: 'Webhooks',
  role: 'admin',
  summary: 'Create a webhook',
  description:
    'Messages are signed as Standard Webhooks say, with the secret that only this answer shows. They arrive at least once: ' +
    'drop those whose `webhook-id` you have seen. docs/webhooks.md shows a receiver.',
  body: createWebhookRequest,
  isKeyed: true,
  answers: {
    201: { description: 'The webhook, with its secret.', schema: webhookView, headers: tagHeaders },
    400: WRONG_FIELD,
    409: 'The limit on the number of webhooks is reached.',
  },
});

export const getWebhook = operation({
  id: 'getWebhook',
  method: 'GET',
  path: '/api/v1/webhooks/{id}',
  tag: 'Webhooks',
  role: 'viewer',
  summary: 'Get a webhook and its newest deliveries',
  answers: { 200: { description: 'The webhook.', schema: webhookDetail, headers: tagHeaders }, 404: NOT_FOUND },
});

export const updateWebhook = operation({
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/api/v1/webhooks/{id}',
  tag: 'Webhooks',
  role: 'admin',
  summary: 'Update a webhook',
  description: 'Fields that are left out stay as they are. Deliveries that are still pending go to the new address.',
  body: updateWebhookRequest,
  takesIfMatch: true,
  answers: {
    200: { description: 'The webhook as it is now.', schema: webhookView, headers: tagHeaders },
    400: WRONG_FIELD,
    404: NOT_FOUND,
    412: CHANGED_MEANWHILE,
  },
});

export const deleteWebhook = operation({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/v1/webhooks/{id}',
  tag: 'Webhooks',
  role: 'admin',
  summary: 'Delete a webhook, with its deliveries',
  answers: { 204: { description: 'Deleted.' }, 404: NOT_FOUND },
});

export const rotateWebhookSecret = operation({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/api/v1/webhooks/{id}/rotate-secret',
  tag: 'Webhooks',
  role: 'admin',
  summary: 'Give a webhook a new signing secret',
  description:
    'Only this answer shows it. For 24 hours each message has two signatures, by the new secret and by the one before it, so that ' +
    'no receiver misses a message while it changes over. Rotate again at once to stop using a secret that has leaked.',
  isKeyed: true,
  answers: {
    200: { description: 'The webhook, with its new secret.', schema: webhookView, headers: tagHeaders },
    404: NOT_FOUND,
  },
});

export const testWebhook = operation({
  id: 'testWebhook',
  method: 'POST',
  path: '/api/v1/webhooks/{id}/test',
  tag: 'Webhooks',
  role: 'admin',
  summary: 'Send a message of type webhook.test',
  isKeyed: true,
  answers: {
    202: { description: 'The delivery; GET the webhook to see its outcome.', schema: deliveryView },
    404: NOT_FOUND,
    409: SWITCHED_OFF,
  },
});

export const redeliver = operation({
  id: 'redeliver',
  method: 'POST',
  path: '/api/v1/webhook-deliveries/{id}/redeliver',
  tag: 'Webhooks',
  role: 'admin',
  summary: 'Send a delivery again, now',
  description:
    'With the same webhook-id: a receiver that has it already drops it. One that is being sent is left alone.',
  answers: {
    202: { description: 'The delivery.', schema: deliveryView },
    404: 'Delivery not found',
    409: SWITCHED_OFF,
  },
});
