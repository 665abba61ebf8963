import { Bus, BusError, type BusStatus, type Delivery, type Subscription } from './bus';
import { type BusFaults, FaultDice, WorkQueue } from './work-queue';
import { assertSubject, SubjectMap } from './subject-map';
import { fromWire, toWire } from './wire-format';

export interface InProcessBusOptions {
  /** How long a delivery may stay silent before its work is redelivered elsewhere; 12 s by default, as between processes. */
  readonly ackWaitMs?: number;
  /** Two minutes, JetStream's default `duplicate_window`. */
  readonly dedupeWindowMs?: number;
  /** Receives what handlers throw: a defect of the handler, never the sender's concern. */
  readonly onHandlerError?: (error: unknown, subject: string) => void;
  /** For tests: lose and repeat messages on purpose. */
  readonly faults?: BusFaults;
}

type Respond = (answer: Promise<unknown>) => void;

interface Listener {
  readonly hear: (payload: unknown, subject: string, respond: Respond | undefined) => void;
  active: boolean;
}

interface Sent {
  readonly listener: Listener;
  readonly subject: string;
  readonly text: string;
  readonly respond: Respond | undefined;
}

/** Everything in this process, and never kinder than NATS: the same contract suite runs against both. */
export class InProcessBus extends Bus {
  private readonly listeners = new SubjectMap<Listener>();
  private readonly queues = new Map<string, WorkQueue>();
  private readonly openRequests = new Set<(error: BusError) => void>();
  private readonly dice: FaultDice;
  private outbox: Sent[] = [];
  private closed = false;

  constructor(private readonly options: InProcessBusOptions = {}) {
    super();
    this.dice = new FaultDice(options.faults);
  }

  publish(subject: string, payload: unknown): void {
    if (this.closed) return;
    assertSubject(subject);
    const listeners = this.listeners.match(subject);
    if (listeners.length > 0) this.send(listeners, subject, toWire(payload), undefined);
  }

  subscribe(pattern: string, handler: (payload: unknown, subject: string) => void): Subscription {
    return this.listen(pattern, handler);
  }

  respond(pattern: string, handler: (payload: unknown, subject: string) => Promise<unknown>): Subscription {
    return this.listen(pattern, (payload, subject, respond) => {
      // At once, so that responders and subscribers hear in the order of the messages; what it throws is a failed answer.
      const answer = new Promise((resolve) => resolve(handler(payload, subject)));
      if (respond) respond(answer);
      else answer.catch((error: unknown) => this.reportHandlerError(error, subject));
    });
  }

  async request(subject: string, payload: unknown, { timeoutMs }: { timeoutMs: number }): Promise<unknown> {
    if (this.closed) throw closedError();
    assertSubject(subject);
    const text = toWire(payload);
    const listeners = this.listeners.match(subject);
    if (listeners.length === 0) throw new BusError('no_responder', `No one listens on ${subject}.`);
    return new Promise((resolve, reject) => {
      const fail = (error: BusError): void => {
        clearTimeout(timer);
        this.openRequests.delete(fail);
        reject(error);
      };
      const timer = setTimeout(
        () => fail(new BusError('timeout', `No answer on ${subject} within ${timeoutMs} ms.`)),
        timeoutMs,
      ).unref();
      this.openRequests.add(fail);
      this.send(listeners, subject, text, (answer) => {
        answer
          .then((value) => toWire(value ?? null))
          .then(
            (reply) => {
              clearTimeout(timer);
              if (this.openRequests.delete(fail)) setImmediate(() => resolve(fromWire(reply)));
            },
            (error: unknown) => fail(responderFailed(error)),
          );
      });
    });
  }

  async enqueue(queue: string, payload: unknown, { messageId }: { messageId: string }): Promise<void> {
    if (this.closed) throw closedError();
    assertSubject(queue);
    this.queue(queue).add(toWire(payload), messageId);
  }

  consume(queue: string, capacity: number, handler: (delivery: Delivery) => void): Subscription {
    assertSubject(queue);
    if (this.closed) return { unsubscribe: () => undefined };
    return this.queue(queue).consume(capacity, handler);
  }

  status(): BusStatus {
    return this.closed ? { status: 'error', detail: 'closed' } : { status: 'ok', detail: 'in process' };
  }

  async close(): Promise<void> {
    this.closed = true;
    this.outbox = [];
    for (const queue of this.queues.values()) queue.close();
    for (const fail of [...this.openRequests]) fail(closedError());
  }

  private listen(pattern: string, hear: Listener['hear']): Subscription {
    const listener: Listener = { hear, active: true };
    const remove = this.listeners.add(pattern, listener);
    return {
      unsubscribe: () => {
        listener.active = false;
        remove();
      },
    };
  }

  private send(listeners: readonly Listener[], subject: string, text: string, respond: Respond | undefined): void {
    if (this.outbox.length === 0) setImmediate(() => this.deliverAll());
    for (const listener of listeners) {
      for (let copies = this.dice.copies(); copies > 0; copies -= 1) {
        this.outbox.push({ listener, subject, text, respond });
      }
    }
  }

  /** What handlers send meanwhile goes out in the next turn of the event loop, so a chain of messages cannot starve timers and sockets. */
  private deliverAll(): void {
    const sent = this.outbox;
    this.outbox = [];
    for (const { listener, subject, text, respond } of sent) {
      if (!listener.active || this.closed) continue;
      try {
        listener.hear(fromWire(text), subject, respond);
      } catch (error) {
        this.reportHandlerError(error, subject);
      }
    }
  }

  private queue(name: string): WorkQueue {
    const existing = this.queues.get(name);
    if (existing) return existing;
    const queue = new WorkQueue({
      ackWaitMs: this.options.ackWaitMs ?? 12_000,
      dedupeWindowMs: this.options.dedupeWindowMs ?? 120_000,
      dice: this.dice,
      onHandlerError: (error) => this.reportHandlerError(error, name),
    });
    this.queues.set(name, queue);
    return queue;
  }

  private reportHandlerError(error: unknown, subject: string): void {
    this.options.onHandlerError?.(error, subject);
  }
}

function closedError(): BusError {
  return new BusError('unavailable', 'The bus is closed.');
}

function responderFailed(error: unknown): BusError {
  const message = error instanceof Error ? error.message : 'The responder failed.';
  return new BusError('responder_failed', message, { cause: error });
}
