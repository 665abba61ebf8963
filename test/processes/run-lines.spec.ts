import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../src/platform/config/log';
import type { FakeAgent } from '../fakes/fake-agent';
import { sendJson } from '../fakes/http-stub';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { startServiceProcess } from '../setup/service-process';

type Line = Record<string, unknown>;

const SAID_BY_AGENT = 'The moon is made of cheese.';

let agent: FakeAgent;
let service: TestService;
let api: ApiClient;
let written: string[];

beforeAll(async () => {
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY, delayMs: 20 });
  written = [];
  const log = createLog('info', { write: (line) => written.push(line) });
  service = await startTestService({ LOG_LEVEL: 'info' }, { log });
  api = new ApiClient(service.url);
});
afterAll(async () => {
  await service.close();
  await agent.close();
});

function linesIn(text: readonly string[], testRunId: string): Line[] {
  return text
    .filter((line) => line.startsWith('{'))
    .map((line): Line => JSON.parse(line))
    .filter((line) => line['testRunId'] === testRunId)
    .map(({ time: _time, ...line }) => line);
}

/** The run's lines, once the last of them is written. */
async function untilTold(testRunId: string): Promise<Line[]> {
  await eventually(async () =>
    expect(linesIn(written, testRunId)).toContainEqual(expect.objectContaining({ msg: 'Run ended' })),
  );
  return linesIn(written, testRunId);
}

async function start(agentId: string, scenarios: number, fields: object = {}): Promise<string> {
  const scenario_ids = await createScenarios(api, scenarios);
  const { body } = await api.post('/start-run', { agent_id: agentId, scenario_ids, max_turns: 2, ...fields });
  return String(body.id);
}

it('says that a run has started, and how it has ended', async () => {
  const agentId = await createAgent(api, agent.baseUrl);
  const id = await start(agentId, 2, { trials: 2 });
  await untilFinal(api, id);
  expect(await untilTold(id)).toEqual([
    { level: 'info', msg: 'Run started', testRunId: id, agentId, provider: 'openai', scenario_runs: 4, trials: 2 },
    {
      level: 'info',
      msg: 'Run ended',
      testRunId: id,
      agentId,
      status: 'completed',
      pass_rate: 100,
      seconds: expect.any(Number),
      scenario_runs: 4,
      passed: 4,
      failed: 0,
      canceled: 0,
      error: 0,
      errors: {},
    },
  ]);
});

it('names each error by its code, with not a word of the agent', async () => {
  const refusing = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  refusing.next(
    (response) => sendJson(response, 401, { error: { message: SAID_BY_AGENT } }),
    (response) => sendJson(response, 400, { error: { message: SAID_BY_AGENT } }),
  );
  try {
    const agentId = await createAgent(api, refusing.baseUrl);
    const id = await start(agentId, 2, { concurrency_limit: 1 });
    await untilFinal(api, id);
    const lines = await untilTold(id);
    const runs = await scenarioRunsOf(api, id);
    expect(lines.slice(1)).toEqual([
      ...runs.map((run) => ({
        level: 'info',
        msg: 'Scenario run ended in an error',
        testRunId: id,
        scenarioRunId: run.id,
        scenarioId: run.scenario_id,
        agentId,
        provider: 'openai',
        error_code: run.error_code,
        attempt: 1,
      })),
      expect.objectContaining({ msg: 'Run ended', status: 'failed', error: 2, pass_rate: 0 }),
    ]);
    expect(lines.at(-1)?.['errors']).toEqual({ auth_failed: 1, [runs[1].error_code]: 1 });
    expect(runs.map((run) => run.error_message).join()).toContain(SAID_BY_AGENT);
    expect(written.join('\n')).not.toContain(SAID_BY_AGENT);
  } finally {
    await refusing.close();
  }
});

it('writes a few lines of a run whose agent is down, and counts the rest at its end', async () => {
  const id = await start(await createAgent(api, 'http://127.0.0.1:1/v1'), 30, { concurrency_limit: 10 });
  await untilFinal(api, id);
  const messages = (await untilTold(id)).map(({ msg }) => msg);
  expect(messages).toEqual([
    'Run started',
    ...Array.from({ length: 20 }, () => 'Scenario run ended in an error'),
    'More scenario runs of this run end in errors: its end counts them',
    'Run ended',
  ]);
  expect(linesIn(written, id).at(-1)).toMatchObject({ errors: { connect_failed: 30 }, error: 30 });
});

it('says of a canceled run that it has ended, once', async () => {
  const slow = await startFakeOpenAi({ reply: () => GOOD_REPLY, delayMs: 60_000 });
  try {
    const id = await start(await createAgent(api, slow.baseUrl), 3);
    await api.post('/cancel-run', { run_id: id });
    await api.post('/cancel-run', { run_id: id });
    const ends = (await untilTold(id)).filter(({ msg }) => msg === 'Run ended');
    expect(ends).toEqual([expect.objectContaining({ status: 'canceled', canceled: 3, errors: {} })]);
  } finally {
    await slow.close();
  }
});

it('says each of it once where a process was killed and another one goes on', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'agent-osce-run-lines-'));
  const variables = { DATA_DIR: dataDir, LOG_LEVEL: 'info' };
  const first = await startServiceProcess(variables);
  try {
    const client = new ApiClient(first.url);
    const agentId = await createAgent(client, agent.baseUrl);
    const scenario_ids = await createScenarios(client, 2);
    const { body } = await client.post('/start-run', { agent_id: agentId, scenario_ids, max_turns: 30 });
    const id = String(body.id);
    await eventually(async () => expect((await scenarioRunsOf(client, id))[0].turns).toBeGreaterThan(0));
    await first.end('SIGKILL');
    const second = await startServiceProcess(variables);
    await untilFinal(new ApiClient(second.url), id, 60_000);
    await second.end('SIGTERM');
    const messages = linesIn(`${first.output()}\n${second.output()}`.split('\n'), id).map(({ msg }) => msg);
    expect(messages).toEqual(['Run started', 'Run ended']);
  } finally {
    await first.end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
});
