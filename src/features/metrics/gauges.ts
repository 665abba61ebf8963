import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ActorHost } from '../../engine/actors';
import { Remembered } from '../../platform/concurrency';
import { Settings, VERSION } from '../../platform/config';
import { Readiness } from '../health/health.service';
import { ModelSpend } from '../../examiners/model';
import { Database } from '../../platform/database';
import { UnfinishedRunsStore } from '../../engine/ledger';
import { RecordingsStore } from '../speech/recordings.store';
import { StreamSlots } from '../stream/stream-slots';
import { Metrics, type Reading } from '../../platform/telemetry';

/** However many scrape: the rows are asked no more often. */
const ROWS_FRESH_MS = 5_000;

/** Values that are read at each scrape, and not in between. */
@Injectable()
export class Gauges implements OnModuleInit {
  private readonly unfinished: Remembered<Awaited<ReturnType<UnfinishedRunsStore['count']>>>;
  private readonly recorded: Remembered<number>;
  private readonly spent: Remembered<number>;

  constructor(
    private readonly metrics: Metrics,
    private readonly settings: Settings,
    private readonly database: Database,
    private readonly host: ActorHost,
    private readonly streams: StreamSlots,
    private readonly readiness: Readiness,
    private readonly spend: ModelSpend,
    unfinished: UnfinishedRunsStore,
    recordings: RecordingsStore,
  ) {
    this.unfinished = new Remembered(() => unfinished.count(), ROWS_FRESH_MS);
    this.recorded = new Remembered(() => recordings.bytesOnDisk(), ROWS_FRESH_MS);
    this.spent = new Remembered(() => spend.today(), ROWS_FRESH_MS);
  }

  onModuleInit(): void {
    const { metrics, settings, spend } = this;
    metrics.gauge('osce_build_info', () => [{ labels: { version: VERSION }, value: 1 }]);
    // Never missing: a process that cannot tell in time whether the database answers gets no traffic either, and its alert asks for a 0.
    metrics.gauge('osce_ready', async () => one((await this.readiness.examine()).status === 'ok' ? 1 : 0), one(0));
    metrics.gauge('osce_test_runs', async () => {
      const { testRuns } = await this.unfinished.get();
      return (['scheduled', 'pending', 'running'] as const).map((status) => ({
        labels: { status },
        value: testRuns.get(status) ?? 0,
      }));
    });
    metrics.gauge('osce_scenario_runs', async () => {
      const { scenarioRuns } = await this.unfinished.get();
      return (['pending', 'running', 'grading'] as const).map((status) => ({
        labels: { status },
        value: scenarioRuns.get(status) ?? 0,
      }));
    });
    metrics.gauge('osce_live_scenario_runs', () => one(this.host.liveScenarioRuns));
    metrics.gauge('osce_scenario_run_slots', () => one(settings.maxActiveScenarios));
    metrics.gauge('osce_event_streams', () => one(this.streams.inUse));
    metrics.gauge('osce_event_streams_limit', () => one(settings.maxEventStreams));
    metrics.gauge('osce_recordings_bytes', async () => one(await this.recorded.get()));
    const { limit } = spend;
    if (limit !== null) {
      metrics.gauge('osce_spend_limit_usd', () => one(limit));
      metrics.gauge('osce_spend_today_usd', async () => one(await this.spent.get()));
    }
    this.watchPools();
  }

  private watchPools(): void {
    const { metrics, database } = this;
    metrics.gauge('osce_database_connections', () =>
      database.pools().flatMap(({ pool, inUse, idle }) => [
        { labels: { pool, state: 'in_use' as const }, value: inUse },
        { labels: { pool, state: 'idle' as const }, value: idle },
      ]),
    );
    metrics.gauge('osce_database_connections_limit', () =>
      database.pools().map(({ pool, limit }) => ({ labels: { pool }, value: limit })),
    );
    metrics.gauge('osce_database_waiting', () =>
      database.pools().map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
    );
  }
}

function one(value: number): readonly Reading<'osce_ready'>[] {
  return [{ labels: {}, value }];
}
