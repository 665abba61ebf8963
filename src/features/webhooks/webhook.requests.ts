/** Sent on demand, to try a webhook. */
export const TEST_EVENT = 'webhook.test';
