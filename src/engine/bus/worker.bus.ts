import { Bus, BusError, type BusStatus, type Delivery, type Subscription } from './bus';
import { assertPattern, assertSubject } from './subject-map';
import { fromWire, toWire } from './wire-format';
import { readFromHub, type FromHub, type FromWorker, type WorkerLink } from './worker-link';

interface Waiting {
  readonly resolve: (payload: unknown) => void;
  readonly reject: (error: BusError) => void;
}

type Heard = Exclude<FromHub, { bus: 'done' | 'failed' }>;

export interface WorkerBusOptions {
  /** Receives what handlers throw: a defect of the handler, never the sender's concern. */
  readonly onHandlerError?: (error: unknown, subject: string) => void;
}

/** Between the worker processes of one machine: the bus itself is in their primary, at the other end of the link. */
export class WorkerBus extends Bus {
  private readonly listeners = new Map<number, (message: Heard) => void>();
  private readonly waiting = new Map<number, Waiting>();
  private keys = 0;
  private closed = false;

  constructor(
    private readonly link: WorkerLink<FromWorker>,
    private readonly options: WorkerBusOptions = {},
  ) {
    super();
    link.onMessage((message) => {
      const read = readFromHub(message);
      if (read !== null && !this.closed) this.hear(read);
    });
    link.onClose(() => this.end());
  }

  publish(subject: string, payload: unknown): void {
    if (this.closed) return;
    assertSubject(subject);
    this.link.send({ bus: 'publish', subject, payload: toWire(payload) });
  }

  subscribe(pattern: string, handler: (payload: unknown, subject: string) => void): Subscription {
    return this.listen(pattern, 'subscribe', (message) => {
      if (message.bus === 'heard') this.run(message.subject, () => handler(fromWire(message.payload), message.subject));
    });
  }

  respond(pattern: string, handler: (payload: unknown, subject: string) => Promise<unknown>): Subscription {
    return this.listen(pattern, 'respond', (message) => {
      if (message.bus !== 'asked') return;
      const { key, subject } = message;
      new Promise((resolve) => resolve(handler(fromWire(message.payload), subject)))
        .then((answer) => toWire(answer ?? null))
        .then(
          (payload) => this.link.send({ bus: 'answer', key, payload }),
          (error: unknown) => this.link.send({ bus: 'no_answer', key, message: messageOf(error) }),
        );
    });
  }

  async request(subject: string, payload: unknown, { timeoutMs }: { timeoutMs: number }): Promise<unknown> {
    if (this.closed) throw closedError();
    assertSubject(subject);
    const text = toWire(payload);
    return this.ask((key) => ({ bus: 'request', key, subject, payload: text, timeoutMs }));
  }

  async enqueue(queue: string, payload: unknown, { messageId }: { messageId: string }): Promise<void> {
    if (this.closed) throw closedError();
    assertSubject(queue);
    const text = toWire(payload);
    await this.ask((key) => ({ bus: 'enqueue', key, queue, payload: text, messageId }));
  }

  consume(queue: string, capacity: number, handler: (delivery: Delivery) => void): Subscription {
    assertSubject(queue);
    const settle = (key: number, as: 'ack' | 'drop' | 'nak' | 'working', delayMs = 0): void => {
      if (!this.closed) this.link.send({ bus: 'settle', key, as, delayMs });
    };
    const hear = (message: Heard): void => {
      if (message.bus === 'delivered') this.run(queue, () => handler(deliveryOf(message, settle)));
    };
    return this.add(hear, (key) => ({ bus: 'consume', key, queue, capacity }));
  }

  status(): BusStatus {
    return this.closed ? { status: 'error', detail: 'closed' } : { status: 'ok', detail: 'between worker processes' };
  }

  close(): Promise<void> {
    if (this.closed) return Promise.resolve();
    return new Promise((resolve) => {
      this.link.send({ bus: 'close' }, resolve);
      this.end();
    });
  }

  private listen(pattern: string, as: 'subscribe' | 'respond', hear: (message: Heard) => void): Subscription {
    assertPattern(pattern);
    return this.add(hear, (key) => ({ bus: as, key, pattern }));
  }

  private add(hear: (message: Heard) => void, asked: (key: number) => FromWorker): Subscription {
    if (this.closed) return { unsubscribe: () => undefined };
    const key = (this.keys += 1);
    this.listeners.set(key, hear);
    this.link.send(asked(key));
    return {
      unsubscribe: () => {
        if (this.listeners.delete(key) && !this.closed) this.link.send({ bus: 'unsubscribe', key });
      },
    };
  }

  private ask(asked: (key: number) => FromWorker): Promise<unknown> {
    const key = (this.keys += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(key, { resolve, reject });
      this.link.send(asked(key));
    });
  }

  private hear(message: FromHub): void {
    if (message.bus === 'done' || message.bus === 'failed') {
      const waiting = this.waiting.get(message.key);
      this.waiting.delete(message.key);
      if (message.bus === 'done') waiting?.resolve(fromWire(message.payload));
      else waiting?.reject(new BusError(message.reason, message.message));
      return;
    }
    const listener = this.listeners.get(message.listener);
    if (listener !== undefined) return listener(message);
    // It was on its way when its listener left: work goes to another one, and who asked is told.
    const { bus } = message;
    if (bus === 'delivered') this.link.send({ bus: 'settle', key: message.key, as: 'nak', delayMs: 0 });
    if (bus === 'asked') this.link.send({ bus: 'no_answer', key: message.key, message: 'The responder has left.' });
  }

  private run(subject: string, handler: () => void): void {
    try {
      handler();
    } catch (error) {
      this.options.onHandlerError?.(error, subject);
    }
  }

  private end(): void {
    this.closed = true;
    this.listeners.clear();
    for (const { reject } of this.waiting.values()) reject(closedError());
    this.waiting.clear();
  }
}

/** Only the first of ack, drop and nak counts. */
function deliveryOf(
  { key, payload, sequence, deliveryCount }: Extract<FromHub, { bus: 'delivered' }>,
  settle: (key: number, as: 'ack' | 'drop' | 'nak' | 'working', delayMs?: number) => void,
): Delivery {
  let isSettled = false;
  const once = (as: 'ack' | 'drop' | 'nak', delayMs?: number): void => {
    if (!isSettled) settle(key, as, delayMs);
    isSettled = true;
  };
  return {
    payload: fromWire(payload),
    sequence,
    deliveryCount,
    ack: () => once('ack'),
    drop: () => once('drop'),
    nak: (delayMs) => once('nak', delayMs),
    working: () => {
      if (!isSettled) settle(key, 'working');
    },
  };
}

function closedError(): BusError {
  return new BusError('unavailable', 'The bus is closed.');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The responder failed.';
}
