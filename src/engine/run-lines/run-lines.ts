import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown, Module } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import type { RunEvent } from '../../domain';
import { Log, type LogFields, Settings } from '../../platform/config';
import { CommittedEvents } from '../ledger/run-log';
import { RunOutlinesStore } from '../ledger/run-outlines.store';

/** Lines about errors of one run, of one process. */
const LINES_A_RUN = 20;
/** Runs with errors that are remembered: of a run forgotten too early a few more lines are written. */
const RUNS_KEPT = 1_000;

/** A run of thousands of scenario runs whose agent is down writes a few lines, not thousands. */
class ErrorLineBudget {
  private readonly spent = new Map<string, number>();

  /** `lastLine` once, for saying that no more will follow. */
  spend(testRunId: string): 'line' | 'lastLine' | 'none' {
    const before = this.spent.get(testRunId) ?? 0;
    if (before > LINES_A_RUN) return 'none';
    this.spent.set(testRunId, before + 1);
    const [oldest] = this.spent.keys();
    if (this.spent.size > RUNS_KEPT && oldest !== undefined) this.spent.delete(oldest);
    return before < LINES_A_RUN ? 'line' : 'lastLine';
  }

  forget(testRunId: string): void {
    this.spent.delete(testRunId);
  }
}

/** Lines that wait for the database. Further ones are written with what the event itself says. */
const MOST_WAITING = 500;
/** A stopping process waits no longer than this for the rows that its last lines name. */
const LAST_LINES_WITHIN_MS = 1_000;

type Ended = Extract<RunEvent, { type: 'test_run_complete' | 'test_run_failed' | 'test_run_canceled' }>;

const STATUS_AFTER = {
  test_run_complete: 'completed',
  test_run_failed: 'failed',
  test_run_canceled: 'canceled',
} as const;

/**
 * Logs at info that a run has started, that one has ended and how, and which scenario runs ended in an error. Each line is
 * written by the process whose transaction made it so, once that has committed: over several processes, once.
 */
@Injectable()
export class RunLines implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly errorLines = new ErrorLineBudget();
  private listening: Subscription | null = null;
  /** Lines are written in the order of their events, whichever row is found first. */
  private written: Promise<void> = Promise.resolve();
  private waiting = 0;

  constructor(
    private readonly committed: CommittedEvents,
    private readonly outlines: RunOutlinesStore,
    private readonly settings: Settings,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    const { logLevel } = this.settings;
    // At this level no line is written, so nothing is looked up either.
    if (logLevel !== 'info' && logLevel !== 'debug') return;
    this.listening = this.committed.stream.subscribe((event) => this.hear(event));
  }

  async onApplicationShutdown(): Promise<void> {
    this.listening?.unsubscribe();
    const giveUp = new AbortController();
    const late = sleep(LAST_LINES_WITHIN_MS, undefined, { signal: giveUp.signal }).catch(() => undefined);
    await Promise.race([this.written, late]);
    giveUp.abort();
  }

  private hear(event: RunEvent): void {
    switch (event.type) {
      case 'test_run_started':
        return this.write('Run started', () => this.factsOfStart(event.run_id), {
          testRunId: event.run_id,
          scenario_runs: event.total_scenarios,
        });
      case 'scenario_error':
        return this.hearError(event.run_id, event.scenario_run_id, event.scenario_id, event.error_code);
      case 'test_run_complete':
      case 'test_run_failed':
      case 'test_run_canceled':
        this.errorLines.forget(event.run_id);
        return this.write('Run ended', () => this.factsOfEnd(event.run_id), factsOf(event));
      default:
    }
  }

  private hearError(testRunId: string, scenarioRunId: string, scenarioId: string, error_code: string): void {
    const spent = this.errorLines.spend(testRunId);
    if (spent === 'line') {
      const told = { testRunId, scenarioRunId, scenarioId, error_code };
      this.write('Scenario run ended in an error', () => this.factsOfError(scenarioRunId), told);
    }
    if (spent === 'lastLine') {
      const none = () => Promise.resolve({});
      this.write('More scenario runs of this run end in errors: its end counts them', none, { testRunId });
    }
  }

  /** @param find adds what only the rows know */
  private write(message: string, find: () => Promise<LogFields>, told: LogFields): void {
    if (this.waiting >= MOST_WAITING) return this.log.info(message, told);
    this.waiting += 1;
    this.written = this.written.then(async () => {
      // A line with less in it is better than none.
      const found = await find().catch(() => ({}));
      this.waiting -= 1;
      this.log.info(message, { ...told, ...found });
    });
  }

  private async factsOfStart(testRunId: string): Promise<LogFields> {
    const run = await this.outlines.ofRun(testRunId);
    return run === null ? {} : { agentId: run.agent_id, provider: run.agent_provider, trials: run.trials };
  }

  private async factsOfEnd(testRunId: string): Promise<LogFields> {
    const run = await this.outlines.ofRun(testRunId);
    if (run === null) return {};
    const { agent_id: agentId, started_at: began, completed_at: ended, errors } = run;
    return { agentId, seconds: began && ended && (ended.getTime() - began.getTime()) / 1_000, errors };
  }

  private async factsOfError(scenarioRunId: string): Promise<LogFields> {
    const [run] = await this.outlines.ofScenarioRuns([scenarioRunId]);
    return run === undefined ? {} : { agentId: run.agent_id, provider: run.agent_provider, attempt: run.attempt };
  }
}

function factsOf(event: Ended): LogFields {
  const { run_id, pass_rate, passed_count: passed, failed_count: failed } = event;
  const { error_count: error, canceled_count: canceled } = event;
  return {
    testRunId: run_id,
    status: STATUS_AFTER[event.type],
    pass_rate,
    scenario_runs: passed + failed + error + canceled,
    passed,
    failed,
    canceled,
    error,
  };
}

/** Log lines about runs. */
@Module({ providers: [RunLines] })
export class RunLinesModule {}
