import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import type { RunEvent } from '../../domain/run-events';
import { CommittedEvents } from '../../engine/ledger/committed-events';
import { Metrics } from '../../platform/telemetry/metrics/metrics';

/** Counts what this process has committed: what a run's subscribers are told is what its operator counts. */
@Injectable()
export class CountedEvents implements OnModuleInit, OnApplicationShutdown {
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
