import { Injectable, Module, Optional } from '@nestjs/common';
import { Log, Settings } from '../../platform/config';
import { ADVISORY_LOCKS } from '../../platform/database';
import { Jobs, type InPieces, type Upkeep } from '../../platform/jobs';
import { Metrics, silentMetrics } from '../../platform/telemetry';
import { RecordingRetention } from './recording-retention';
import { AgentsStore } from '../agents/agents.store';
import { clearDeletedRun, deleteOlderThan, NOTHING_CLEARED, type Cleared } from '../runs/deleted-runs.store';

/**
 * Deletes runs that ended more than RETENTION_DAYS ago, clears away what deleted runs have left behind, and erases deleted agents,
 * and with them their credentials: a minute after their deletion, or once no live run needs them any more.
 */
@Injectable()
export class Retention {
  readonly clearing: Upkeep = {
    name: 'clear deleted runs',
    everyMs: 5_000,
    lock: ADVISORY_LOCKS.deletedRuns,
    round: (inPieces) => this.counted(this.clear(inPieces)),
  };
  readonly retiring: Upkeep = {
    name: 'delete old runs',
    everyMs: 10 * 60_000,
    lock: ADVISORY_LOCKS.retention,
    round: (inPieces) => this.counted(this.retire(inPieces)),
  };
  readonly erasing: Upkeep = {
    name: 'erase deleted agents',
    everyMs: 30_000,
    lock: ADVISORY_LOCKS.deletedAgents,
    round: (inPieces) => this.counted(this.erase(inPieces)),
  };

  constructor(
    jobs: Jobs,
    private readonly agents: AgentsStore,
    private readonly settings: Settings,
    private readonly log: Log,
    @Optional() private readonly metrics: Metrics = silentMetrics,
  ) {
    for (const upkeep of [this.clearing, this.retiring, this.erasing]) jobs.addUpkeep(upkeep);
  }

  private async clear(inPieces: InPieces): Promise<void> {
    const began = performance.now();
    let cleared = NOTHING_CLEARED;
    try {
      await inPieces(clearDeletedRun, (piece) => (cleared = sum(cleared, piece)));
    } finally {
      if (cleared !== NOTHING_CLEARED) {
        const seconds = Math.round((performance.now() - began) / 100) / 10;
        this.log.info('What deleted runs left behind was cleared away', { ...cleared, seconds });
      }
    }
  }

  private async retire(inPieces: InPieces): Promise<void> {
    const days = this.settings.retentionDays;
    if (days === null) return;
    await inPieces(
      async (tx) => {
        const testRunIds = await deleteOlderThan(tx, days);
        return testRunIds.length === 0 ? null : testRunIds;
      },
      (testRunIds) => {
        // One line for each few runs: nothing else will ever say which they were.
        const told = { runs: testRunIds.length, retentionDays: days, testRunIds };
        this.metrics.count('osce_retention_deleted_total', { what: 'test_run' }, testRunIds.length);
        this.log.info('Runs that ended too long ago were deleted', told);
      },
    );
  }

  private erase(inPieces: InPieces): Promise<void> {
    return inPieces(async (tx) => {
      await this.agents.eraseDeletedAgents(tx);
      return null;
    });
  }

  private async counted(round: Promise<void>): Promise<void> {
    await round.catch((error: unknown) => {
      this.metrics.count('osce_retention_failures_total', {});
      throw error;
    });
  }
}

function sum(one: Cleared, other: Cleared): Cleared {
  return {
    runs: one.runs + other.runs,
    scenarioRuns: one.scenarioRuns + other.scenarioRuns,
    turns: one.turns + other.turns,
    events: one.events + other.events,
    recordingPieces: one.recordingPieces + other.recordingPieces,
  };
}

/** How long runs are kept, and how deleted ones go. */
@Module({ providers: [Retention, RecordingRetention] })
export class RetentionModule {}
