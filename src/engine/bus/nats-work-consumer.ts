import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import type { Log } from '../../platform/config';
import type { Delivery, Subscription } from './bus';
import type { NatsLink } from './nats-link';
import type { NatsTimes } from './nats-times';
import type { NatsWorkStream } from './nats-work-stream';
import { fromWire } from './wire-format';

interface DeliveryOptions {
  readonly payload: unknown;
  readonly ackWaitMs: number;
  /** Called once: when the delivery is settled or its ack wait has passed. */
  readonly onSlotFree: () => void;
  /** An answer given while it is false is lost: the server delivers the work again. */
  readonly isConnected: () => boolean;
}

/** One message of the stream, delivered to this process. */
class NatsDelivery implements Delivery {
  readonly payload: unknown;
  readonly sequence: number;
  readonly deliveryCount: number;
  private readonly timer: NodeJS.Timeout;
  private settled = false;
  private holdsSlot = true;

  constructor(
    private readonly message: JsMsg,
    private readonly options: DeliveryOptions,
  ) {
    this.payload = options.payload;
    this.sequence = message.seq;
    this.deliveryCount = message.info.deliveryCount;
    this.timer = setTimeout(() => this.freeSlot(), options.ackWaitMs).unref();
  }

  ack(): void {
    this.settle(() => this.message.ack());
  }

  drop(): void {
    // Without a reason: nats-server 2.9 takes one for an unknown answer, and delivers again.
    this.settle(() => this.message.term());
  }

  nak(delayMs: number): void {
    this.settle(() => this.message.nak(delayMs));
  }

  working(): void {
    if (this.settled) return;
    if (this.holdsSlot) this.timer.refresh();
    if (this.options.isConnected()) this.message.working();
  }

  private settle(say: () => void): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.timer);
    if (this.options.isConnected()) say();
    this.freeSlot();
  }

  private freeSlot(): void {
    if (!this.holdsSlot) return;
    this.holdsSlot = false;
    this.options.onSlotFree();
  }
}

export interface WorkConsumerParts {
  readonly queue: string;
  readonly stream: NatsWorkStream;
  readonly link: NatsLink;
  readonly capacity: number;
  readonly ackWaitMs: number;
  readonly times: NatsTimes;
  readonly handler: (delivery: Delivery) => void;
  readonly onHandlerError: (error: unknown) => void;
  readonly log: Log;
}

/**
 * Pulls work while there is room. At most one pull is open, for as many messages as there are free slots when it begins;
 * slots that become free meanwhile are in the next one, which follows as soon as this one has brought what it asked for.
 */
export class NatsWorkConsumer implements Subscription {
  private free: number;
  private active = true;
  private pull: ConsumerMessages | null = null;
  private readonly stopped = new AbortController();
  private wake: () => void = () => undefined;
  private readonly unwatch: () => void;

  constructor(private readonly parts: WorkConsumerParts) {
    this.free = parts.capacity;
    this.unwatch = parts.link.onChange((isUp) => {
      // The pull died with the connection; the client would restart it for more than is free by now.
      if (!isUp) void this.pull?.close();
      this.wake();
    });
    void this.run();
  }

  unsubscribe(): void {
    if (!this.active) return;
    this.active = false;
    this.unwatch();
    this.stopped.abort();
    void this.pull?.close();
    this.wake();
  }

  private async run(): Promise<void> {
    const { pullRetryMs, longestPullRetryMs } = this.parts.times;
    let retryMs = pullRetryMs;
    while (this.active) {
      if (this.free === 0 || !this.parts.link.isUp) {
        await new Promise<void>((resolve) => (this.wake = resolve));
        continue;
      }
      try {
        await this.takeFrom(await this.parts.stream.open());
        retryMs = pullRetryMs;
      } catch (error) {
        this.parts.stream.forget();
        if (!this.active || !this.parts.link.isUp) continue;
        this.parts.log.warn('Could not pull work from the NATS server; trying again', {
          queue: this.parts.queue,
          delay_ms: retryMs,
          error,
        });
        await sleep(retryMs, undefined, { signal: this.stopped.signal }).catch(() => undefined);
        retryMs = Math.min(longestPullRetryMs, retryMs * 2);
      }
    }
  }

  /** One pull, to its end. */
  private async takeFrom(consumer: Consumer): Promise<void> {
    if (!this.active) return;
    const pull = await consumer.fetch({
      max_messages: this.free,
      expires: this.parts.times.pullLastsMs,
      idle_heartbeat: this.parts.times.pullHeartbeatMs,
    });
    this.pull = pull;
    // It may have been stopped, or the connection lost, while the pull was being set up.
    if (!this.active || !this.parts.link.isUp) void pull.close();
    try {
      for await (const message of pull) this.deliver(message);
    } finally {
      this.pull = null;
    }
  }

  private deliver(message: JsMsg): void {
    if (!this.active || this.free === 0) return message.nak();
    const payload = fromWire(message.string());
    if (payload === undefined) return this.remove(message);
    try {
      this.free -= 1;
      const delivery = new NatsDelivery(message, {
        payload,
        ackWaitMs: this.parts.ackWaitMs,
        isConnected: () => this.parts.link.isUp,
        onSlotFree: () => {
          this.free += 1;
          this.wake();
        },
      });
      this.parts.handler(delivery);
    } catch (error) {
      this.parts.onHandlerError(error);
    }
  }

  /** No process can ever read it: left unsettled it would be delivered again until the stream forgets it. */
  private remove(message: JsMsg): void {
    const { seq: sequence, data, info } = message;
    this.parts.log.error('A message of a work queue is not JSON and is removed', {
      queue: this.parts.queue,
      sequence,
      deliveryCount: info.deliveryCount,
      bytes: data.length,
    });
    message.term();
  }
}
