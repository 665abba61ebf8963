import type { Delivery, Subscription } from './bus';
import { fromWire } from './wire-format';

interface Link<T> {
  readonly value: T;
  next: Link<T> | undefined;
}

/** First in, first out, in constant time at any length (`Array.shift` moves every element of a long array). */
export class Fifo<T> {
  private head: Link<T> | undefined;
  private tail: Link<T> | undefined;

  push(value: T): void {
    const link: Link<T> = { value, next: undefined };
    if (this.tail) this.tail.next = link;
    else this.head = link;
    this.tail = link;
  }

  shift(): T | undefined {
    const first = this.head;
    if (!first) return undefined;
    this.head = first.next;
    if (!this.head) this.tail = undefined;
    return first.value;
  }
}

/**
 * Remembers message ids for a window of time, in two generations: when the newer one is a window old it becomes the older
 * and the older one is forgotten. Memory holds at most two windows of ids, and no sweep is needed.
 */
export class DedupeWindow {
  private young = new Map<string, number>();
  private old = new Map<string, number>();
  /** The first id begins the first generation. */
  private youngSince = -Infinity;

  constructor(
    private readonly windowMs: number,
    /** Beyond it the oldest are forgotten early: work is then delivered twice, which at-least-once allows. */
    private readonly maxIds = 200_000,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** True the first time an id is seen within the window; a repeat does not lengthen the window. */
  admit(id: string): boolean {
    const now = this.now();
    const seen = this.young.get(id) ?? this.old.get(id);
    if (seen !== undefined && now - seen < this.windowMs) return false;
    if (now - this.youngSince >= this.windowMs || this.young.size >= this.maxIds / 2) {
      this.old = this.young;
      this.young = new Map();
      this.youngSince = now;
    }
    this.young.set(id, now);
    return true;
  }
}

interface WorkItem {
  readonly text: string;
  readonly sequence: number;
  deliveries: number;
  /** `out` while the newest delivery is open; `queued` and `delayed` items will be delivered; `done` never again. */
  state: 'queued' | 'delayed' | 'out' | 'done';
  newest: OpenDelivery | undefined;
}

interface Consumer {
  readonly handler: (delivery: Delivery) => void;
  free: number;
  active: boolean;
}

export interface WorkQueueOptions {
  readonly ackWaitMs: number;
  readonly dedupeWindowMs: number;
  readonly dice: FaultDice;
  readonly onHandlerError: (error: unknown) => void;
}

/**
 * One queue of work in memory, with the behaviour of a JetStream work queue: redelivery goes first, an ack counts whichever
 * delivery it comes from, and a consumer that fell silent loses its work but may still come back and settle it.
 */
export class WorkQueue {
  private readonly fresh = new Fifo<WorkItem>();
  private readonly again = new Fifo<WorkItem>();
  private readonly admitted: DedupeWindow;
  private readonly timers = new Set<NodeJS.Timeout>();
  private consumers: Consumer[] = [];
  private turn = 0;
  private added = 0;
  private dispatching = false;
  private closed = false;

  constructor(private readonly options: WorkQueueOptions) {
    this.admitted = new DedupeWindow(options.dedupeWindowMs);
  }

  add(text: string, messageId: string): void {
    if (this.closed || !this.admitted.admit(messageId)) return;
    this.added += 1;
    this.fresh.push({ text, sequence: this.added, deliveries: 0, state: 'queued', newest: undefined });
    this.dispatchSoon();
  }

  consume(capacity: number, handler: (delivery: Delivery) => void): Subscription {
    const consumer: Consumer = { handler, free: capacity, active: true };
    this.consumers.push(consumer);
    this.dispatchSoon();
    return {
      unsubscribe: () => {
        consumer.active = false;
        this.consumers = this.consumers.filter((other) => other !== consumer);
      },
    };
  }

  close(): void {
    this.closed = true;
    this.consumers = [];
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  /** Called by deliveries. */
  settle(item: WorkItem, nakDelayMs: number | undefined): void {
    if (this.closed || item.state === 'done' || this.options.dice.losesSettlement()) return;
    if (nakDelayMs === undefined) {
      item.state = 'done';
    } else if (item.state === 'out') {
      item.state = 'delayed';
      this.after(nakDelayMs, () => this.requeue(item, 'delayed'));
    }
  }

  /** Called by a delivery whose ack wait has passed. */
  expire(delivery: OpenDelivery, item: WorkItem): void {
    if (item.newest === delivery) this.requeue(item, 'out');
  }

  /** A slot of a consumer is free again. */
  release(consumer: Consumer): void {
    consumer.free += 1;
    this.dispatchSoon();
  }

  /** Runs a callback later without keeping the process alive for it. */
  after(delayMs: number, callback: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      callback();
    }, delayMs).unref();
    this.timers.add(timer);
    return timer;
  }

  cancelTimer(timer: NodeJS.Timeout): void {
    this.timers.delete(timer);
    clearTimeout(timer);
  }

  private requeue(item: WorkItem, from: 'out' | 'delayed'): void {
    if (item.state !== from) return;
    item.state = 'queued';
    this.again.push(item);
    this.dispatchSoon();
  }

