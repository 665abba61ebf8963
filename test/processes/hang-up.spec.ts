import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeAnthropic } from '../fakes/anthropic-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { END_TOOL, startHangingUpOpenAi } from '../fakes/openai-hanging-up';
import { ApiClient, type Answer } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { startServiceProcess, type ServiceProcess } from '../setup/service-process';

async function startRun(api: ApiClient, agent: FakeAgent, config: object = { end_tools: [END_TOOL] }): Promise<string> {
  const agent_id = await createAgent(api, agent.baseUrl, config);
  const scenario_ids = await createScenarios(api, 1);
  return String((await api.post('/start-run', { agent_id, scenario_ids, max_turns: 6 })).body.id);
}

async function onlyOne(api: ApiClient, runId: string): Promise<Answer['body']> {
  const [listed] = await scenarioRunsOf(api, runId);
  return (await api.get(`/api/v1/scenario-runs/${listed?.id}`)).body;
}

describe('an agent that hangs up', () => {
  let service: TestService;
  let api: ApiClient;
  const agents: FakeAgent[] = [];
  beforeAll(async () => {
    service = await startTestService();
    api = new ApiClient(service.url);
  });
  afterEach(() => Promise.all(agents.splice(0).map((agent) => agent.close())));
  afterAll(() => service.close());

  const examine = async (turn: number, words: string | null, config?: object) => {
    const agent = await startHangingUpOpenAi(turn, words);
    agents.push(agent);
    const id = await startRun(api, agent, config);
    const run = await untilFinal(api, id);
    return { agent, run, result: await onlyOne(api, id) };
  };
  /** Of a run that has ended, as a subscriber that comes late gets them. */
  const eventsOf = async (runId: string): Promise<Record<string, unknown>[]> => {
    const text = await (await fetch(`${service.url}/events?run_id=${runId}`)).text();
    return text
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)));
  };

  test('with a reply is graded on the turns so far, and everything says so', async () => {
    const { agent, run, result } = await examine(3, 'Goodbye.');
    expect(run).toMatchObject({ status: 'completed', passed_count: 1, error_count: 0, pass_rate: 100 });
    expect(result).toMatchObject({ status: 'passed', turns: 3, error_code: null, metadata: { ended_by: 'agent' } });
    expect(result.metadata).not.toHaveProperty('unanswered_message');
    expect(result.transcript.at(-1)).toMatchObject({ turn: 3, role: 'agent', content: 'Goodbye.' });
    expect(agent.requests).toHaveLength(3);

    const told = await eventsOf(run.id);
    expect(told.filter(({ type }) => type === 'transcript_update')).toHaveLength(3);
    expect(told.find(({ type }) => type === 'grading_started')).toMatchObject({ ended_by: 'agent' });

    const csv = await (await fetch(`${service.url}/api/v1/tests/${run.id}/export-csv`)).text();
    const [head, row] = csv.split('\r\n').map((line) => line.split(','));
    expect(row?.[head?.indexOf('ended_by') ?? -1]).toBe('agent');
    const { body: exported } = await api.get(`/api/v1/tests/${run.id}/export?format=json`);
    expect(exported.scenario_runs[0].metadata).toMatchObject({ ended_by: 'agent' });

    const { body: inspected } = await api.get(`/api/v1/inspect/actors/${result.id}`);
    expect(inspected.transitions.map(({ to }: { to: string }) => to).slice(-4)).toEqual([
      'active.conversing.recordingTurn',
      'active.grading.judging',
      'active.grading.recordingVerdict',
      'passed',
    ]);
  });

  test('in place of a reply is graded on the turns before, and what it hung up on is kept', async () => {
    const { run, result } = await examine(3, null);
    expect(run).toMatchObject({ status: 'completed', passed_count: 1, error_count: 0 });
    const { ended_by, unanswered_message } = result.metadata;
    expect({ turns: result.turns, ended_by }).toEqual({ turns: 2, ended_by: 'agent' });
    expect(unanswered_message).toEqual(expect.stringMatching(/\w/));
    expect(JSON.stringify(result.transcript)).not.toContain(JSON.stringify(unanswered_message));
    const told = await eventsOf(run.id);
    expect(told.find(({ type }) => type === 'grading_started')).toMatchObject({ ended_by, unanswered_message });
    const { body: inspected } = await api.get(`/api/v1/inspect/actors/${result.id}`);
    expect(inspected.transitions.map(({ to }: { to: string }) => to).slice(-4)).toEqual([
      'active.grading.recordingStart',
      'active.grading.judging',
      'active.grading.recordingVerdict',
      'passed',
    ]);
  });

  test('before its first reply is an error that says so', async () => {
    const { run, result } = await examine(1, null);
    expect(run).toMatchObject({ passed_count: 0, failed_count: 0, error_count: 1 });
    expect(result).toMatchObject({
      status: 'error',
      turns: 0,
      error_code: 'provider_error',
      error_message: expect.stringMatching(/ended the conversation before its first reply/),
    });
    expect(result.metadata).not.toHaveProperty('ended_by');
  });

  test('by a tool that its config does not name has hung up on nobody: a reply without words is an error', async () => {
    const { result } = await examine(3, null, {});
    expect(result).toMatchObject({ status: 'error', turns: 2, error_code: 'empty_reply' });
    expect(result.metadata).not.toHaveProperty('ended_by');
  });

  test('with its last reply has had all its turns', async () => {
    const { result } = await examine(6, 'Goodbye.');
    expect(result).toMatchObject({ status: 'passed', turns: 6 });
    expect(result.metadata).not.toHaveProperty('ended_by');
  });
});

describe('kill -9 between the hang-up and the marks', () => {
  test.each([
    ['with a reply', 'Goodbye.', 3],
    ['in place of a reply', null, 2],
  ])('%s: the next start goes on with the grading, not with the conversation', async (_how, words, turns) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'agent-osce-hang-up-'));
    const agent = await startHangingUpOpenAi(3, words);
    // A judge that never comes to an end.
    const judge = await startFakeAnthropic({
      answer: ({ purpose }) => (purpose === 'judge' ? { kind: 'hang' } : undefined),
    });
    const offline = { DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
    let service: ServiceProcess = await startServiceProcess({
      ...offline,
      ANTHROPIC_API_KEY: 'sk-ant-test',
      ANTHROPIC_BASE_URL: judge.url,
    });
    try {
      const id = await startRun(new ApiClient(service.url), agent);
      await eventually(() => expect(judge.inFlight).toBe(1), 30_000);
      expect(await onlyOne(new ApiClient(service.url), id)).toMatchObject({
        status: 'grading',
        turns,
        metadata: { ended_by: 'agent' },
      });
      await service.end('SIGKILL');
      const sent = agent.requests.length;

      service = await startServiceProcess(offline);
      const api = new ApiClient(service.url);
      expect(await untilFinal(api, id, 60_000)).toMatchObject({ status: 'completed', passed_count: 1 });
      const result = await onlyOne(api, id);
      expect(result).toMatchObject({ status: 'passed', attempt: 2, turns, metadata: { ended_by: 'agent' } });
      expect('unanswered_message' in result.metadata).toBe(words === null);
      expect(agent.requests).toHaveLength(sent);
    } finally {
      await service.end('SIGKILL');
      await Promise.all([agent.close(), judge.close()]);
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    }
  });
});
