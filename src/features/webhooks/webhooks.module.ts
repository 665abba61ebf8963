import { Module } from '@nestjs/common';
import { RunsModule } from '../runs/runs.module';
import { WebhookComparisons } from './webhook-comparisons';
import { WebhookDeliverer } from './webhook-deliverer';
import { WebhookPayloads } from './webhook-payloads';
import { WebhookSender, WebhookTimes } from './webhook-sender';
import { WebhookDeliveriesController, WebhooksController } from './webhooks.controller';
import { WebhooksService } from './webhooks.service';

/** Addresses that are notified when a run ends, or is worse than its baseline. */
@Module({
  imports: [RunsModule],
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [WebhooksService, WebhookPayloads, WebhookSender, WebhookTimes, WebhookDeliverer, WebhookComparisons],
  exports: [WebhookPayloads],
})
export class WebhooksModule {}
