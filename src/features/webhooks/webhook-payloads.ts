import { Injectable } from '@nestjs/common';
import { passRateOf } from '../../engine/ledger';
import { Settings } from '../../platform/config';
import { ScenarioRunsStore } from '../runs/scenario-runs.store';
import { TestRunsStore } from '../runs/test-runs.store';
import { countsOf, type TestRunRecord } from '../runs/test-run.row';
import { SettledRates } from '../statistics/settled-rates';
import type { ComparisonView } from '../../../contract/comparison';
import type { GateView } from '../../../contract/schedules';
import type { WebhookEvent } from '../../../contract/webhooks';

/** Sent on demand, to try a webhook. */
const TEST_EVENT = 'webhook.test';

/** A message names so many of the conversations that did not pass. */
const MOST_CONVERSATIONS = 20;

/** The body of a message, as Standard Webhooks shape it. */
export interface WebhookPayload {
  readonly type: WebhookEvent | typeof TEST_EVENT;
  /** When it happened, ISO 8601. */
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The schedule that a message is about. */
export interface GatedSchedule {
  readonly id: string;
  readonly name: string;
  readonly gate: GateView;
}

/** What webhooks are told: names, numbers and links; nothing of what was said in a conversation, and no secret. */
@Injectable()
export class WebhookPayloads {
  constructor(
    private readonly testRuns: TestRunsStore,
    private readonly scenarioRuns: ScenarioRunsStore,
    private readonly rates: SettledRates,
    private readonly settings: Settings,
  ) {}

  /** Null when the run is gone. */
  async ofFinished(testRunId: string): Promise<WebhookPayload | null> {
    const run = await this.testRuns.find(testRunId);
    if (run === null) return null;
    const data = { test_run: await this.viewOf(run), links: await this.linksOf(run) };
    return { type: 'test_run.finished', timestamp: endOf(run), data };
  }

  /** Null when the run is gone. */
  async ofWorse(testRunId: string, { before, ...comparison }: ComparisonView): Promise<WebhookPayload | null> {
    const run = await this.testRuns.find(testRunId);
    if (run === null) return null;
    const { verdict, grounds, sentence, confidence, difference, tests, scenarios, new_must_pass_violations } =
      comparison;
    return {
      type: 'comparison.worse',
      timestamp: endOf(run),
      data: {
        test_run: await this.viewOf(run),
        baseline: { id: before.id, test_run_id: before.test_run_id },
        comparison: {
          verdict,
          grounds,
          sentence,
          confidence,
          difference,
          tests,
          scenarios_compared: scenarios.compared,
          new_must_pass_violations: new_must_pass_violations.length,
        },
        links: {
          ...(await this.linksOf(run)),
          comparison: this.at(`/api/v1/tests/${run.id}/comparison?before=${before.id}`),
          comparison_page: this.at(`/compare?base=${before.id}&head=${run.id}`),
        },
      },
    };
  }

  /** What the gate of a schedule said of a run, unless it passed. Null when the run is gone. */
  async ofGate(
    { id, name, gate }: GatedSchedule,
    testRunId: string,
    { verdict, sentence }: { readonly verdict: 'failed' | 'undecided'; readonly sentence: string },
  ): Promise<WebhookPayload | null> {
    const run = await this.testRuns.find(testRunId);
    if (run === null) return null;
    return {
      type: verdict === 'failed' ? 'schedule.gate_failed' : 'schedule.gate_undecided',
      timestamp: endOf(run),
      data: {
        schedule: { id, name },
        gate: { ...gate, verdict, sentence },
        test_run: await this.viewOf(run),
        links: { ...(await this.linksOf(run)), schedule_page: this.at(`/schedules/${id}`) },
      },
    };
  }

  /** A start of a schedule that failed: no run was made. @param dueAt when it was due */
  ofFailedStart(
    { id, name }: Pick<GatedSchedule, 'id' | 'name'>,
    dueAt: Date,
    sentence: string,
  ): WebhookPayload & { readonly type: 'schedule.start_failed' } {
    return {
      type: 'schedule.start_failed',
      timestamp: new Date().toISOString(),
      data: {
        schedule: { id, name },
        due_at: dueAt.toISOString(),
        sentence,
        links: { schedule: this.at(`/api/v1/schedules/${id}`), schedule_page: this.at(`/schedules/${id}`) },
      },
    };
  }

  ofTest(webhookId: string): WebhookPayload {
    return { type: TEST_EVENT, timestamp: new Date().toISOString(), data: { webhook_id: webhookId } };
  }

  /** The run, and its first conversations that did not pass. */
  private async linksOf({ id }: TestRunRecord) {
    const notPassed = await this.scenarioRuns.notPassed(id, MOST_CONVERSATIONS);
    const not_passed = notPassed.map(({ id: conversation, ...named }) => ({
      ...named,
      page: this.at(`/scenario-runs/${conversation}`),
    }));
    return { test_run: this.at(`/api/v1/tests/${id}`), page: this.at(`/runs/${id}`), not_passed };
  }

  /** Without a host where PUBLIC_URL is not set: the service does not know by which name it is reached. */
  private at(path: string): string {
    return `${this.settings.publicUrl ?? ''}${path}`;
  }

  private async viewOf(run: TestRunRecord) {
    const { id, test_run_id, name, status, agent_id, agent_name, agent_version, started_at, completed_at } = run;
    const counts = countsOf(run);
    const settled = (await this.rates.of([run])).get(id);
    return {
      id,
      test_run_id,
      name,
      status,
      agent_id,
      agent_name,
      agent_version,
      // Without graded conversations there is no rate.
      pass_rate: counts.passed + counts.failed === 0 ? null : passRateOf(counts),
      graded_pass_rate: settled?.graded_pass_rate ?? null,
      counts,
      started_at,
      completed_at,
    };
  }
}

function endOf({ completed_at }: TestRunRecord): string {
  return completed_at ?? new Date().toISOString();
}
