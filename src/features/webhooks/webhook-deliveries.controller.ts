import { Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../platform/http/endpoint';
import { deliveryView, type DeliveryView } from './webhook.views';
import { SWITCHED_OFF, WebhooksService } from './webhooks.service';

@ApiTags('Webhooks')
@Controller('api/v1/webhook-deliveries')
export class WebhookDeliveriesController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Post(':id/redeliver')
  @Endpoint({
    id: 'redeliver',
    role: 'admin',
    summary: 'Send a delivery again, now',
    description:
      'With the same webhook-id: a receiver that has it already drops it. One that is being sent is left alone.',
    answers: {
      202: { description: 'The delivery.', schema: deliveryView },
      404: 'Delivery not found',
      409: SWITCHED_OFF,
    },
  })
  redeliver(@Param('id') id: string): Promise<DeliveryView> {
    return this.webhooks.redeliver(id);
  }
}