  /** Never in the caller's turn of the event loop: a caller that enqueues or settles continues before any handler runs. */
  private dispatchSoon(): void {
    if (this.dispatching || this.consumers.length === 0) return;
    this.dispatching = true;
    setImmediate(() => {
      this.dispatching = false;
      this.dispatch();
    });
  }

  private dispatch(): void {
    for (let consumer = this.nextFree(); consumer; consumer = this.nextFree()) {
      const item = this.take();
      if (!item) return;
      this.deliver(item, consumer);
    }
  }

  /** Consumers with room take turns. */
  private nextFree(): Consumer | undefined {
    for (let step = 0; step < this.consumers.length; step += 1) {
      const index = (this.turn + step) % this.consumers.length;
      const consumer = this.consumers[index];
      if (consumer && consumer.free > 0) {
        this.turn = index + 1;
        return consumer;
      }
    }
    return undefined;
  }

  private take(): WorkItem | undefined {
    for (;;) {
      const item = this.again.shift() ?? this.fresh.shift();
      // An item that a late ack finished while it waited is skipped.
      if (!item || item.state === 'queued') return item;
    }
  }

  private deliver(item: WorkItem, consumer: Consumer): void {
    consumer.free -= 1;
    item.deliveries += 1;
    item.state = 'out';
    const delivery = new OpenDelivery(this, item, consumer, this.options.ackWaitMs);
    item.newest = delivery;
    if (item.deliveries === 1 && this.options.dice.duplicatesWork()) this.requeue(item, 'out');
    try {
      consumer.handler(delivery);
    } catch (error) {
      this.options.onHandlerError(error);
    }
  }
}

/** Holds a slot of its consumer until it is settled or its ack wait has passed, whatever happens to the item meanwhile. */
class OpenDelivery implements Delivery {
  readonly payload: unknown;
  readonly sequence: number;
  readonly deliveryCount: number;
  private readonly timer: NodeJS.Timeout;
  private settled = false;
  private holdsSlot = true;

  constructor(
    private readonly queue: WorkQueue,
    private readonly item: WorkItem,
    private readonly consumer: Consumer,
    ackWaitMs: number,
  ) {
    this.payload = fromWire(item.text);
    this.sequence = item.sequence;
    this.deliveryCount = item.deliveries;
    this.timer = queue.after(ackWaitMs, () => {
      this.freeSlot();
      queue.expire(this, item);
    });
  }

  ack(): void {
    this.settle(undefined);
  }

  drop(): void {
    this.settle(undefined);
  }

  nak(delayMs: number): void {
    this.settle(delayMs);
  }

  working(): void {
    if (this.settled) return;
    if (this.holdsSlot) this.timer.refresh();
    // The server keeps one ack wait per message: a stale worker's progress report counts for the newest delivery.
    if (this.item.newest !== this) this.item.newest?.prolong();
  }

  private prolong(): void {
    if (this.holdsSlot && !this.settled) this.timer.refresh();
  }

  private settle(nakDelayMs: number | undefined): void {
    if (this.settled) return;
    this.settled = true;
    this.freeSlot();
    this.queue.settle(this.item, nakDelayMs);
    // A settlement that was lost leaves the ack wait running; it delivers the item again.
    if (this.item.newest !== this || this.item.state !== 'out') this.queue.cancelTimer(this.timer);
  }

  private freeSlot(): void {
    if (!this.holdsSlot) return;
    this.holdsSlot = false;
    this.queue.release(this.consumer);
  }
}

/**
 * What the network may do, done on purpose: tests run the service on a bus that loses and repeats messages. Shares are
 * probabilities from 0 to 1.
 */
export interface BusFaults {
  /** The same seed gives the same faults for the same sequence of calls. */
  readonly seed: number;
  /** Published messages and requests that one receiver never hears. */
  readonly dropMessages?: number;
  /** Published messages and requests that one receiver hears twice. */
  readonly duplicateMessages?: number;
  /** Acks and naks that are lost: the work is delivered again after the ack wait. */
  readonly loseSettlements?: number;
  /** Work delivered a second time while the first delivery is still open. */
  readonly duplicateWork?: number;
}

/** The dice of one bus. */
export class FaultDice {
  private state: number;

  constructor(private readonly faults: BusFaults = { seed: 0 }) {
    this.state = faults.seed >>> 0;
  }

  /** How often a receiver hears a message: 0, 1 or 2. */
  copies(): 0 | 1 | 2 {
    if (this.roll(this.faults.dropMessages)) return 0;
    return this.roll(this.faults.duplicateMessages) ? 2 : 1;
  }

  losesSettlement(): boolean {
    return this.roll(this.faults.loseSettlements);
  }

  duplicatesWork(): boolean {
    return this.roll(this.faults.duplicateWork);
  }

  /** A fault that never happens takes no number from those that do. */
  private roll(share = 0): boolean {
    return share > 0 && this.next() < share;
  }

  /** Mulberry32, a 32-bit generator with a published reference (Tommy Ettinger, 2017): small and good enough for dice. */
  private next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
