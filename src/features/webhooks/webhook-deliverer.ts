import { Injectable } from '@nestjs/common';
import { ADVISORY_LOCKS, type Transaction, UnknownKey, UnopenedSecret } from '../../platform/database';
import { Log } from '../../platform/config';
import { type ClaimedJob, type Ending, Jobs } from '../../platform/jobs';
import { DELIVERIES, WebhookDeliveriesStore, type MessageToSend } from './webhook-deliveries.store';
import { WebhookPayloads } from './webhook-payloads';
import { WebhookSender, type Receipt } from './webhook-sender';
import { WebhooksStore } from './webhooks.store';

/** RFC 9110: what was here is gone, for good. */
const GONE = 410;
const GONE_REASON = 'The receiver answered 410: it wants nothing any more. Switch the webhook on again if it does.';
const RUN_DELETED = 'The test run was deleted before this was sent.';
const UNFINISHED = 'The service did not finish the last attempt; its log says why. Redeliver it to have it sent again.';
/** Another process may have the key, or this one after its next start. */
const UNOPENED_RETRY_MS = 60_000;
const RUN_UNREADABLE = 'The test run could not be read; this is tried again within a minute.';
/** The database may be busy, or away. */
const UNREADABLE_RETRY_MS = 30_000;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Before each further attempt, as Standard Webhooks suggest: three days in all. */
const WAITS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

type PreparedMessage = Omit<MessageToSend, 'payload'> & { readonly payload: object };

/** Delivers what webhooks are to be told: each at least once, from any process of the service. */
@Injectable()
export class WebhookDeliverer {
  constructor(
    jobs: Jobs,
    private readonly deliveries: WebhookDeliveriesStore,
    webhooks: WebhooksStore,
    private readonly payloads: WebhookPayloads,
    private readonly sender: WebhookSender,
    private readonly log: Log,
  ) {
    jobs.add({
      name: 'webhook deliveries',
      table: DELIVERIES,
      lookEveryMs: 1 * SECOND,
      atOnce: 16,
      leaseMs: 30 * SECOND,
      limitMs: 1 * MINUTE,
      backoff: (attempt) => WAITS[attempt - 1] ?? null,
      attempt: (job, signal) => this.deliver(job, signal),
      givenUp: (tx, { key }) => deliveries.note(tx, key, 'failed', { ...UNSENT, error: UNFINISHED }),
    });
    jobs.addUpkeep({
      name: 'forget webhook deliveries',
      everyMs: 10 * MINUTE,
      lock: ADVISORY_LOCKS.webhookHistory,
      round: async (inPieces) => {
        // Two transactions: a request that deletes a webhook locks it before its deliveries.
        await inPieces((tx) => deliveries.forgetOld(tx));
        await inPieces(async (tx) => {
          await webhooks.forgetExpiredSecrets(tx);
          return null;
        });
      },
    });
  }

  private async deliver(job: ClaimedJob, signal: AbortSignal): Promise<Ending> {
    const message = await this.prepared(job);
    if ('kind' in message) return message;
    const { url, secret, previousSecret, webhookId, payload } = message;
    const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
    const receipt = await this.sender.send({ url, secrets, id: job.key, body: JSON.stringify(payload) }, signal);
    if (receipt.statusCode === GONE) {
      await this.deliveries.disable(webhookId, GONE_REASON);
      return this.givenUp(job, refusalOf(receipt));
    }
    if (receipt.error !== null || receipt.statusCode === null) return this.failed(job, refusalOf(receipt));
    return { kind: 'done', write: (tx) => this.deliveries.note(tx, job.key, 'delivered', receipt) };
  }

  /** What is to be sent, or why nothing can be. A receiver's schedule is for what was sent: what fails before that is no attempt. */
  private async prepared(job: ClaimedJob): Promise<PreparedMessage | Ending> {
    try {
      const message = await this.deliveries.begin(job);
      if (message === null) return LOST;
      const { payload: kept } = message;
      if (kept !== null) return { ...message, payload: kept };
      const payload = await this.payloadOf(message);
      if (payload === null) return this.givenUp(job, { ...UNSENT, error: RUN_DELETED });
      return (await this.deliveries.keepPayload(job, payload)) ? { ...message, payload } : LOST;
    } catch (error) {
      if (error instanceof UnopenedSecret) return this.unopened(job, error);
      this.log.warn('A webhook delivery could not be prepared; it is tried again', { delivery: job.key, error });
      return this.notMade(job, RUN_UNREADABLE, UNREADABLE_RETRY_MS);
    }
  }

  private async payloadOf({ testRunId }: MessageToSend): Promise<object | null> {
    return testRunId === null ? null : this.payloads.ofFinished(testRunId);
  }

  /** A missing key costs no attempt. */
  private unopened(job: ClaimedJob, error: UnopenedSecret): Ending {
    const outcome = { ...UNSENT, error: error.message };
    if (!(error instanceof UnknownKey)) return this.failed(job, outcome);
    return this.notMade(job, error.message, UNOPENED_RETRY_MS);
  }

  private notMade({ key }: ClaimedJob, error: string, afterMs: number): Ending {
    return { kind: 'not made', afterMs, write: (tx) => this.deliveries.noteError(tx, key, error) };
  }

  private failed({ key }: ClaimedJob, outcome: Receipt): Ending {
    const write = (tx: Transaction, isLast: boolean): Promise<void> =>
      this.deliveries.note(tx, key, isLast ? 'failed' : 'pending', outcome);
    return { kind: 'failed', write };
  }

  /** No further attempt would do better. */
  private givenUp({ key }: ClaimedJob, outcome: Receipt): Ending {
    return { kind: 'done', write: (tx) => this.deliveries.note(tx, key, 'failed', outcome) };
  }
}

/** Its run was deleted, and the delivery with it, or another process has claimed it: what is answered here is refused. */
const LOST: Ending = { kind: 'done' };

const UNSENT = { statusCode: null, excerpt: null };

function refusalOf({ error, ...receipt }: Receipt): Receipt {
  return { ...receipt, error: error ?? 'There was no answer.' };
}
