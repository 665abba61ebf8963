import { setTimeout as sleep } from 'node:timers/promises';
import {
  Injectable,
  Optional,
  ServiceUnavailableException,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { RecurringTask } from '../../platform/concurrency';
import { Log, Settings } from '../../platform/config';
import { ADVISORY_LOCKS, Database } from '../../platform/database';
import type { OutageAnswer } from '../../platform/http';
import { Jobs } from '../../platform/jobs';
import { Metrics, silentMetrics } from '../../platform/telemetry';
import { AuditStore, type AuditCompletion, type AuditDraft } from './audit.store';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

const MOST_AT_ONCE = 200;

/** What arrives while a statement is under way shares the next one: a lone item is written at once, many cost few commits. */
export class BatchedWrites<Item, Result> {
  private readonly queue: Waiting<Item, Result>[] = [];
  private isWriting = false;

  /** @param write writes all the items or none, and answers in their order */
  constructor(private readonly write: (items: readonly Item[]) => Promise<readonly Result[]>) {}

  /** Resolves once it is committed; rejects when the statement failed. */
  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      if (this.isWriting) return;
      this.isWriting = true;
      void this.writeAll();
    });
  }

  private async writeAll(): Promise<void> {
    while (this.queue.length > 0) await this.writeBatch(this.queue.splice(0, MOST_AT_ONCE));
    // Set in the same step as the last look at the queue: the next item starts a new loop.
    this.isWriting = false;
  }

  /** Never rejects: each item's own promise does. */
  private async writeBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.write(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, place) => {
        const result = results[place];
        if (result === undefined) reject(new Error('A batch was answered with fewer results than it has items.'));
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

/** How a change has ended. */
export interface Ending {
  readonly status: number;
  readonly replayed: boolean;
  readonly resource_ids: readonly string[];
}

const RENEW_EVERY_MS = 10_000;
const COMPLETED_AT_ONCE = 200;
/** The most endings kept while the database is away. Beyond that the oldest records stay without one. */
const MOST_ENDED = 10_000;
const RETRY_MS = 1_000;
const STOP_WITHIN_MS = 2_000;
/** Connections are cut 1.5 s before the process has to be gone: handlers need less to notice, and the database needs the rest to close. */
const HANDLERS_WITHIN_MS = 1_000;
const HANDLERS_LOOK_MS = 10;
const NOT_RECORDED = 'Nothing was done: the audit trail could not be written. The log of the service says why.';

/**
 * Every change has a record, stored before the change is begun. The record says how the change ended only once that is known;
 * until then it says that the change is under way, or that its end is unknown.
 */
@Injectable()
export class AuditTrail implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly drafts: BatchedWrites<AuditDraft, string>;
  /** Drafts of what is done even without a record: they do not wait behind those of requests that wait for theirs. */
  private readonly draftsBeside: BatchedWrites<AuditDraft, string>;
  /** The records under way, by their requests. */
  private readonly open = new Map<object, string>();
  private readonly leftOut = new WeakSet();
  private readonly ended: AuditCompletion[] = [];
  private readonly stopping = new AbortController();
  private readonly renewing: RecurringTask;
  private completing: Promise<void> | null = null;

  constructor(
    private readonly store: AuditStore,
    private readonly database: Database,
    private readonly log: Log,
    @Optional() private readonly metrics: Metrics = silentMetrics,
  ) {
    this.drafts = new BatchedWrites((drafts) => store.begin(drafts));
    this.draftsBeside = new BatchedWrites((drafts) => store.begin(drafts));
    this.renewing = new RecurringTask('renew audit records', RENEW_EVERY_MS, () => this.renew(), log);
  }

  /**
   * Stores the record of a request. Nothing may be done for the request before this resolves.
   * @throws ServiceUnavailableException, or when the database cannot serve now its error, or `whenAway`'s where that is given:
   *   then nothing may be done
   */
  async begin(request: object, draft: AuditDraft, whenAway?: OutageAnswer): Promise<void> {
    try {
      this.open.set(request, await this.drafts.submit(draft));
    } catch (error) {
      this.metrics.count('osce_audit_failures_total', {});
      if (this.database.isUnavailable(error)) throw whenAway?.() ?? error;
      this.log.error('A change was refused: it could not be recorded', { error });
      throw new ServiceUnavailableException(NOT_RECORDED);
    }
  }

  /** The same for what must be done even when it cannot be recorded. Never rejects. */
  async tryToBegin(request: object, draft: AuditDraft): Promise<void> {
    try {
      this.open.set(request, await this.draftsBeside.submit(draft));
    } catch (error) {
      this.metrics.count('osce_audit_failures_total', {});
      const { who, role, address, route, resource_ids } = draft;
      this.log.error('A request is done without a record: it could not be stored', {
        error,
        ...{ who, role, address, route, resource_ids, request_id: draft.request_id },
      });
    }
  }

  /** Leaves this request without a record, however it ends. */
  leaveOut(request: object): void {
    this.leftOut.add(request);
  }

  /** False when a record of this request has yet to be begun. Does not wait: an answer is never held up by how it is recorded. */
  end(request: object, ending: Ending): boolean {
    if (this.leftOut.has(request)) return true;
    const number = this.open.get(request);
    if (number === undefined) return false;
    this.open.delete(request);
    if (this.ended.length >= MOST_ENDED) {
      this.ended.shift();
      this.log.warn('An audit record stays without its ending: the database has been out of reach for too long');
    }
    this.ended.push({ number, ...ending });
    this.completing ??= this.complete();
    return true;
  }

  /** A request that was refused before it was begun changed nothing: it does not wait for its record, which may be missing. */
  refused(draft: AuditDraft): void {
    this.drafts.submit(draft).catch((error: unknown) => this.log.warn('A refused change was not recorded', { error }));
  }

  onApplicationBootstrap(): void {
    this.renewing.start();
  }

  /** By now no client waits for an answer, and the handlers whose connections were cut are about to notice. */
  async onApplicationShutdown(): Promise<void> {
    await this.renewing.stop();
    const giveUp = setTimeout(() => this.stopping.abort(), STOP_WITHIN_MS);
    const patience = performance.now() + HANDLERS_WITHIN_MS;
    while (this.open.size > 0 && performance.now() < patience) await sleep(HANDLERS_LOOK_MS);
    await this.completing;
    clearTimeout(giveUp);
  }

  /** Never rejects. */
  private async complete(): Promise<void> {
    do {
      const batch = this.ended.splice(0, COMPLETED_AT_ONCE);
      try {
        await this.store.complete(batch);
      } catch (error) {
        this.ended.unshift(...batch);
        this.log.warn('Audit records were not completed; it will be tried again', { records: batch.length, error });
        await sleep(RETRY_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    } while (this.ended.length > 0 && !this.stopping.signal.aborted);
    // Set in the same step as the last look at what has ended: the next ending starts a new loop.
    this.completing = null;
  }

  private async renew(): Promise<void> {
    const numbers = [...this.open.values(), ...this.ended.map(({ number }) => number)];
    if (numbers.length > 0) await this.store.renew(numbers);
  }
}

/** Removes records that are older than AUDIT_DAYS. */
@Injectable()
export class ForgottenRecords {
  constructor(store: AuditStore, settings: Settings, jobs: Jobs) {
    const { auditDays } = settings;
    if (auditDays === null) return;
    jobs.addUpkeep({
      name: 'forget old audit records',
      everyMs: 10 * 60_000,
      lock: ADVISORY_LOCKS.auditRetention,
      round: (inPieces) => inPieces((tx) => store.forgetOld(tx, auditDays)),
    });
  }
}
