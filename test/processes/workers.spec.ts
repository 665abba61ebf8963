import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { spawnService, startServiceProcess, type ServiceProcess } from '../setup/service-process';

/** A worker holds a scenario run for as long after it was killed. */
const LEASE_MS = 15_000;

interface RunEvent {
  readonly seq: number;
  readonly type: string;
  readonly scenario_run_id?: string;
}

let dataDir: string;
let agent: FakeAgent;
let service: ServiceProcess;
let api: ApiClient;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'agent-osce-workers-'));
  agent = await startFakeOpenAi({
    reply: (messages) => `${GOOD_REPLY} Reply ${(messages.length + 1) / 2}.`,
    delayMs: 150,
  });
  await start();
});
afterAll(async () => {
  await service.end('SIGTERM');
  await agent.close();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
});

async function start(): Promise<void> {
  service = await startServiceProcess({ DATA_DIR: dataDir, WORKERS: '2' });
  // Connections that are kept would be lost with a worker that is killed.
  api = new ApiClient(service.url, { connection: 'close' });
  await eventually(() => expect(service.output()).toContain('share the port and the work'));
}

/** Processes of Node that a process has started: PostgreSQL is another one’s program. */
function workersOf(pid: number | undefined): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  return children.filter((child) => existsSync(`/proc/${child}/cmdline`) && /\bmain\.[jt]s\b/.test(commandOf(child)));
}

/** False of a zombie too: it has ended, and whoever adopts it when its parent is gone reads how in its own time. */
function isRunning(pid: number): boolean {
  try {
    // "pid (name) state …"; the name may itself hold spaces and brackets.
    return !/^[ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, ''));
  } catch {
    return false;
  }
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
}

async function startRun(options: object = {}): Promise<string> {
  const agentId = await createAgent(api, agent.baseUrl);
  const scenario_ids = await createScenarios(api, 4);
  const { body } = await api.post('/start-run', {
    agent_id: agentId,
    scenario_ids,
    trials: 3,
    concurrency_limit: 12,
    max_turns: 5,
    ...options,
  });
  return String(body.id);
}

/** Of one connection, until the run ends. */
async function follow(id: string): Promise<RunEvent[]> {
  const text = await (await fetch(`${service.url}/events?run_id=${id}`, { headers: { connection: 'close' } })).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line): RunEvent => JSON.parse(line.slice(6)))
    .slice(1);
}

async function untilTurns(id: string, turns: number): Promise<void> {
  await eventually(async () => {
    const results = await scenarioRunsOf(api, id);
    expect(results.reduce((sum, result) => sum + Number(result.turns), 0)).toBeGreaterThanOrEqual(turns);
  });
}

/** Of requests made at once, how many are neither answered nor cut off. */
async function unansweredOf(requests: number): Promise<number> {
  const asked = Array.from({ length: requests }, async () => {
    const signal = AbortSignal.timeout(30_000);
    const { status } = await fetch(`${service.url}/health`, { headers: { connection: 'close' }, signal });
    expect(status).toBe(200);
  });
  const settled = await Promise.allSettled(asked);
  return settled.filter((one) => one.status === 'rejected' && one.reason.name === 'TimeoutError').length;
}

function expectNothingTwice(events: readonly RunEvent[]): void {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, place) => place + 1));
  const verdicts = events.filter(({ type }) => type === 'scenario_complete');
  expect(verdicts).toHaveLength(12);
  expect(new Set(verdicts.map(({ scenario_run_id: of }) => of)).size).toBe(12);
}

test('share the work of a run; every subscriber hears all of it, whichever worker answers', async () => {
  const id = await startRun();
  const following = Promise.all(Array.from({ length: 4 }, () => follow(id)));
  await untilTurns(id, 4);
  await eventually(async () => {
    const { body: live } = await api.get('/api/v1/inspect/actors');
    expect(live.processes.map(({ answered }: { answered: boolean }) => answered)).toEqual([true, true]);
  });
  for (const events of await following) expectNothingTwice(events);
  expect(await untilFinal(api, id)).toMatchObject({ status: 'completed', passed_count: 12 });
});

