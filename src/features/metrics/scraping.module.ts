import {
  Module,
  Controller,
  NotFoundException,
  Res,
  Injectable,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import type { Response } from 'express';
import type { Subscription } from 'rxjs';
import type { RunEvent } from '../../domain';
import { ActorsModule } from '../../engine/actors';
import { CommittedEvents } from '../../engine/ledger';
import { Metrics, PrometheusMetrics } from '../../platform/telemetry';
import { HealthModule } from '../health/health.module';
import { StreamModule } from '../stream/stream.module';
import { Gauges } from './gauges';
import { getMetrics } from '../../../contract/metrics';
import { Serves } from '../../platform/http';

/** Counts the events that this process has committed: the same that subscribers of runs are told. */
@Injectable()
class CountedEvents implements OnModuleInit, OnApplicationShutdown {
  private counting: Subscription | null = null;

  constructor(
    private readonly committed: CommittedEvents,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.counting = this.committed.stream.subscribe((event) => this.count(event));
  }

  onApplicationShutdown(): void {
    this.counting?.unsubscribe();
  }

  private count(event: RunEvent): void {
    const { metrics } = this;
    switch (event.type) {
      case 'transcript_update':
        return metrics.count('osce_turns_total', {});
      case 'scenario_started':
        return metrics.count('osce_scenario_runs_started_total', {
          attempt: event.attempt > 1 ? 'repeated' : 'first',
        });
      case 'scenario_complete':
        return metrics.count('osce_scenario_runs_ended_total', { status: event.status });
      case 'scenario_error':
        metrics.count('osce_scenario_run_errors_total', { code: event.error_code });
        return metrics.count('osce_scenario_runs_ended_total', { status: 'error' });
      case 'scenario_canceled':
        return metrics.count('osce_scenario_runs_ended_total', { status: 'canceled' });
      case 'test_run_complete':
        return metrics.count('osce_test_runs_ended_total', { status: 'completed' });
      case 'test_run_failed':
        return metrics.count('osce_test_runs_ended_total', { status: 'failed' });
      case 'test_run_canceled':
        return metrics.count('osce_test_runs_ended_total', { status: 'canceled' });
      case 'test_run_scheduled':
      case 'test_run_started':
      case 'grading_started':
      case 'grading_complete':
        return;
    }
  }
}

@Controller()
class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Serves(getMetrics)
  async scrape(@Res() response: Response): Promise<void> {
    const { metrics } = this;
    if (!(metrics instanceof PrometheusMetrics))
      throw new NotFoundException('This process counts nothing: METRICS is off.');
    const text = await metrics.scrape();
    response.setHeader('Content-Type', metrics.contentType);
    response.setHeader('Cache-Control', 'no-store');
    // Not `send`, which answers 304 to a client that claims to have any version of it: every scrape is another.
    response.end(text);
  }
}

/** Counts what other parts do by watching them, and serves all metrics. */
@Module({
  imports: [ActorsModule, HealthModule, StreamModule],
  controllers: [MetricsController],
  providers: [CountedEvents, Gauges],
})
export class ScrapingModule {}
