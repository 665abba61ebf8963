import { setTimeout as sleep } from 'node:timers/promises';
import type { JetStreamManager } from '@nats-io/jetstream';
import { RequestError, TimeoutError, type NatsConnection } from '@nats-io/transport-node';

const ATTEMPTS = 4;
const ANSWER_WITHIN_MS = 500;
const PAUSE_MS = 50;

/** No pull at all, so that it takes no work: whoever receives it can only refuse it. */
const MALFORMED_PULL = '{';

export interface PullConsumerName {
  readonly stream: string;
  readonly consumer: string;
}

/**
 * Whether a consumer that the server knows hears pulls and answers them. One that another process is creating at this moment may do
 * neither (seen with 2.9.10): it is found by its name before it listens for pulls, so that a first pull is lost; and one
 * that was created while its stream was being created can never send anything. It then counts messages
 * as delivered that no one receives. An answer to a malformed pull travels the whole way there and back.
 * @throws the client's error when the server does not answer at all, which says nothing about the consumer
 */
export async function answersPulls(
  connection: NatsConnection,
  manager: JetStreamManager,
  { stream, consumer }: PullConsumerName,
): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    if (await isAnswered(connection, `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`)) return true;
    // A server that answers this has heard the pull before it.
    await manager.consumers.info(stream, consumer);
    await sleep(PAUSE_MS);
  }
  return false;
}

async function isAnswered(connection: NatsConnection, subject: string): Promise<boolean> {
  try {
    await connection.request(subject, MALFORMED_PULL, { timeout: ANSWER_WITHIN_MS });
    return true;
  } catch (error) {
    if (error instanceof TimeoutError || (error instanceof RequestError && error.isNoResponders())) return false;
    throw error;
  }
}
