import type { WebhookEvent } from '../api/webhooks';

/** The events that a webhook can be sent: see docs/webhooks.md. */
export const WEBHOOK_EVENTS: Readonly<Record<WebhookEvent, { readonly label: string; readonly help: string }>> = {
  'test_run.finished': { label: 'A run has ended', help: 'Completed, failed or canceled.' },
  'comparison.worse': {
    label: 'A run is worse than its baseline',
    help: 'For agents that have a baseline; sent once the run is complete.',
  },
  'schedule.gate_failed': {
    label: 'The gate of a schedule fails',
    help: 'Its run has ended and did not reach the bar.',
  },
  'schedule.gate_undecided': {
    label: 'The gate of a schedule is undecided',
    help: 'Its run has ended, and nothing can be said about the agent.',
  },
  'schedule.start_failed': {
    label: 'A schedule could not start its run',
    help: 'Such as when its agent was deleted.',
  },
};

export const WEBHOOK_EVENT_TYPES: readonly WebhookEvent[] = [
  'test_run.finished',
  'comparison.worse',
  'schedule.gate_failed',
  'schedule.gate_undecided',
  'schedule.start_failed',
];

/** What a delivery tells, in words. */
export function eventLabel(type: string): string {
  if (type === 'webhook.test') return 'Test';
  return isWebhookEvent(type) ? WEBHOOK_EVENTS[type].label : type;
}

export function isWebhookEvent(type: string): type is WebhookEvent {
  return Object.hasOwn(WEBHOOK_EVENTS, type);
}
