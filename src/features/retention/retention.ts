import { setTimeout as sleep } from 'node:timers/promises';
import {
  Injectable,
  Optional,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  Module,
} from '@nestjs/common';
import { RecurringTask } from '../../platform/concurrency/recurring-task';
import { Log } from '../../platform/config/log';
import { Settings } from '../../platform/config/settings';
import { Metrics, silentMetrics } from '../../platform/telemetry/metrics/metrics';
import { AgentsStore } from '../agents/agents.store';
import { DeletedRunsStore, NOTHING_CLEARED, type Cleared } from '../runs/deleted-runs.store';

const CLEAR_EVERY_MS = 5_000;
const RETIRE_EVERY_MS = 10 * 60_000;
const ERASE_EVERY_MS = 30_000;
/** Between two pieces, and at least as long as the piece took: half of one connection's time at most. */
const PAUSE_MS = 20;

/**
 * Deletes runs that ended more than RETENTION_DAYS ago, and clears away what deleted runs have left behind. Both happen in
 * pieces, by one process at a time; another process goes on with what it leaves undone. Every process erases deleted agents, and
 * with them their credentials: a minute after their deletion, or once no live run needs them any more.
 */
@Injectable()
export class Retention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly clearing: RecurringTask;
  private readonly retiring: RecurringTask;
  private readonly erasing: RecurringTask;
  private readonly stopping = new AbortController();

  constructor(
    private readonly deletedRuns: DeletedRunsStore,
    private readonly agents: AgentsStore,
    private readonly settings: Settings,
    private readonly log: Log,
    @Optional() private readonly metrics: Metrics = silentMetrics,
  ) {
    this.clearing = new RecurringTask('clear deleted runs', CLEAR_EVERY_MS, () => this.counted(this.clear()), log);
    this.retiring = new RecurringTask('delete old runs', RETIRE_EVERY_MS, () => this.counted(this.retire()), log);
    this.erasing = new RecurringTask('erase deleted agents', ERASE_EVERY_MS, () => this.counted(this.erase()), log);
  }

  onApplicationBootstrap(): void {
    this.clearing.start();
    this.erasing.start();
    if (this.settings.retentionDays !== null) this.retiring.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all([this.clearing.stop(), this.retiring.stop(), this.erasing.stop()]);
  }

  /** Clears until nothing is left, or another process does it. */
  async clear(): Promise<void> {
    const began = performance.now();
    let cleared = NOTHING_CLEARED;
    try {
      for await (const piece of this.pieces(() => this.deletedRuns.clearPiece())) cleared = sum(cleared, piece);
    } finally {
      if (cleared !== NOTHING_CLEARED) {
        const seconds = Math.round((performance.now() - began) / 100) / 10;
        this.log.info('What deleted runs left behind was cleared away', { ...cleared, seconds });
      }
    }
  }

  /** Deletes until no run is too old any more, or another process does it. */
  async retire(): Promise<void> {
    const days = this.settings.retentionDays;
    if (days === null) return;
    const next = async (): Promise<readonly string[] | null> => {
      const ids = await this.deletedRuns.deleteOlderThan(days);
      return ids.length === 0 ? null : ids;
    };
    // One line for each few runs: nothing else will ever say which they were.
    for await (const testRunIds of this.pieces(next)) {
      const told = { runs: testRunIds.length, retentionDays: days, testRunIds };
      this.metrics.count('osce_retention_deleted_total', { what: 'test_run' }, testRunIds.length);
      this.log.info('Runs that ended too long ago were deleted', told);
    }
  }

  async erase(): Promise<void> {
    await this.agents.eraseDeletedAgents();
  }

  private async counted(round: Promise<void>): Promise<void> {
    await round.catch((error: unknown) => {
      this.metrics.count('osce_retention_failures_total', {});
      throw error;
    });
  }

  private async *pieces<Piece>(next: () => Promise<Piece | null>): AsyncGenerator<Piece> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const began = performance.now();
      const piece = await next();
      if (piece === null) return;
      yield piece;
      const pause = Math.max(PAUSE_MS, performance.now() - began);
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }
}

function sum(one: Cleared, other: Cleared): Cleared {
  return {
    runs: one.runs + other.runs,
    scenarioRuns: one.scenarioRuns + other.scenarioRuns,
    turns: one.turns + other.turns,
    events: one.events + other.events,
  };
}

/** How long runs are kept, and how deleted ones go. */
@Module({ providers: [Retention] })
export class RetentionModule {}
