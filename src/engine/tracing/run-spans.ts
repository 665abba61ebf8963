import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown, Global, Module } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import type { RunEvent } from '../../domain';
import { Log, giveToOpenTelemetry, Settings } from '../../platform/config';
import { Egress } from '../../platform/egress';
import { SharedRead } from '../../platform/database';
import {
  loadOpenTelemetry,
  OpenTelemetryTracing,
  Tracing,
  type SpanAttributes,
  NoTracing,
} from '../../platform/telemetry';
import { CommittedEvents } from '../ledger/run-log';
import { RunOutlinesStore, type RunOutline, type ScenarioRunOutline } from '../ledger/run-outlines.store';
import { placeOfRun, placeOfScenarioRun } from './attempt-trace';

/** Spans that wait for their rows; more are left out. */
const MOST_WAITING = 5_000;
/** Scenario runs read in one query. */
const ROWS_AT_ONCE = 500;
const LAST_SPANS_WITHIN_MS = 500;

/**
 * The spans of runs and scenario runs, each sent once by the process that has committed their end: however many processes and
 * attempts had a part in them, their rows know when they began.
 */
@Injectable()
export class RunSpans implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly rows: SharedRead<string, ScenarioRunOutline>;
  private listening: Subscription | null = null;
  private readonly waiting = new Set<Promise<void>>();

  constructor(
    private readonly tracing: Tracing,
    private readonly committed: CommittedEvents,
    private readonly outlines: RunOutlinesStore,
    private readonly log: Log,
  ) {
    this.rows = new SharedRead((ids) => this.read(ids));
  }

  onApplicationBootstrap(): void {
    if (this.tracing.isOn) this.listening = this.committed.stream.subscribe((event) => this.hear(event));
  }

  /** After everything that may end a run, and before the last spans are sent. */
  async onApplicationShutdown(): Promise<void> {
    this.listening?.unsubscribe();
    const giveUp = new AbortController();
    const late = sleep(LAST_SPANS_WITHIN_MS, undefined, { signal: giveUp.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.waiting), late]);
    giveUp.abort();
    await this.tracing.close();
  }

  private hear(event: RunEvent): void {
    switch (event.type) {
      case 'scenario_complete':
      case 'scenario_error':
      case 'scenario_canceled':
        return this.later(() => this.tellScenarioRun(event.scenario_run_id));
      case 'test_run_complete':
      case 'test_run_failed':
      case 'test_run_canceled':
        return this.later(() => this.tellRun(event));
      default:
    }
  }

  private later(tell: () => Promise<void>): void {
    if (this.waiting.size >= MOST_WAITING) return;
    const telling = tell()
      .catch((error: unknown) => this.log.debug('A span was left out: its row could not be read', { error }))
      .finally(() => this.waiting.delete(telling));
    this.waiting.add(telling);
  }

  private async read(ids: readonly string[]): Promise<readonly (ScenarioRunOutline | Error)[]> {
    const found = new Map<string, ScenarioRunOutline>();
    for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
      const rows = await this.outlines.ofScenarioRuns(ids.slice(from, from + ROWS_AT_ONCE));
      for (const row of rows) found.set(row.id, row);
    }
    return ids.map((id) => found.get(id) ?? new Error('The scenario run was deleted.'));
  }

  private async tellScenarioRun(id: string): Promise<void> {
    const row = await this.rows.load(id);
    const { test_run_id: testRunId, started_at: began, completed_at: ended, status, error_code } = row;
    // A scenario run that no process has begun did nothing that could be traced.
    if (began === null || ended === null) return;
    this.tracing.tell({
      place: placeOfScenarioRun(testRunId, id),
      parentId: placeOfRun(testRunId).spanId,
      name: 'scenario run',
      began,
      ended,
      attributes: factsOfScenarioRun(row),
      errorType: status === 'error' ? (error_code ?? 'internal') : null,
    });
  }

  private async tellRun({ run_id: id, ...event }: Extract<RunEvent, { pass_rate: number }>): Promise<void> {
    const run = await this.outlines.ofRun(id);
    if (run === null || run.completed_at === null) return;
    this.tracing.tell({
      place: placeOfRun(id),
      parentId: null,
      name: 'test run',
      began: run.started_at ?? run.created_at,
      ended: run.completed_at,
      attributes: { ...factsOfRun(id, run), 'agent_osce.pass_rate': event.pass_rate },
      errorType: run.status === 'failed' ? 'test_run_failed' : null,
    });
  }
}

function factsOfRun(id: string, run: RunOutline): SpanAttributes {
  return {
    'agent_osce.test_run.id': id,
    'agent_osce.provider': run.agent_provider,
    'agent_osce.status': run.status,
    'agent_osce.trials': run.trials,
    'agent_osce.scenario_runs': run.total_scenarios,
    'gen_ai.agent.id': run.agent_id,
  };
}

function factsOfScenarioRun(row: ScenarioRunOutline): SpanAttributes {
  const { status } = row;
  return {
    'agent_osce.test_run.id': row.test_run_id,
    'agent_osce.scenario_run.id': row.id,
    'agent_osce.scenario.id': row.scenario_id,
    'agent_osce.provider': row.agent_provider,
    'agent_osce.status': status,
    'agent_osce.verdict': status === 'passed' || status === 'failed' ? status : undefined,
    'agent_osce.score_percent': row.score_percent ?? undefined,
    'agent_osce.trial': row.trial,
    'agent_osce.attempt': row.attempt,
    'agent_osce.turns': row.turns,
    'gen_ai.agent.id': row.agent_id,
    'gen_ai.conversation.id': row.id,
  };
}

/** Traces. OpenTelemetry's library is loaded only when traces are collected. */
@Global()
@Module({
  providers: [
    {
      provide: Tracing,
      useFactory: ({ tracing }: Settings, log: Log, egress: Egress): Tracing => {
        if (!tracing.isOn) return new NoTracing();
        giveToOpenTelemetry(tracing);
        return OpenTelemetryTracing.start(loadOpenTelemetry(), randomUUID(), log, egress);
      },
      inject: [Settings, Log, Egress],
    },
    RunSpans,
  ],
  exports: [Tracing],
})
export class TracingModule {}
