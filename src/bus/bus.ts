/**
 * Port: how actors, commands and events travel. Delivery is at least once and order holds per publisher and subject;
 * a message may be lost when the process or the server dies, because PostgreSQL is the truth and the reconciler hands out
 * again what was lost. Payloads are JSON values: receivers get their own copy, never the sender's object.
 */
export abstract class Bus {
  /** Tells everybody who subscribed to a pattern that matches. Never waits for them, never throws on a lost connection. */
  abstract publish(subject: string, payload: unknown): void;

  /**
   * Patterns follow NATS: tokens separated by dots, `*` for one token, `>` for one or more at the end.
   * The handler must not throw; what it throws is logged and dropped.
   */
  abstract subscribe(pattern: string, handler: (payload: unknown, subject: string) => void): Subscription;

  /** @throws BusError `no_responder` or `timeout` */
  abstract request(subject: string, payload: unknown, options: { timeoutMs: number }): Promise<unknown>;

  /** Answers requests on a pattern. What the handler throws reaches the requester as BusError `responder_failed`. */
  abstract respond(pattern: string, handler: (payload: unknown, subject: string) => Promise<unknown>): Subscription;

  /**
   * Puts one piece of work into the queue. The same messageId within two minutes is one message.
   * Resolves when the queue holds it. @throws BusError `unavailable`
   */
  abstract enqueue(queue: string, payload: unknown, options: { messageId: string }): Promise<void>;

  /** Takes work from the queue, at most `capacity` unsettled deliveries at a time; each goes to one consumer of all processes. */
  abstract consume(queue: string, capacity: number, handler: (delivery: Delivery) => void): Subscription;

  abstract status(): BusStatus;

  /** Stops deliveries and closes connections; unsettled work is redelivered elsewhere. Idempotent. */
  abstract close(): Promise<void>;
}

export interface Subscription {
  unsubscribe(): void;
}

/** One delivery of a piece of work. Unless settled or kept alive it is delivered again after the ack wait (30 s). */
export interface Delivery {
  readonly payload: unknown;
  /** 1 on the first delivery. */
  readonly deliveryCount: number;
  /** Done: never deliver again. Not a fence: a late ack of an old delivery may remove the work of a newer one. */
  ack(): void;
  /** Not now: deliver again, to anybody, after the delay. */
  nak(delayMs: number): void;
  /** Still at it: start the ack wait again. */
  working(): void;
}

export interface BusStatus {
  readonly status: 'ok' | 'error';
  readonly detail: string;
}

export class BusError extends Error {
  override readonly name = 'BusError';

  constructor(
    readonly reason: 'no_responder' | 'timeout' | 'responder_failed' | 'unavailable',
    message: string,
  ) {
    super(message);
  }
}
