/** What a webhook may be sent, and when: the events of docs/webhooks.md that the service sends by itself. */
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
