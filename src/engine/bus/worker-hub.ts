import { type Bus, BusError, type Delivery, type Subscription } from './bus';
import { readFromWorker, type FromHub, type FromWorker, type WorkerLink } from './worker-link';
import { fromWire, toWire } from './wire-format';

type Answered = { readonly resolve: (payload: unknown) => void; readonly reject: (error: Error) => void };

/** Lets the workers of one machine use a bus that lives in their primary. */
export function serveWorker(bus: Bus, link: WorkerLink<FromHub>): void {
  const client = new WorkerClient(bus, link);
  link.onMessage((message) => {
    const read = readFromWorker(message);
    if (read !== null) client.hear(read);
  });
  link.onClose(() => client.leave());
}

/** What one worker has open at the hub. */
class WorkerClient {
  private readonly subscriptions = new Map<number, Subscription>();
  private readonly deliveries = new Map<number, Delivery>();
  private readonly asked = new Map<number, Answered>();
  private keys = 0;
  private hasLeft = false;

  constructor(
    private readonly bus: Bus,
    private readonly link: WorkerLink<FromHub>,
  ) {}

  hear(message: FromWorker): void {
    if (this.hasLeft) return;
    switch (message.bus) {
      case 'publish':
        return this.bus.publish(message.subject, fromWire(message.payload));
      case 'subscribe':
        return this.keep(message.key, this.subscribe(message.key, message.pattern));
      case 'respond':
        return this.keep(message.key, this.respond(message.key, message.pattern));
      case 'consume':
        return this.keep(message.key, this.consume(message.key, message.queue, message.capacity));
      case 'unsubscribe':
        this.subscriptions.get(message.key)?.unsubscribe();
        return void this.subscriptions.delete(message.key);
      case 'request':
        return this.answer(
          message.key,
          this.bus.request(message.subject, fromWire(message.payload), { timeoutMs: message.timeoutMs }),
        );
      case 'enqueue':
        return this.answer(
          message.key,
          this.bus.enqueue(message.queue, fromWire(message.payload), { messageId: message.messageId }),
        );
      case 'answer':
        this.asked.get(message.key)?.resolve(fromWire(message.payload));
        return void this.asked.delete(message.key);
      case 'no_answer':
        this.asked.get(message.key)?.reject(new Error(message.message));
        return void this.asked.delete(message.key);
      case 'settle':
        return this.settle(message);
      case 'close':
        return this.leave();
    }
  }

  /** Its work goes to others at once; who asked it something need not wait. */
  leave(): void {
    if (this.hasLeft) return;
    this.hasLeft = true;
    for (const subscription of this.subscriptions.values()) subscription.unsubscribe();
    for (const delivery of this.deliveries.values()) delivery.nak(0);
    for (const { reject } of this.asked.values()) reject(new Error('The process that was asked has ended.'));
    this.subscriptions.clear();
    this.deliveries.clear();
    this.asked.clear();
  }

  private keep(key: number, subscription: Subscription): void {
    this.subscriptions.set(key, subscription);
  }

  private subscribe(listener: number, pattern: string): Subscription {
    return this.bus.subscribe(pattern, (payload, subject) =>
      this.link.send({ bus: 'heard', listener, subject, payload: toWire(payload) }),
    );
  }

  private respond(listener: number, pattern: string): Subscription {
    return this.bus.respond(pattern, (payload, subject) => {
      const key = (this.keys += 1);
      return new Promise((resolve, reject) => {
        this.asked.set(key, { resolve, reject });
        this.link.send({ bus: 'asked', listener, key, subject, payload: toWire(payload) });
      });
    });
  }

  private consume(listener: number, queue: string, capacity: number): Subscription {
    return this.bus.consume(queue, capacity, (delivery) => {
      const key = (this.keys += 1);
      this.deliveries.set(key, delivery);
      const { sequence, deliveryCount } = delivery;
      this.link.send({
        bus: 'delivered',
        listener,
        key,
        payload: toWire(delivery.payload),
        sequence,
        deliveryCount,
      });
    });
  }

  private settle({ key, as, delayMs }: Extract<FromWorker, { bus: 'settle' }>): void {
    const delivery = this.deliveries.get(key);
    if (delivery === undefined) return;
    if (as === 'working') return delivery.working();
    this.deliveries.delete(key);
    if (as === 'ack') delivery.ack();
    else if (as === 'drop') delivery.drop();
    else delivery.nak(delayMs);
  }

  private answer(key: number, answer: Promise<unknown>): void {
    answer.then(
      (payload) => this.link.send({ bus: 'done', key, payload: toWire(payload ?? null) }),
      (error: unknown) => {
        const reason = error instanceof BusError ? error.reason : 'unavailable';
        const message = error instanceof Error ? error.message : String(error);
        this.link.send({ bus: 'failed', key, reason, message });
      },
    );
  }
}
