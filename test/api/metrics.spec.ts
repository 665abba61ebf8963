import { startFakeAnthropic, type FakeAnthropic } from '../fakes/anthropic-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { EventClient } from '../setup/event-client';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { scrape, scrapeText, total, type Sample } from '../setup/scrape';
import { startTestService, type TestService } from '../setup/service';

const HOSTILE = 'osce"} 1\nosce_turns_total 999999 \\ <script>';

describe('what a run leaves in the counters', () => {
  let service: TestService;
  let other: TestService;
  let model: FakeAnthropic;
  let agent: FakeAgent;
  let api: ApiClient;
  let before: Sample[];
  let after: Sample[];
  let results: Answer['body'][];

  beforeAll(async () => {
    agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
    model = await startFakeAnthropic({});
    service = await startTestService({
      ANTHROPIC_API_KEY: 'sk-ant-secret',
      ANTHROPIC_BASE_URL: model.url,
      TESTER_MODEL: 'claude-haiku-4-5',
      JUDGE_MODEL: 'claude-opus-4-5',
    });
    other = await startTestService();
    api = new ApiClient(service.url);
    before = await scrape(service.url);
    const agentId = await createAgent(api, agent.baseUrl, { model: HOSTILE });
    await api.patch(`/api/v1/agents/${agentId}`, { name: HOSTILE });
    const ids = await createScenarios(api, 3, { name: HOSTILE });
    const started = (
      await api.post('/start-run', { agent_id: agentId, scenario_ids: ids, max_turns: 5, concurrency_limit: 2 })
    ).body;
    const watcher = await EventClient.open(`${service.url}/events?run_id=${started.id}`);
    await untilFinal(api, started.id, 40_000);
    await watcher.ended;
    results = await Promise.all(
      (await scenarioRunsOf(api, started.id)).map(
        async ({ id }) => (await api.get(`/api/v1/scenario-runs/${id}`)).body,
      ),
    );
    after = await scrape(service.url);
  });
  afterAll(async () => {
    await other.close();
    await service.close();
    await model.close();
    await agent.close();
  });

  const grown = (name: string, labels: Record<string, string> = {}): number =>
    total(after, name, labels) - total(before, name, labels);

  it('is what its rows say', () => {
    const turns = results.reduce((sum, { transcript }) => sum + transcript.length / 2, 0);
    expect(turns).toBeGreaterThan(0);
    expect(grown('osce_turns_total')).toBe(turns);
    expect(grown('osce_test_runs_ended_total', { status: 'completed' })).toBe(1);
    expect(grown('osce_scenario_runs_started_total', { attempt: 'first' })).toBe(3);
    expect(grown('osce_scenario_runs_started_total', { attempt: 'repeated' })).toBe(0);
    for (const status of ['passed', 'failed', 'error', 'canceled']) {
      const rows = results.filter((result) => result.status === status).length;
      expect([status, grown('osce_scenario_runs_ended_total', { status })]).toEqual([status, rows]);
    }
    const calls = { to: 'agent', kind: 'openai', outcome: 'ok' };
    expect(grown('osce_outside_call_duration_seconds_count', { ...calls, call: 'reply' })).toBe(turns);
    expect(grown('osce_outside_call_duration_seconds_count', { ...calls, call: 'connect' })).toBe(3);
    expect(grown('osce_queue_wait_seconds_count')).toBe(3);
    expect(grown('osce_commit_changes_sum', { ledger: 'claims' })).toBe(3);
    expect(grown('osce_commit_changes_sum', { ledger: 'changes' })).toBeGreaterThanOrEqual(turns + 3);
    expect(grown('osce_event_lag_seconds_count')).toBeGreaterThan(turns);
  });

  it('has the calls, the tokens and the cost of the models', () => {
    const { patient, audit, judge } = model.calls;
    expect(grown('osce_outside_call_duration_seconds_count', { to: 'tester', kind: 'anthropic' })).toBe(
      patient + audit,
    );
    expect(grown('osce_outside_call_duration_seconds_count', { to: 'judge', kind: 'anthropic' })).toBe(judge);
    const tester = { to: 'tester', model: 'anthropic/claude-haiku-4-5' };
    const judged = { to: 'judge', model: 'anthropic/claude-opus-4-5' };
    const sum = (role: 'tester' | 'judge', field: string): number =>
      results.reduce((all, { metadata }) => all + metadata.usage[role][field], 0);
    for (const [role, labels] of [
      ['tester', tester],
      ['judge', judged],
    ] as const) {
      expect(grown('osce_model_tokens_total', { ...labels, kind: 'input' })).toBe(sum(role, 'input_tokens'));
      expect(grown('osce_model_tokens_total', { ...labels, kind: 'output' })).toBe(sum(role, 'output_tokens'));
      expect(grown('osce_model_cost_usd_total', labels)).toBeCloseTo(sum(role, 'cost_usd'), 6);
    }
    expect(grown('osce_model_answers_total', { priced: 'yes' })).toBe(patient + audit + judge);
  });

  it('is in no other application of the same process', async () => {
    expect(total(await scrape(other.url), 'osce_turns_total')).toBe(0);
    expect(total(await scrape(other.url), 'osce_ready')).toBe(1);
  });

  it('makes no series out of names that somebody chose', async () => {
    const text = await scrapeText(service.url);
    expect(text).not.toContain('<script');
    expect(text).not.toContain('osce_turns_total 999999');
    for (const { labels } of after)
      for (const value of Object.values(labels)) expect(value).toMatch(/^[\w./+-]{1,80}$/);
    const series = new Set(
      after
        .filter(({ name }) => name.startsWith('osce_'))
        .map(({ name, labels }) => `${name}${JSON.stringify(labels)}`),
    );
    expect(series.size).toBeLessThan(400);
  });

  it('shows what is in use now', async () => {
    expect(total(after, 'osce_live_scenario_runs')).toBe(0);
    expect(total(after, 'osce_outside_calls_in_flight')).toBe(0);
    expect(total(after, 'osce_scenario_run_slots')).toBe(500);
    expect(total(after, 'osce_database_connections_limit')).toBe(10);
    expect(total(after, 'osce_test_runs')).toBe(0);
    expect(total(after, 'osce_event_streams')).toBe(0);
    expect(after.filter(({ name }) => name === 'osce_spend_limit_usd')).toEqual([]);
    expect(total(after, 'process_cpu_seconds_total')).toBeGreaterThan(0);
  });
});
