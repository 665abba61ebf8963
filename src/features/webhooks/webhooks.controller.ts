import { Body, Controller, Header, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../platform/access';
import type { WriteWith } from '../../platform/database';
import { ifMatchOf, sendTagged, FromCaller, Serves } from '../../platform/http';
import { OncePerKey, type MadeRow } from '../../platform/idempotency';
import { WebhooksService } from './webhooks.service';
import {
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  redeliver,
  type CreateWebhookRequest,
  type UpdateWebhookRequest,
  type DeliveryView,
  type WebhookDetail,
  type WebhookList,
  type WebhookView,
} from '../../../contract/webhooks';

/** Answers hold secrets, and differ by caller: no proxy or browser may cache them. */
const NOT_KEPT = ['Cache-Control', 'no-store'] as const;

@Controller()
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly once: OncePerKey,
  ) {}

  @Header(...NOT_KEPT)
  @Serves(listWebhooks)
  list(@FromCaller() caller: Caller): Promise<WebhookList> {
    return this.webhooks.list(caller);
  }

  @Header(...NOT_KEPT)
  @Serves(createWebhook)
  create(
    @Body({ schema: createWebhook.body }) request: CreateWebhookRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookView> {
    const make = (remember: WriteWith<MadeRow>) => this.webhooks.create(request, remember);
    return this.once.answerFromRow(response, 'createWebhook', request, make, (id) => this.webhooks.findNew(id));
  }

  @Header(...NOT_KEPT)
  @Serves(getWebhook)
  async find(
    @Param('id') id: string,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookDetail> {
    return sendTagged(response, await this.webhooks.find(id, caller));
  }

  @Header(...NOT_KEPT)
  @Serves(updateWebhook)
  async update(
    @Param('id') id: string,
    @Body({ schema: updateWebhook.body }) request: UpdateWebhookRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookView> {
    return sendTagged(response, await this.webhooks.update(id, request, ifMatchOf(response)));
  }

  @Serves(deleteWebhook)
  delete(@Param('id') id: string): Promise<void> {
    return this.webhooks.delete(id);
  }

  @Header(...NOT_KEPT)
  @Serves(rotateWebhookSecret)
  rotateSecret(@Param('id') id: string, @Res({ passthrough: true }) response: Response): Promise<WebhookView> {
    const make = (remember: WriteWith<MadeRow>) => this.webhooks.rotateSecret(id, remember);
    return this.once.answerFromRow(response, 'rotateWebhookSecret', { id }, make, (made) =>
      this.webhooks.findNew(made),
    );
  }

  @Serves(testWebhook)
  test(@Param('id') id: string, @Res({ passthrough: true }) response: Response): Promise<DeliveryView> {
    return this.once.answer(
      response,
      'testWebhook',
      { id },
      async (remember) => ({
        view: await this.webhooks.test(id, (tx, view) => remember(tx, { view })),
      }),
      () => [id],
    );
  }
}

@Controller()
export class WebhookDeliveriesController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Serves(redeliver)
  redeliver(@Param('id') id: string): Promise<DeliveryView> {
    return this.webhooks.redeliver(id);
  }
}
