import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Log, ROLES, type ModelConnection, Settings, SettingsError } from '../../platform/config';
import { ModelSpendStore } from './model-spend.store';
import { priceOf } from './model-prices';
import type { ModelUsage } from './model-usage';

/** All who ask within this time get the same answer. */
const FRESH_MS = 1_000;
const WRITE_RETRY_MS = 2_000;
/** When a process stops while the database is away, whatever these attempts do not write is not counted. */
const LAST_WRITES = 3;

/** The limit is reached: nothing that costs money starts before the next UTC day, or before the limit is raised. */
export interface SpendReached {
  /** Why, and until when. */
  readonly sentence: string;
  readonly retryAfterSeconds: number;
}

/**
 * What patients, judges and generation cost by list price, over all processes, compared with MAX_SPEND_USD_PER_DAY. Every
 * answer of a model is counted, even one that could not be used; what is under way when the limit is reached is finished.
 */
@Injectable()
export class ModelSpend implements OnApplicationShutdown {
  /** Null: no limit, or no model that costs anything. */
  private readonly limitUsd: number | null;
  private unwritten = 0;
  private writing: Promise<void> | null = null;
  private retry: NodeJS.Timeout | null = null;
  private isStopping = false;
  private answer: { readonly until: number; readonly reached: Promise<SpendReached | null> } | null = null;

  constructor(
    settings: Settings,
    private readonly store: ModelSpendStore,
    private readonly log: Log,
  ) {
    const { tester, judge, allowed } = settings.examiners;
    this.limitUsd = allowed.length === 0 ? null : settings.maxSpendUsdPerDay;
    if (this.limitUsd === null) return;
    if (tester !== null) requirePrice('TESTER_MODEL', tester);
    if (judge !== null) requirePrice('JUDGE_MODEL', judge);
    for (const model of allowed) for (const role of ROLES) requirePrice('ALLOWED_MODELS', model[role]);
  }

  get limit(): number | null {
    return this.limitUsd;
  }

  /** Counts one answer of a model. Never waits, never throws. */
  note({ costUsd }: ModelUsage): void {
    if (costUsd === null || costUsd <= 0) return;
    this.unwritten += costUsd;
    if (this.writing === null && this.retry === null) this.writing = this.write();
  }

  /** Null while there is no limit, or some of it is left. @throws the database's error */
  reached(): Promise<SpendReached | null> {
    const { limitUsd } = this;
    if (limitUsd === null) return Promise.resolve(null);
    const now = performance.now();
    if (this.answer !== null && now < this.answer.until) return this.answer.reached;
    const reached = this.look(limitUsd);
    this.answer = { until: now + FRESH_MS, reached };
    // If the question failed, the next caller asks again.
    reached.catch(() => (this.answer = null));
    return reached;
  }

  /** US dollars spent in the current UTC day. @throws the database's error */
  async today(): Promise<number> {
    return (await this.store.today()).usd + this.unwritten;
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    if (this.retry !== null) clearTimeout(this.retry);
    for (let times = 0; times < LAST_WRITES; times += 1) {
      await this.writing;
      if (this.unwritten === 0) return;
      this.writing = this.write();
    }
  }

  private async look(limitUsd: number): Promise<SpendReached | null> {
    const { usd, secondsLeft } = await this.store.today();
    if (usd + this.unwritten < limitUsd) return null;
    const sentence =
      `Waiting: today's spend limit of $${limitUsd.toFixed(2)} for language models is reached. ` +
      'It continues at 00:00 UTC, or when MAX_SPEND_USD_PER_DAY is raised.';
    return { sentence, retryAfterSeconds: Math.ceil(secondsLeft) };
  }

  /** What is noted meanwhile is written by the next statement: at most one per process is under way. */
  private async write(): Promise<void> {
    try {
      while (this.unwritten > 0) {
        const usd = this.unwritten;
        await this.store.add(usd);
        this.unwritten = Math.max(0, this.unwritten - usd);
      }
    } catch (error) {
      this.log.warn('The cost of language models could not be written; it will be tried again', { error });
      if (this.isStopping) return;
      this.retry = setTimeout(() => {
        this.retry = null;
        this.writing = this.write();
      }, WRITE_RETRY_MS).unref();
    } finally {
      this.writing = null;
    }
  }
}

/** @throws SettingsError for a model whose price is not known: it could spend anything */
function requirePrice(variable: string, connection: ModelConnection): void {
  if (priceOf(connection) !== null) return;
  throw new SettingsError(
    `MAX_SPEND_USD_PER_DAY is set, but the price of ${variable} ${JSON.stringify(connection.model)} is not known: ` +
      'name a model of the published price list, or leave MAX_SPEND_USD_PER_DAY out.',
  );
}
