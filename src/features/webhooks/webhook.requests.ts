import { z } from 'zod';
import { BULLETS } from '../../agents/secrets/mask-credentials';
import { description, filledText } from '../../platform/http/field';

/** What a webhook may be told of. */
export const WEBHOOK_EVENTS = ['test_run.finished', 'comparison.worse'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Sent on demand, to try a webhook. */
export const TEST_EVENT = 'webhook.test';

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
  .describe('The events to notify it of: `test_run.finished`, `comparison.worse`; all of them by default.');
const is_active = z.boolean().describe('Nothing is sent while it is false.');

const example = { url: 'https://ci.example.org/hooks/osce', events: ['test_run.finished'] };

/** Body of POST /api/v1/webhooks. */
export const createWebhookRequest = z
  .object({ url, description: description.nullish(), events: events.optional(), is_active: is_active.optional() })
  .meta({ id: 'CreateWebhook', examples: [example] });
export type CreateWebhookRequest = z.output<typeof createWebhookRequest>;

/** Body of PATCH /api/v1/webhooks/{id}. */
export const updateWebhookRequest = z
  .object({
    url: url.optional(),
    description: description.nullish(),
    events: events.optional(),
    is_active: is_active.optional(),
  })
  .meta({ id: 'UpdateWebhook', examples: [{ is_active: false }] });
export type UpdateWebhookRequest = z.output<typeof updateWebhookRequest>;
