import type { JsMsg } from '@nats-io/jetstream';
import type { Delivery } from './bus';

export interface DeliveryOptions {
  readonly payload: unknown;
  readonly ackWaitMs: number;
  /** Called once: when the delivery is settled or its ack wait has passed. */
  readonly onSlotFree: () => void;
  /** An answer given while it is false is lost: the server delivers the work again. */
  readonly isConnected: () => boolean;
}

/** One message of the stream, delivered to this process. */
export class NatsDelivery implements Delivery {
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
