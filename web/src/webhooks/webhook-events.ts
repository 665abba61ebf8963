import type { WebhookEvent } from '../api/webhooks';

/** The events that a webhook can be sent: see docs/webhooks.md. */
export const WEBHOOK_EVENTS: Readonly<Record<WebhookEvent, { readonly label: string; readonly help: string }>> = {
  'test_run.finished': { label: 'A run has ended', help: 'Completed, failed or canceled.' },
  'comparison.worse': {
    label: 'A run is worse than its baseline',
    help: 'For agents that have a baseline; sent once the run is complete.',
  },
};

export const WEBHOOK_EVENT_TYPES: readonly WebhookEvent[] = ['test_run.finished', 'comparison.worse'];

/** What a delivery tells, in words. */
export function eventLabel(type: string): string {
  if (type === 'webhook.test') return 'Test';
  return isWebhookEvent(type) ? WEBHOOK_EVENTS[type].label : type;
}

export function isWebhookEvent(type: string): type is WebhookEvent {
  return Object.hasOwn(WEBHOOK_EVENTS, type);
}
