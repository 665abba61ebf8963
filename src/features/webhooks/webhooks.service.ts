import { BadRequestException, ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { maySeeSecrets, type Caller } from '../../platform/access';
import { entityTag, firstPartsOf, requireMatch, withSecondPart, type Tagged } from '../../platform/http';
import type { WebhookDeliveryEntity, WebhookEntity } from './webhook.entity';
import { WebhookDeliveriesStore } from './webhook-deliveries.store';
import { TooManyWebhooks, WebhooksStore } from './webhooks.store';
import type { WriteWith } from '../../platform/database';
import { TargetGuard, TargetRefusal } from '../../platform/targets';
import { BOTH_SECRETS_HOURS, newSecret } from './webhook-sender';
import { WebhookPayloads } from './webhook-payloads';
import { viewOfDelivery, viewOfForeignWebhook, viewOfNewWebhook, viewOfWebhook } from './webhook.views';
import {
  SWITCHED_OFF,
  WEBHOOK_EVENTS,
  type CreateWebhookRequest,
  type UpdateWebhookRequest,
  type DeliveryView,
  type WebhookDetail,
  type WebhookList,
  type WebhookView,
} from '../../../contract/webhooks';

const LISTED_DELIVERIES = 50;

/** Webhooks, and what they are told. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhooksStore,
    private readonly deliveries: WebhookDeliveriesStore,
    private readonly payloads: WebhookPayloads,
    private readonly guard: TargetGuard,
  ) {}

  async list(caller: Caller): Promise<WebhookList> {
    const webhooks = await this.webhooks.list();
    return { webhooks: webhooks.map(viewFor(caller)), total: webhooks.length };
  }

  /** @throws NotFoundException */
  async find(id: string, caller: Caller): Promise<Tagged<WebhookDetail>> {
    const webhook = existing(await this.webhooks.find(id));
    const deliveries = await this.deliveriesOf(webhook.id);
    return { view: { ...viewFor(caller)(webhook), deliveries }, etag: withSecondPart(etagOf(webhook), deliveries) };
  }

  /** With its secret. @throws NotFoundException */
  async findNew(id: string): Promise<Tagged<WebhookView>> {
    return withSecret(existing(await this.webhooks.find(id)));
  }

  /**
   * @param remember is written with it
   * @throws BadRequestException, ConflictException when there are as many as may be
   */
  async create(
    { url, description, events, is_active }: CreateWebhookRequest,
    remember: WriteWith<{ readonly id: string }>,
  ): Promise<Tagged<WebhookView>> {
    await this.checkAddress(url);
    const webhook = {
      url,
      description: description ?? null,
      events: [...new Set(events ?? WEBHOOK_EVENTS)],
      secret: newSecret(),
      isActive: is_active ?? true,
    };
    try {
      return withSecret(await this.webhooks.create(webhook, (tx, { id }) => remember(tx, { id })));
    } catch (error) {
      if (!(error instanceof TooManyWebhooks)) throw error;
      throw new ConflictException(`There are ${error.most} webhooks already, as many as may be: delete one first.`);
    }
  }

  /**
   * A new secret, in the answer. For a day messages are signed with the present one too.
   * @param remember is written with it
   * @throws NotFoundException
   */
  async rotateSecret(id: string, remember: WriteWith<{ readonly id: string }>): Promise<Tagged<WebhookView>> {
    const rotated = this.webhooks.rotateSecret(id, newSecret(), BOTH_SECRETS_HOURS, (tx, made) =>
      remember(tx, { id: made.id }),
    );
    return withSecret(existing(await rotated));
  }

  /**
   * @param ifMatch the header
   * @throws NotFoundException, BadRequestException, HttpException 412
   */
  async update(
    id: string,
    { url, description, events, is_active }: UpdateWebhookRequest,
    ifMatch?: string,
  ): Promise<Tagged<WebhookView>> {
    if (url !== undefined) await this.checkAddress(url);
    // What is not given stays as it is.
    const changes = { url, description, events: events && [...new Set(events)], isActive: is_active };
    const check = (stored: WebhookEntity): void => requireMatch(firstPartsOf(ifMatch), etagOf(stored), 'webhook');
    const changed = existing(await this.webhooks.update(id, changes, check));
    return { view: viewOfWebhook(changed), etag: etagOf(changed) };
  }

  /** @throws NotFoundException */
  async delete(id: string): Promise<void> {
    if (!(await this.webhooks.delete(id))) throw notFound();
  }

  /**
   * @param remember is written with the delivery
   * @throws NotFoundException, ConflictException while it is switched off
   */
  async test(id: string, remember: WriteWith<DeliveryView>): Promise<DeliveryView> {
    const webhook = existing(await this.webhooks.find(id));
    requireActive(webhook);
    const payload = { ...this.payloads.ofTest(webhook.id) };
    const created = this.deliveries.createTest(webhook.id, payload, (tx, made) => remember(tx, viewOfDelivery(made)));
    return viewOfDelivery(existing(await created));
  }

  /** @throws NotFoundException, ConflictException while its webhook is switched off */
  async redeliver(deliveryId: string): Promise<DeliveryView> {
    const delivery = existingDelivery(await this.deliveries.find(deliveryId));
    requireActive(existing(await this.webhooks.find(delivery.webhookId)));
    return viewOfDelivery(existingDelivery(await this.deliveries.redeliver(delivery.id)));
  }

  private async deliveriesOf(id: string): Promise<DeliveryView[]> {
    return (await this.webhooks.deliveries(id, LISTED_DELIVERIES)).map(viewOfDelivery);
  }

  /** What is refused now; each time it is sent to, its address is checked again. @throws BadRequestException */
  private async checkAddress(given: string): Promise<void> {
    if (!URL.canParse(given))
      throw new BadRequestException('url: must be an address such as https://ci.example.org/hook');
    const { protocol, hostname, port, username, password } = new URL(given);
    if (protocol !== 'http:' && protocol !== 'https:')
      throw new BadRequestException('url: must begin with http or https');
    if (username !== '' || password !== '') {
      throw new BadRequestException('url: must hold no user name and password: receivers know us by the signature');
    }
    try {
      await this.guard.addressesOf(hostname, Number(port || (protocol === 'https:' ? 443 : 80)));
    } catch (error) {
      // A name that cannot be looked up now may be known when there is something to tell.
      if (error instanceof TargetRefusal) throw new BadRequestException(`url: ${error.message}`);
    }
  }
}

function viewFor(caller: Caller): (webhook: WebhookEntity) => WebhookView {
  return maySeeSecrets(caller) ? viewOfWebhook : viewOfForeignWebhook;
}

/**
 * The tag of what may be changed; deliveries are no part of it. It is the same for every caller: no caller can test guesses of an
 * address against it.
 */
function etagOf(webhook: WebhookEntity): string {
  return entityTag(viewOfForeignWebhook(webhook));
}

function withSecret(webhook: WebhookEntity): Tagged<WebhookView> {
  return { view: viewOfNewWebhook(webhook), etag: etagOf(webhook) };
}

function existing<Row>(row: Row | null): Row {
  if (row === null) throw notFound();
  return row;
}

function existingDelivery(delivery: WebhookDeliveryEntity | null): WebhookDeliveryEntity {
  if (delivery === null) throw new NotFoundException('Delivery not found');
  return delivery;
}

function notFound(): NotFoundException {
  return new NotFoundException('Webhook not found');
}

function requireActive({ isActive }: WebhookEntity): void {
  if (!isActive) throw new ConflictException(SWITCHED_OFF);
}