test('say once where they listen, and count together what each of them did', async () => {
  const id = await startRun();
  await untilFinal(api, id);
  const lines = service.output().split('\n');
  expect(lines.filter((line) => line.includes('listens on'))).toHaveLength(1);
  const turns = async (): Promise<string> => {
    const text = await (await fetch(`${service.url}/metrics`, { headers: { connection: 'close' } })).text();
    expect(text).toContain('osce_scenario_run_slots 1000');
    expect(text).toContain('osce_ready 1');
    return /^osce_turns_total (\d+)$/m.exec(text)?.[1] ?? '';
  };
  const first = await turns();
  expect(Number(first)).toBeGreaterThanOrEqual(60);
  for (let scrape = 0; scrape < 4; scrape += 1) expect(await turns()).toBe(first);
});

test('cancel a run whose scenarios both of them execute', async () => {
  const id = await startRun({ max_turns: 7 });
  await untilTurns(id, 6);
  await api.post('/cancel-run', { id });
  const sent = agent.requests.length;
  expect(await untilFinal(api, id)).toMatchObject({ status: 'canceled' });
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(agent.requests.length).toBe(sent);
});

test('kill -9 of one of them: the other goes on, a new one takes its place, nothing is lost or doubled', async () => {
  const id = await startRun();
  await untilTurns(id, 8);
  const before = workersOf(service.process.pid);
  expect(before).toHaveLength(2);
  process.kill(before[0] ?? 0, 'SIGKILL');
  expect(await unansweredOf(20)).toBe(0);
  expect(await untilFinal(api, id, LEASE_MS + 60_000)).toMatchObject({
    status: 'completed',
    passed_count: 12,
    error_count: 0,
  });
  expectNothingTwice(await follow(id));
  for (const { id: scenarioRunId } of await scenarioRunsOf(api, id)) {
    const { body } = await api.get(`/api/v1/scenario-runs/${scenarioRunId}`);
    const replies = body.transcript.filter((entry: { role: string }) => entry.role === 'agent');
    expect(replies.map((entry: { content: string }) => entry.content)).toEqual(
      [1, 2, 3, 4, 5].map((turn) => `${GOOD_REPLY} Reply ${turn}.`),
    );
  }
  await eventually(() => {
    const now = workersOf(service.process.pid);
    expect(now).toHaveLength(2);
    expect(now).toContain(before[1]);
    expect(now).not.toContain(before[0]);
  });
  expect(service.output()).toContain('A worker ended and is started again');
});

test('SIGTERM to their primary ends all of them with 0; a start goes on with the run', async () => {
  const id = await startRun();
  await untilTurns(id, 4);
  const workers = workersOf(service.process.pid);
  expect(await service.end('SIGTERM')).toBe(0);
  for (const pid of workers) expect(existsSync(`/proc/${pid}`)).toBe(false);
  await start();
  expect(await untilFinal(api, id, LEASE_MS + 60_000)).toMatchObject({ status: 'completed', passed_count: 12 });
  expectNothingTwice(await follow(id));
});

test('kill -9 of their primary ends them too', async () => {
  const workers = workersOf(service.process.pid);
  expect(workers).toHaveLength(2);
  await service.end('SIGKILL');
  await eventually(() => expect(workers.filter(isRunning)).toEqual([]));
});

// By itself: a busy machine may need as long for a start as for all the rest of a test.
test('are started again after that, on what was left of the database server', async () => {
  await start();
  expect(workersOf(service.process.pid)).toHaveLength(2);
});

test('a port that is taken is told once, and nothing is left running', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? String(address.port) : '';
  const folder = await mkdtemp(join(tmpdir(), 'agent-osce-workers-'));
  const child = spawnService({ DATA_DIR: folder, WORKERS: '3', PORT: port, LOG_LEVEL: 'warn' });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = await once(child, 'exit');
  expect({ code, told: output.split(`Port ${port} on 127.0.0.1 is taken`).length - 1 }).toEqual({ code: 1, told: 1 });
  taken.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
});
