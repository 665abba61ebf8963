import { Body, Controller, Delete, Get, Header, Param, Patch, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Caller } from '../../platform/access/caller';
import { isUuid } from '../../platform/database/uuid';
import type { WriteWith } from '../../platform/database/connections';
import { Endpoint } from '../../platform/http/endpoint';
import { CHANGED_MEANWHILE, ifMatchOf, sendTagged, tagHeaders, TakesIfMatch } from '../../platform/http/entity-tag';
import { FromCaller } from '../../platform/http/role.guard';
import { OncePerKey, type MadeRow, TakesIdempotencyKey } from '../../platform/idempotency/once-per-key';
import {
  createWebhookRequest,
  updateWebhookRequest,
  type CreateWebhookRequest,
  type UpdateWebhookRequest,
} from './webhook.requests';
import {
  deliveryView,
  webhookDetail,
  webhookList,
  webhookView,
  type DeliveryView,
  type WebhookDetail,
  type WebhookList,
  type WebhookView,
} from './webhook.views';
import { SWITCHED_OFF, WebhooksService } from './webhooks.service';

const NOT_FOUND = 'Webhook not found';
const WRONG_FIELD = 'A field is missing or wrong, or TARGETS does not allow the address.';

/** Answers hold secrets, and differ by caller: no proxy or browser may cache them. */
const NOT_KEPT = ['Cache-Control', 'no-store'] as const;

@ApiTags('Webhooks')
@Controller('api/v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly once: OncePerKey,
  ) {}

  @Get()
  @Header(...NOT_KEPT)
  @Endpoint({
    id: 'listWebhooks',
    role: 'viewer',
    summary: 'List webhooks, oldest first',
    answers: { 200: { description: 'The webhooks.', schema: webhookList } },
  })
  list(@FromCaller() caller: Caller): Promise<WebhookList> {
    return this.webhooks.list(caller);
  }

  @Post()
  @TakesIdempotencyKey()
  @Header(...NOT_KEPT)
  @Endpoint({
    id: 'createWebhook',
    role: 'admin',
    summary: 'Create a webhook',
    description:
      'Messages are signed as Standard Webhooks say, with the secret that only this answer shows. They arrive at least once: ' +
      'drop those whose `webhook-id` you have seen. docs/webhooks.md shows a receiver.',
    answers: {
      201: { description: 'The webhook, with its secret.', schema: webhookView, headers: tagHeaders },
      400: WRONG_FIELD,
      409: 'The limit on the number of webhooks is reached.',
    },
  })
  create(
    @Body({ schema: createWebhookRequest }) request: CreateWebhookRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookView> {
    const make = (remember: WriteWith<MadeRow>) => this.webhooks.create(request, remember);
    return this.once.answerFromRow(response, 'createWebhook', request, make, (id) => this.webhooks.findNew(id));
  }

  @Get(':id')
  @Header(...NOT_KEPT)
  @Endpoint({
    id: 'getWebhook',
    role: 'viewer',
    summary: 'Get a webhook and its newest deliveries',
    answers: { 200: { description: 'The webhook.', schema: webhookDetail, headers: tagHeaders }, 404: NOT_FOUND },
  })
  async find(
    @Param('id') id: string,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookDetail> {
    return sendTagged(response, await this.webhooks.find(id, caller));
  }

  @Patch(':id')
  @TakesIfMatch()
  @Header(...NOT_KEPT)
  @Endpoint({
    id: 'updateWebhook',
    role: 'admin',
    summary: 'Update a webhook',
    description: 'Fields that are left out stay as they are. Deliveries that are still pending go to the new address.',
    answers: {
      200: { description: 'The webhook as it is now.', schema: webhookView, headers: tagHeaders },
      400: WRONG_FIELD,
      404: NOT_FOUND,
      412: CHANGED_MEANWHILE,
    },
  })
  async update(
    @Param('id') id: string,
    @Body({ schema: updateWebhookRequest }) request: UpdateWebhookRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookView> {
    return sendTagged(response, await this.webhooks.update(id, request, ifMatchOf(response)));
  }

  @Delete(':id')
  @Endpoint({
    id: 'deleteWebhook',
    role: 'admin',
    summary: 'Delete a webhook, with its deliveries',
    answers: { 204: { description: 'Deleted.' }, 404: NOT_FOUND },
  })
  delete(@Param('id') id: string): Promise<void> {
    return this.webhooks.delete(id);
  }

  @Post(':id/rotate-secret')
  @TakesIdempotencyKey()
  @Header(...NOT_KEPT)
  @Endpoint({
    id: 'rotateWebhookSecret',
    role: 'admin',
    summary: 'Give a webhook a new signing secret',
    description:
      'Only this answer shows it. For 24 hours each message has two signatures, by the new secret and by the one before it, so that ' +
      'no receiver misses a message while it changes over. Rotate again at once to stop using a secret that has leaked.',
    answers: {
      200: { description: 'The webhook, with its new secret.', schema: webhookView, headers: tagHeaders },
      404: NOT_FOUND,
    },
  })
  rotateSecret(@Param('id') id: string, @Res({ passthrough: true }) response: Response): Promise<WebhookView> {
    const make = (remember: WriteWith<MadeRow>) => this.webhooks.rotateSecret(id, remember);
    return this.once.answerFromRow(response, 'rotateWebhookSecret', { id }, make, (made) =>
      this.webhooks.findNew(made),
    );
  }

  @Post(':id/test')
  @TakesIdempotencyKey()
  @Endpoint({
    id: 'testWebhook',
    role: 'admin',
    summary: 'Send a message of type webhook.test',
    answers: {
      202: { description: 'The delivery; GET the webhook to see its outcome.', schema: deliveryView },
      404: NOT_FOUND,
      409: SWITCHED_OFF,
    },
  })
  test(@Param('id') id: string, @Res({ passthrough: true }) response: Response): Promise<DeliveryView> {
    return this.once.answer(
      response,
      'testWebhook',
      { id },
      async (remember) => ({
        view: await this.webhooks.test(id, (tx, view) => remember(tx, { view })),
      }),
      () => (isUuid(id) ? [id] : []),
    );
  }
}

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
