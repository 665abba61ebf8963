import { setTimeout as sleep } from 'node:timers/promises';
import { headers, RequestError, TimeoutError, type Msg, type PublishOptions } from '@nats-io/transport-node';
import type { Log } from '../../platform/config';
import { Bus, BusError, type BusStatus, type Delivery, type Subscription } from './bus';
import { dialNats, NatsLink } from './nats-link';
import { NatsTimes } from './nats-times';
import { NatsWorkConsumer } from './nats-work-consumer';
import { NatsWorkStream } from './nats-work-stream';
import { assertPattern, assertSubject } from './subject-map';
import { fromWire, toWire } from './wire-format';

export interface NatsBusOptions {
  /** `nats://user:password@host:port`; see parseNatsUrl. */
  readonly url: string;
  readonly log: Log;
  /** How long a delivery may stay silent before its work is redelivered elsewhere; 12 s by default. */
  readonly ackWaitMs?: number;
  /** Two minutes by default. */
  readonly dedupeWindowMs?: number;
  /** How long to wait at start for a server that is out of reach; 15 s by default. */
  readonly reachWithinMs?: number;
  readonly times?: NatsTimes;
  /** Receives what handlers throw: a defect of the handler, never the sender's concern. */
  readonly onHandlerError?: (error: unknown, subject: string) => void;
}

/** Marks an answer whose body is the responder's error message instead of its answer. */
const FAILED_HEADER = 'Osce-Responder-Failed';

const LONGEST_REASON_CHARS = 2_000;

/** What was delivered to a process that is dead or cut off is redelivered before the lease of such a process ends. */
const ACK_WAIT_MS = 12_000;

const NOTHING_SUBSCRIBED: Subscription = { unsubscribe: () => undefined };

/**
 * The bus between processes: commands and events travel as plain NATS messages, work through JetStream streams.
 *
 * While the server is away, what is published is dropped, never kept for later: the rows hold everything, and a process that
 * missed a message finds its content there (events in the log, cancellations and settlements when each process polls its rows).
 * `enqueue` and `request` are refused at once. The connection comes back on its own, however long it takes.
 */
export class NatsBus extends Bus {
  private readonly queues = new Map<string, NatsWorkStream>();
  private readonly consumers = new Set<NatsWorkConsumer>();
  private closing: Promise<void> | null = null;
  private readonly times: NatsTimes;

  private constructor(
    private readonly link: NatsLink,
    private readonly options: NatsBusOptions,
  ) {
    super();
    this.times = options.times ?? new NatsTimes();
  }

  /** @throws BusStartError with a sentence that says what to do */
  static async open(options: NatsBusOptions): Promise<NatsBus> {
    return new NatsBus(new NatsLink(await dialNats(options), options.log), options);
  }

  publish(subject: string, payload: unknown): void {
    if (this.closing) return;
    assertSubject(subject);
    const text = toWire(payload);
    if (this.link.isUp) this.link.connection.publish(subject, text);
  }

  subscribe(pattern: string, handler: (payload: unknown, subject: string) => void): Subscription {
    return this.listen(pattern, (message) => {
      const payload = fromWire(message.string());
      if (payload === undefined) this.reportUnreadable(message);
      else handler(payload, message.subject);
    });
  }

  respond(pattern: string, handler: (payload: unknown, subject: string) => Promise<unknown>): Subscription {
    return this.listen(pattern, (message) => {
      const payload = fromWire(message.string());
      if (payload === undefined) {
        this.reportUnreadable(message);
        if (message.reply) void this.answer(message, Promise.reject(new Error('The message is not JSON.')));
        return;
      }
      const answer = Promise.resolve().then(() => handler(payload, message.subject));
      if (message.reply) void this.answer(message, answer);
      else answer.catch((error: unknown) => this.reportHandlerError(error, message.subject));
    });
  }

  async request(subject: string, payload: unknown, { timeoutMs }: { timeoutMs: number }): Promise<unknown> {
    if (this.closing) throw closedError();
    assertSubject(subject);
    const text = toWire(payload);
    if (!this.link.isUp) throw new BusError('unavailable', 'The NATS server is out of reach.');
    const answer = await this.link.connection
      .request(subject, text, { timeout: timeoutMs })
      .catch((error: unknown) => Promise.reject(this.requestError(error, subject, timeoutMs)));
    const body = fromWire(answer.string());
    if (body === undefined) throw new BusError('responder_failed', `The answer on ${subject} is not JSON.`);
    if (answer.headers?.has(FAILED_HEADER))
      throw new BusError('responder_failed', typeof body === 'string' ? body : 'The responder failed.');
    return body;
  }

