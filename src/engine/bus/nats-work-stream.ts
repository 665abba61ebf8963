import { setTimeout as sleep } from 'node:timers/promises';
import {
  AckPolicy,
  jetstream,
  jetstreamManager,
  JetStreamApiCodes,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type Consumer,
  type ConsumerInfo,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { InvalidArgumentError, nanos, TimeoutError, RequestError, type NatsConnection } from '@nats-io/transport-node';
import { BusError } from './bus';
import type { NatsLink } from './nats-link';
import type { NatsTimes } from './nats-times';

const ATTEMPTS = 4;

/** No pull at all, so that it takes no work: a consumer that receives it can only refuse it. */
const MALFORMED_PULL = '{';

interface PullConsumerName {
  readonly stream: string;
  readonly consumer: string;
}

/**
 * Whether a consumer that the server knows hears pulls and answers them. One that another process is creating at this moment may
 * do neither (seen with 2.9.10): it is found by its name before it listens for pulls, so that a first pull is lost; and one that
 * was created while its stream was being created can never send anything. It then counts messages as delivered that no process
 * receives. An answer to a malformed pull travels the whole way there and back.
 * @throws the client's error when the server does not answer at all, which says nothing about the consumer
 */
async function answersPulls(
  connection: NatsConnection,
  manager: JetStreamManager,
  { stream, consumer }: PullConsumerName,
  times: NatsTimes,
): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    if (await isAnswered(connection, `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, times)) return true;
    // A server that answers this has heard the pull before it.
    await manager.consumers.info(stream, consumer);
    await sleep(times.checkPauseMs);
  }
  return false;
}

async function isAnswered(connection: NatsConnection, subject: string, times: NatsTimes): Promise<boolean> {
  try {
    await connection.request(subject, MALFORMED_PULL, { timeout: times.checkWithinMs });
    return true;
  } catch (error) {
    if (error instanceof TimeoutError || (error instanceof RequestError && error.isNoResponders())) return false;
    throw error;
  }
}

/** One durable consumer that all processes pull from: the server distributes its messages. */
const CONSUMER = 'processes';

/**
 * A server that is killed may keep messages that its consumer has settled and will never deliver: they go after a day. Work
 * that really waits that long is dispatched again by its run's supervisor.
 */
const FORGOTTEN_AFTER_MS = 24 * 60 * 60 * 1_000;

export interface WorkStreamTimes {
  readonly ackWaitMs: number;
  readonly dedupeWindowMs: number;
  readonly waits: NatsTimes;
}

/**
 * One queue of work in JetStream: a stream that keeps each message in a file until it is acked, and a consumer that hands
 * each to one process. Created when first needed, and again when the server comes back without its storage. Settings that
 * an operator adds, such as replicas or limits, stay.
 */
export class NatsWorkStream {
  private readonly client: JetStreamClient;
  private manager: Promise<JetStreamManager> | null = null;
  private stream: Promise<void> | null = null;
  private consumer: Promise<Consumer> | null = null;

  constructor(
    private readonly queue: string,
    private readonly link: NatsLink,
    private readonly times: WorkStreamTimes,
  ) {
    this.client = jetstream(link.connection, { timeout: times.waits.answerWithinMs });
    link.onChange(() => this.forget());
  }

  /** The consumer, with its stream. @throws the client's error */
  open(): Promise<Consumer> {
    this.consumer ??= this.forgottenIfFailed(this.makeConsumer());
    return this.consumer;
  }

  /** All that work needs in order to wait: a consumer that answers no pull (above) must not turn it away. */
  private openStream(): Promise<void> {
    this.stream ??= this.forgottenIfFailed(this.makeStream());
    return this.stream;
  }

  private forgottenIfFailed<Made>(made: Promise<Made>): Promise<Made> {
    made.catch(() => this.forget());
    return made;
  }

  /** The server may have lost the stream: look again before the next use. */
  forget(): void {
    this.stream = null;
    this.consumer = null;
  }

  /** Resolves when the stream holds the message. @throws BusError `unavailable`, `payload_too_large` */
  async add(text: string, messageId: string): Promise<void> {
    if (!this.link.isUp) throw unavailable(null);
    try {
      await this.openStream();
      await this.publish(text, messageId).catch(async (error: unknown) => {
        if (error instanceof TimeoutError || error instanceof InvalidArgumentError) throw error;
        // The subject has no listener: the stream is gone.
        this.forget();
        await this.openStream();
        await this.publish(text, messageId);
      });
    } catch (error) {
      // The message id travels with the payload, and both have to fit.
      if (error instanceof InvalidArgumentError) {
        throw new BusError('payload_too_large', 'The work is too large for one message.', { cause: error });
      }
      throw unavailable(error);
    }
  }

  private async publish(text: string, messageId: string): Promise<void> {
    await this.client.publish(this.queue, text, { msgID: messageId });
  }

  private async makeConsumer(): Promise<Consumer> {
    await this.openStream();
    const manager = await this.openManager();
    const name = { stream: streamName(this.queue), consumer: CONSUMER };
    const info = await this.findConsumer(manager, name.stream);
    if (await answersPulls(this.link.connection, manager, name, this.times.waits))
      return this.client.consumers.getConsumerFromInfo(info);
    // The stream keeps what is not acked: a new consumer delivers it again, and each attempt at it is fenced in the rows.
    await unlessMissing(manager.consumers.delete(name.stream, name.consumer));
    throw new Error('The NATS server does not answer pulls of a consumer that it has: the consumer is created again.');
  }

  private openManager(): Promise<JetStreamManager> {
    this.manager ??= jetstreamManager(this.link.connection, {
      timeout: this.times.waits.answerWithinMs,
      checkAPI: false,
    });
    return this.manager;
  }

  private async makeStream(): Promise<void> {
    const manager = await this.openManager();
    const name = streamName(this.queue);
    const duplicate_window = nanos(this.times.dedupeWindowMs);
    const look = () => manager.streams.info(name);
    const known =
      (await unlessMissing(look())) ??
      (await unlessMadeMeanwhile(
        manager.streams.add({
          name,
          subjects: [this.queue],
          retention: RetentionPolicy.Workqueue,
          storage: StorageType.File,
          max_age: nanos(FORGOTTEN_AFTER_MS),
          duplicate_window,
        }),
        look,
      ));
    if (known.config.duplicate_window !== duplicate_window) await manager.streams.update(name, { duplicate_window });
  }

  private async findConsumer(manager: JetStreamManager, stream: string): Promise<ConsumerInfo> {
    const ack_wait = nanos(this.times.ackWaitMs);
    // What waits for its delay after a nak counts as pending: a limit would let it block the rest.
    const limits = { ack_wait, max_deliver: -1, max_ack_pending: -1 };
    const look = () => manager.consumers.info(stream, CONSUMER);
    const known =
      (await unlessMissing(look())) ??
      (await unlessMadeMeanwhile(
        manager.consumers.add(stream, { durable_name: CONSUMER, ack_policy: AckPolicy.Explicit, ...limits }),
        look,
      ));
    return known.config.ack_wait === ack_wait ? known : manager.consumers.update(stream, CONSUMER, limits);
  }
}

/** A stream's name is one token. */
export function streamName(queue: string): string {
  return queue.replaceAll('.', '_');
}

async function unlessMissing<Info>(asked: Promise<Info>): Promise<Info | null> {
  try {
    return await asked;
  } catch (error) {
    const missing: readonly number[] = [JetStreamApiCodes.StreamNotFound, JetStreamApiCodes.ConsumerNotFound];
    if (error instanceof JetStreamApiError && missing.includes(error.code)) return null;
    throw error;
  }
}

/** When two processes create the same thing at once, a server may refuse one; what the other created is then there. */
async function unlessMadeMeanwhile<Info>(made: Promise<Info>, look: () => Promise<Info>): Promise<Info> {
  try {
    return await made;
  } catch (error) {
    const known = error instanceof JetStreamApiError ? await unlessMissing(look()) : null;
    if (known === null) throw error;
    return known;
  }
}

function unavailable(cause: unknown): BusError {
  return new BusError('unavailable', 'The NATS server does not accept work at the moment.', { cause });
}
