import cluster from 'node:cluster';
import {
  Module,
  Controller,
  NotFoundException,
  ServiceUnavailableException,
  Res,
  Injectable,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import type { Response } from 'express';
import type { Subscription } from 'rxjs';
import { z } from 'zod';
import type { RunEvent } from '../../domain';
import { ActorsModule } from '../../engine/actors';
import { Bus, subjects, type Subscription as BusSubscription } from '../../engine/bus';
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

/** Tells the primary of the worker processes what this one has counted. */
@Injectable()
class WorkerReadings implements OnModuleInit, OnApplicationShutdown {
  private answering: BusSubscription | null = null;

  constructor(
    private readonly metrics: Metrics,
    private readonly bus: Bus,
  ) {}

  onModuleInit(): void {
    const { metrics, bus } = this;
    if (cluster.worker === undefined || !(metrics instanceof PrometheusMetrics)) return;
    this.answering = bus.respond(subjects.workerMetrics(cluster.worker.id), () => metrics.readings());
  }

  onApplicationShutdown(): void {
    this.answering?.unsubscribe();
  }
}

/** Prometheus gives up after ten seconds, by default. */
const SCRAPED_WITHIN_MS = 8_000;

const metricsText = z.string();

@Controller()
class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly bus: Bus,
  ) {}

  /** Worker processes share one port: whichever is asked, all are counted. */
  private async ofTheMachine(): Promise<string> {
    const answer = await this.bus
      .request(subjects.machineMetrics, {}, { timeoutMs: SCRAPED_WITHIN_MS })
      .catch((error: unknown) => {
        throw new ServiceUnavailableException('Not all worker processes have told their metrics in time.', {
          cause: error,
        });
      });
    return metricsText.parse(answer);
  }

  @Serves(getMetrics)
  async scrape(@Res() response: Response): Promise<void> {
    const { metrics } = this;
    if (!(metrics instanceof PrometheusMetrics))
      throw new NotFoundException('This process counts nothing: METRICS is off.');
    const text = cluster.isWorker ? await this.ofTheMachine() : await metrics.scrape();
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
  providers: [CountedEvents, Gauges, WorkerReadings],
})
export class ScrapingModule {}
