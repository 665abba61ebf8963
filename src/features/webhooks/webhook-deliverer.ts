import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { RecurringTask } from '../../platform/concurrency/recurring-task';
import { Log } from '../../platform/config/log';
import { WebhookDeliveriesStore, type ClaimedDelivery, type Outcome } from './webhook-deliveries.store';
import { WebhookPayloads } from './webhook-payloads';
import { WebhookSender, type Receipt } from './webhook-sender';
import { WebhooksStore } from './webhooks.store';

const LOOK_EVERY_MS = 1_000;
const FORGET_EVERY_MS = 10 * 60_000;
/** Attempts of this process at a time. */
const AT_ONCE = 16;
/** RFC 9110: what was here is gone, for good. */
const GONE = 410;
const GONE_REASON = 'The receiver answered 410: it wants nothing any more. Switch the webhook on again if it does.';
const RUN_DELETED = 'The test run was deleted before this was sent.';

/** Delivers what webhooks are to be told: each at least once, from any process of the service. */
@Injectable()
export class WebhookDeliverer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly looking: RecurringTask;
  private readonly forgetting: RecurringTask;
  private readonly underWay = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly deliveries: WebhookDeliveriesStore,
    webhooks: WebhooksStore,
    private readonly payloads: WebhookPayloads,
    private readonly sender: WebhookSender,
    private readonly log: Log,
  ) {
    this.looking = new RecurringTask('webhook deliveries', LOOK_EVERY_MS, () => this.look(), log);
    this.forgetting = new RecurringTask(
      'forget webhook deliveries',
      FORGET_EVERY_MS,
      async () => {
        await deliveries.forgetOld();
        await webhooks.forgetExpiredSecrets();
      },
      log,
    );
  }

  onApplicationBootstrap(): void {
    this.looking.start();
    this.forgetting.start();
  }

  /** Gives back what is under way: its receiver may see it twice, with the same webhook-id. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.looking.stop(), this.forgetting.stop()]);
    this.stopping.abort(new Error('The process stops.'));
    await Promise.all(this.underWay);
  }

  private async look(): Promise<void> {
    const room = AT_ONCE - this.underWay.size;
    if (room <= 0) return;
    for (const delivery of await this.deliveries.claim(room)) {
      const attempt = this.attempt(delivery)
        .catch((error: unknown) =>
          this.log.warn('A webhook delivery was not settled', { error, deliveryId: delivery.id }),
        )
        .finally(() => this.underWay.delete(attempt));
      this.underWay.add(attempt);
    }
  }

  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    const payload = delivery.payload ?? (await this.payloadOf(delivery));
    if (payload === null) {
      const outcome = {
        kind: 'failed',
        statusCode: null,
        error: RUN_DELETED,
        excerpt: null,
        retryAfterMs: null,
      } as const;
      return this.deliveries.settle(delivery, outcome);
    }
    const isToBeSent =
      delivery.payload === null ? this.deliveries.keepPayload(delivery, payload) : this.deliveries.isDue(delivery);
    if (!(await isToBeSent)) return;
    const { url, secret, previousSecret, id } = delivery;
    const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
    let receipt: Receipt;
    try {
      receipt = await this.sender.send({ url, secrets, id, body: JSON.stringify(payload) }, this.stopping.signal);
    } catch (error) {
      if (!this.stopping.signal.aborted) throw error;
      return this.deliveries.giveBack(delivery);
    }
    if (receipt.statusCode === GONE) await this.deliveries.disable(delivery.webhookId, GONE_REASON);
    await this.deliveries.settle(delivery, outcomeOf(receipt, delivery.attempt));
  }

  private async payloadOf({ testRunId }: ClaimedDelivery): Promise<object | null> {
    return testRunId === null ? null : this.payloads.ofFinished(testRunId);
  }
}

function outcomeOf({ statusCode, error, excerpt }: Receipt, attempt: number): Outcome {
  if (error === null && statusCode !== null) return { kind: 'delivered', statusCode, excerpt };
  const retryAfterMs = statusCode === GONE ? null : waitAfter(attempt);
  return { kind: 'failed', statusCode, error: error ?? 'There was no answer.', excerpt, retryAfterMs };
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Before each further attempt, as Standard Webhooks suggest: three days in all. */
const WAITS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** Deliveries that failed together are not tried again together. */
const JITTER = 0.1;

/**
 * Milliseconds after which a failed attempt is followed by another; null after the last one.
 * @param attempt from 1
 */
function waitAfter(attempt: number): number | null {
  const wait = WAITS[attempt - 1];
  return wait === undefined ? null : Math.round(wait * (1 - JITTER + 2 * JITTER * Math.random()));
}
