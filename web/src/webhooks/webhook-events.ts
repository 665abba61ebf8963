/** The events that a webhook can be sent by the service: see docs/webhooks.md. */
export const WEBHOOK_EVENTS: readonly { readonly type: string; readonly label: string; readonly help: string }[] = [
  { type: 'test_run.finished', label: 'A run has ended', help: 'Completed, failed or canceled.' },
  {
    type: 'comparison.worse',
    label: 'A run is worse than its baseline',
    help: 'For agents that have a baseline; sent once the run is complete.',
  },
];

/** An event in words; the name of one that this page does not know. */
export function eventLabel(type: string): string {
  if (type === 'webhook.test') return 'Test';
  return WEBHOOK_EVENTS.find((event) => event.type === type)?.label ?? type;
}
