/**
 * Tells other systems that a run ended: a trigger stores each message in the transaction that ends the run, and any process sends
 * it.
 */

export { WebhooksModule } from './webhooks.module';
export { WebhookDeliveriesStore } from './webhook-deliveries.store';
export { WebhooksStore } from './webhooks.store';