  async enqueue(queue: string, payload: unknown, { messageId }: { messageId: string }): Promise<void> {
    if (this.closing) throw closedError();
    assertSubject(queue);
    await this.queue(queue).add(toWire(payload), messageId);
  }

  consume(queue: string, capacity: number, handler: (delivery: Delivery) => void): Subscription {
    assertSubject(queue);
    if (this.closing) return NOTHING_SUBSCRIBED;
    const consumer = new NatsWorkConsumer({
      queue,
      stream: this.queue(queue),
      link: this.link,
      capacity,
      ackWaitMs: this.ackWaitMs,
      times: this.times,
      handler,
      onHandlerError: (error) => this.reportHandlerError(error, queue),
      log: this.options.log,
    });
    this.consumers.add(consumer);
    return {
      unsubscribe: () => {
        this.consumers.delete(consumer);
        consumer.unsubscribe();
      },
    };
  }

  status(): BusStatus {
    if (this.closing) return { status: 'error', detail: 'The connection to the NATS server is closed.' };
    if (!this.link.isUp) return { status: 'error', detail: 'The NATS server is out of reach; reconnecting.' };
    return { status: 'ok', detail: `NATS ${this.link.serverVersion} with JetStream answers.` };
  }

  close(): Promise<void> {
    this.closing ??= this.closeOnce();
    return this.closing;
  }

  private async closeOnce(): Promise<void> {
    for (const consumer of this.consumers) consumer.unsubscribe();
    const { connection } = this.link;
    const giveUp = new AbortController();
    // The last acks and events still go out, if the server accepts them in time.
    await Promise.race([
      connection.flush().catch(() => undefined),
      sleep(this.times.closeWithinMs, undefined, { signal: giveUp.signal }).catch(() => undefined),
    ]);
    giveUp.abort();
    await this.link.close();
  }

  private listen(pattern: string, hear: (message: Msg) => void): Subscription {
    assertPattern(pattern);
    if (this.closing) return NOTHING_SUBSCRIBED;
    const subscription = this.link.connection.subscribe(pattern, {
      callback: (error, message) => {
        if (this.closing) return;
        try {
          if (error) throw error;
          hear(message);
        } catch (thrown) {
          this.reportHandlerError(thrown, pattern);
        }
      },
    });
    return { unsubscribe: () => subscription.unsubscribe() };
  }

  private async answer(message: Msg, answer: Promise<unknown>): Promise<void> {
    const reply = await answer
      .then((value) => toWire(value ?? null))
      .then(
        (text) => ({ text, options: {} }),
        (error: unknown) => failureReply(error),
      );
    if (this.link.isUp && !this.closing) message.respond(reply.text, reply.options);
  }

  private requestError(error: unknown, subject: string, timeoutMs: number): BusError {
    if (this.closing) return closedError();
    if (error instanceof TimeoutError) {
      return new BusError('timeout', `No answer on ${subject} within ${timeoutMs} ms.`, { cause: error });
    }
    if (error instanceof RequestError && error.isNoResponders()) {
      return new BusError('no_responder', `No one listens on ${subject}.`, { cause: error });
    }
    return new BusError('unavailable', 'The NATS server is out of reach.', { cause: error });
  }

  private queue(name: string): NatsWorkStream {
    const existing = this.queues.get(name);
    if (existing) return existing;
    const { dedupeWindowMs = 120_000 } = this.options;
    const queue = new NatsWorkStream(name, this.link, {
      ackWaitMs: this.ackWaitMs,
      dedupeWindowMs,
      waits: this.times,
    });
    this.queues.set(name, queue);
    return queue;
  }

  private get ackWaitMs(): number {
    return this.options.ackWaitMs ?? ACK_WAIT_MS;
  }

  /** Another program's message; nothing of its text is logged. */
  private reportUnreadable({ subject, data }: Msg): void {
    this.options.log.warn('A message is not JSON and is ignored', { subject, bytes: data.length });
  }

  private reportHandlerError(error: unknown, subject: string): void {
    this.options.onHandlerError?.(error, subject);
  }
}

function closedError(): BusError {
  return new BusError('unavailable', 'The bus is closed.');
}

function failureReply(error: unknown): { text: string; options: PublishOptions } {
  const failed = headers();
  failed.set(FAILED_HEADER, '1');
  const reason = error instanceof Error ? error.message : 'The responder failed.';
  return { text: toWire(reason.slice(0, LONGEST_REASON_CHARS)), options: { headers: failed } };
}
