import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeAgent } from '../fakes/fake-agent';
import { sendJson } from '../fakes/http-stub';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient, type Answer } from '../setup/api-client';
import {
  CALLS_AMBULANCE,
  createAgent,
  createScenarios,
  GOOD_REPLY,
  scenarioRunsOf,
  untilFinal,
} from '../setup/examination';
import { startServiceProcess, type ServiceProcess } from '../setup/service-process';

/** Scenario runs of the source: enough that marking them takes a while. */
const ROWS = 20;
const ERRORS = 6;

let dataDir: string;
let agent: FakeAgent;
let service: ServiceProcess;
let api: ApiClient;
let source: Answer['body'];
let rows: Answer['body'][];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'agent-osce-derived-'));
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY, delayMs: 20 });
  await start();
  const agentId = await createAgent(api, agent.baseUrl);
  const scenario_ids = await createScenarios(api, 1);
  agent.next(
    ...Array.from({ length: ERRORS }, () => (response: Parameters<typeof sendJson>[0]) => sendJson(response, 400, {})),
  );
  const { body } = await api.post('/start-run', {
    agent_id: agentId,
    scenario_ids,
    trials: ROWS,
    max_turns: 5,
    concurrency_limit: 2,
  });
  source = await untilFinal(api, body.id, 60_000);
  expect(source).toMatchObject({ passed_count: ROWS - ERRORS, error_count: ERRORS });
  rows = await scenarioRunsOf(api, source.id);
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

/** The events of a run that has ended. */
async function eventsOf(id: string): Promise<Answer['body'][]> {
  const text = await (await fetch(`${service.url}/events?run_id=${id}`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('data: '));
  return lines.map((line) => JSON.parse(line.slice(6))).slice(1);
}

/** Begins a derived run, kills the service while it goes on, and starts it again. */
async function killedInTheMiddle(path: string, request: object): Promise<Answer['body']> {
  const { status, body } = await api.post(path, request);
  expect({ status, body }).toMatchObject({ status: 200 });
  const launched = Number(body.scenarios_launched);
  for (;;) {
    const results = await scenarioRunsOf(api, body.id);
    const settled = results.filter(({ status, carried }) => !carried && status === 'passed').length;
    if (settled === launched) throw new Error('The run had ended before the service could be killed.');
    if (settled > 0) break;
    await sleep(5);
  }
  await service.end('SIGKILL');
  await start();
  return untilFinal(api, body.id, 60_000);
}

async function expectOneVerdictEach(id: string, launched: number): Promise<void> {
  const results = await scenarioRunsOf(api, id);
  expect(results.every(({ status }) => status === 'passed' || status === 'error')).toBe(true);
  const events = await eventsOf(id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, place) => place + 1));
  const verdicts = events.filter(({ type }) => type === 'scenario_complete').map((event) => event.scenario_run_id);
  expect(verdicts).toHaveLength(launched);
  expect(new Set(verdicts).size).toBe(launched);
  expect(results.filter(({ carried }) => carried).map((one) => one.id)).not.toEqual(expect.arrayContaining(verdicts));
}

test('a retry', async () => {
  const run = await killedInTheMiddle(`/api/v1/tests/${source.id}/retry`, {});
  expect(run).toMatchObject({ status: 'completed', passed_count: ROWS, error_count: 0 });
  await expectOneVerdictEach(run.id, ERRORS);
});

test('a regrade, without a call to the agent', async () => {
  const calls = agent.requests.length;
  const run = await killedInTheMiddle(`/api/v1/tests/${source.id}/regrade`, { rubric: 'as_run' });
  expect(run).toMatchObject({ status: 'completed', passed_count: ROWS - ERRORS, error_count: ERRORS });
  await expectOneVerdictEach(run.id, ROWS - ERRORS);
  expect(agent.requests.length).toBe(calls);
});

test('a fork: what it was given is said once, after the turns that it keeps', async () => {
  const said = 'I take warfarin.';
  const graded = rows.find(({ status }) => status === 'passed');
  const run = await killedInTheMiddle(`/api/v1/scenario-runs/${graded?.id}/fork`, {
    at_turn: 3,
    patient_message: said,
    trials: 12,
  });
  expect(run).toMatchObject({ status: 'completed', passed_count: 12 });
  await expectOneVerdictEach(run.id, 12);
  for (const { id } of await scenarioRunsOf(api, run.id)) {
    const { body } = await api.get(`/api/v1/scenario-runs/${id}`);
    const patient = body.transcript.filter(({ role }: { role: string }) => role === 'patient');
    expect(patient.map(({ content }: { content: string }) => content === said)).toEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
  }
});

test('conversations from elsewhere', async () => {
  const transcript = [
    { role: 'patient', content: 'My chest hurts.' },
    { role: 'agent', content: GOOD_REPLY },
  ];
  const items = Array.from({ length: 60 }, () => ({ rubric_criteria: [CALLS_AMBULANCE], transcript }));
  const run = await killedInTheMiddle('/api/v1/transcripts', { agent_name: 'Line', items });
  expect(run).toMatchObject({ status: 'completed', passed_count: 60 });
  await expectOneVerdictEach(run.id, 60);
});
