import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { EmbeddedFixture } from '../setup/embedded-postgres';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { spawnService, startServiceProcess, type ServiceProcess } from '../setup/service-process';

let dataDir: string;
let agent: FakeAgent;
let service: ServiceProcess;
let api: ApiClient;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'agent-osce-recovery-'));
  agent = await startFakeOpenAi({
    reply: (messages) => `${GOOD_REPLY} Reply ${(messages.length + 1) / 2}.`,
    delayMs: 150,
  });
  await start();
});
afterAll(async () => {
  await service.end('SIGKILL');
  await agent.close();
  // The killed service's database ends a moment after it.
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
});

async function start(): Promise<void> {
  service = await startServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  api = new ApiClient(service.url);
}

/** Whoever goes on before the test has timed out has not waited for them. */
async function leasesLastAnotherHour(): Promise<void> {
  const fixture = new EmbeddedFixture();
  const server = await fixture.start(dataDir);
  const client = new Client(server.url);
  fixture.atEnd(() => client.end());
  await client.connect();
  try {
    for (const table of ['scenario_runs', 'test_runs']) {
      const { rowCount } = await client.query(
        `UPDATE ${table} SET heartbeat_at = now() + interval '1 hour' WHERE owner IS NOT NULL AND completed_at IS NULL`,
      );
      expect({ table, isOwned: Number(rowCount) > 0 }).toEqual({ table, isOwned: true });
    }
  } finally {
    await fixture.close();
  }
}

/** The events of a run that has ended, as a subscriber that comes late gets them. */
async function eventsOf(id: string): Promise<{ seq: number; type: string; scenario_run_id?: string; turn?: number }[]> {
  const text = await (await fetch(`${service.url}/events?run_id=${id}`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)))
    .slice(1);
}

/** Six conversations. */
async function startRun(): Promise<string> {
  const agentId = await createAgent(api, agent.baseUrl);
  const scenario_ids = await createScenarios(api, 3);
  const { body } = await api.post('/start-run', {
    agent_id: agentId,
    scenario_ids,
    trials: 2,
    concurrency_limit: 3,
    max_turns: 5,
  });
  return String(body.id);
}

async function untilTurns(id: string, turns: number): Promise<Answer['body'][]> {
  for (;;) {
    const results = await scenarioRunsOf(api, id);
    if (results.reduce((sum, result) => sum + Number(result.turns), 0) >= turns) return results;
    await sleep(10);
  }
}

async function expectWhole(id: string): Promise<void> {
  const run = await untilFinal(api, id, 40_000);
  expect(run).toMatchObject({ status: 'completed', passed_count: 6, error_count: 0, pass_rate: 100 });
  const results = await scenarioRunsOf(api, id);
  expect(results.map(({ trial }) => trial)).toEqual([1, 1, 1, 2, 2, 2]);
  for (const result of results) {
    const { body } = await api.get(`/api/v1/scenario-runs/${result.id}`);
    const replies = body.transcript.filter((entry: { role: string }) => entry.role === 'agent');
    expect(replies.map((entry: { content: string }) => entry.content)).toEqual(
      [1, 2, 3, 4, 5].map((turn) => `${GOOD_REPLY} Reply ${turn}.`),
    );
  }
  const events = await eventsOf(id);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, at) => at + 1));
  const verdicts = events.filter((event) => event.type === 'scenario_complete');
  expect(new Set(verdicts.map((event) => event.scenario_run_id)).size).toBe(6);
  expect(verdicts).toHaveLength(6);
  const turns = events
    .filter((event) => event.type === 'transcript_update')
    .map((event) => `${event.scenario_run_id} ${event.turn}`);
  expect(new Set(turns).size).toBe(turns.length);
}

test('kill -9 in the middle of a run, then start: the run goes on by itself and ends right', async () => {
  const id = await startRun();
  await untilTurns(id, 7);
  await service.end('SIGKILL');
  const sentBefore = agent.requests.length;
  await start();
  await expectWhole(id);

  const results = await scenarioRunsOf(api, id);
  const resumed = results.filter((result) => result.attempt > 1);
  expect(resumed.length).toBeGreaterThan(0);
  // Recorded turns are never sent again: at most the ones in flight at the kill are repeated.
  expect(agent.requests.length - sentBefore).toBeLessThanOrEqual(6 * 5 - 7 + 3);
  for (const { metadata, attempt } of resumed) expect(metadata.attempts).toBe(attempt);
  // Each was killed with a turn under way, which the agent may have got.
  expect(resumed.map(({ metadata }) => metadata.in_doubt_turns)).toEqual(resumed.map(() => [expect.any(Number)]));
});

test('no lease of a killed process is waited for: nobody else can be using a database of its own', async () => {
  const id = await startRun();
  await untilTurns(id, 7);
  await service.end('SIGKILL');
  await leasesLastAnotherHour();
  await start();
  await expectWhole(id);
});

test('kill -9 three times in a row', async () => {
  const id = await startRun();
  for (const turns of [3, 8, 14]) {
    await untilTurns(id, turns);
    await service.end('SIGKILL');
    await start();
  }
  await expectWhole(id);
});

test('SIGTERM releases live scenario runs within 10 s and exits with 0; the next start goes on', async () => {
  const id = await startRun();
  await untilTurns(id, 4);
  // The service ends itself with 1 when stopping takes it longer than 10 s.
  expect(await service.end('SIGTERM')).toBe(0);
  await start();
  await expectWhole(id);
});

test('a canceled run stays canceled over a kill', async () => {
  const id = await startRun();
  await untilTurns(id, 3);
  await api.post('/cancel-run', { id });
  await service.end('SIGKILL');
  const sent = agent.requests.length;
  await start();
  await sleep(1_000);
  expect((await api.get(`/api/v1/tests/${id}`)).body.status).toBe('canceled');
  expect(agent.requests.length).toBe(sent);
});

describe('a service that cannot start', () => {
  const outcomeOf = async (variables: Record<string, string>) => {
    const child = spawnService(variables);
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise((resolve) => child.once('exit', resolve));
    // Log lines are JSON; what is left is what a person reads.
    return { code, lines: output.split('\n').filter((line) => line !== '' && !line.startsWith('{')) };
  };

  test.each<[string, Record<string, string>, RegExp]>([
    ['a bad setting', { PORT: 'eighty' }, /PORT/],
    ['a database out of reach', { DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none' }, /DATABASE_URL/],
  ])('says in one sentence what to do: %s', async (_what, variables, sentence) => {
    const { code, lines } = await outcomeOf({ DATA_DIR: join(dataDir, 'none'), ...variables });
    expect(code).not.toBe(0);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(sentence);
  });

  test('says in one sentence what to do: a port that is taken', async () => {
    const port = new URL(service.url).port;
    const ownData = await mkdtemp(join(tmpdir(), 'agent-osce-taken-'));
    const { code, lines } = await outcomeOf({ PORT: port, DATA_DIR: ownData });
    expect(code).not.toBe(0);
    expect(lines).toEqual([expect.stringMatching(new RegExp(`${port}.*PORT`))]);
    await rm(ownData, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  });

  test('says in one sentence what to do: a data folder in use', async () => {
    const { code, lines } = await outcomeOf({ DATA_DIR: dataDir, PORT: '0' });
    expect(code).not.toBe(0);
    expect(lines).toEqual([expect.stringMatching(/data folder/i)]);
  });
});
