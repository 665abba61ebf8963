/** What a webhook may be told of. */
export const WEBHOOK_EVENTS = ['test_run.finished', 'comparison.worse'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Sent on demand, to try a webhook. */
export const TEST_EVENT = 'webhook.test';
