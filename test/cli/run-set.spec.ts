import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios, GOOD_REPLY } from '../setup/examination';
import { osce, OsceCommand } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let fakes: FakeAgent[];
let folder: string;
const started: OsceCommand[] = [];

beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-cli-sets-'));
  const [good, bad, slow] = [
    await startFakeOpenAi({ reply: () => GOOD_REPLY }),
    await startFakeOpenAi({ reply: () => 'Wait until tomorrow.' }),
    await startFakeOpenAi({ delayMs: 600_000 }),
  ];
  fakes = [good, bad, slow];
  for (const [name, agent] of Object.entries({ Good: good, Bad: bad, Slow: slow })) {
    const id = await createAgent(api, agent.baseUrl, { turn_timeout_ms: 600_000 });
    await api.patch(`/api/v1/agents/${id}`, { name });
  }
  const { body } = await api.get('/api/v1/scenarios?limit=100');
  for (const { scenario_id } of body.scenarios) await api.delete(`/api/v1/scenarios/${scenario_id}`);
  await createScenarios(api, 8);
});
afterEach(async () => {
  for (const command of started.splice(0)) await command.kill();
});
afterAll(async () => {
  await service.close();
  for (const agent of fakes) await agent.close();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) => osce(['run', ...args], { url: service.url });

const runsInAll = async (): Promise<number> => (await api.get('/api/v1/tests?limit=1')).body.total;

describe('osce run with several agents', () => {
  test('1: the gate has to hold for each; progress, results, comparisons and a JUnit file of all', async () => {
    const junit = join(folder, 'junit.xml');
    const { code, stdout, stderr } = await run(
      '--agent',
      'Good',
      '--agent',
      'Bad',
      '--fail-under',
      '90',
      '--junit',
      junit,
    );
    expect(code).toBe(1);
    expect(stderr).toContain(`2 runs have started, each of 8 scenarios: ${service.url}/sets/`);
    expect(stderr).toContain('Good: 8/8 passed');
    expect(stderr).toContain('Bad: 8/8 failed');
    expect(stdout).toContain('Good\nThe bar of 90 % is reached.\nPass rate 100 %');
    expect(stdout).toContain('Bad\nThe pass rate is below the bar of 90 %.\nPass rate 0 %');
    expect(stdout).toContain(
      'The two runs differ by more than chance explains.\n  Good passes 100 points more often than Bad (',
    );
    expect(stdout).toContain('Did not hold the gate: Bad.');
    expect((await readdir(folder)).sort()).toEqual(['junit-1.xml', 'junit-2.xml']);
  });

  test('0, and all of it as JSON: several versions of one agent', async () => {
    const { code, stdout } = await run(
      '--agent',
      'Bad',
      '--agent-version',
      '1',
      '--agent-version',
      '2',
      '--watch',
      '--json',
    );
    expect({ code, answer: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      answer: {
        run_set_id: expect.any(String),
        exit_code: 0,
        runs: [
          { title: 'Bad 1', outcome: 'passed', exit_code: 0, run: { agent_version: '1', pass_rate: 0 } },
          { title: 'Bad 2', run: { agent_version: '2' } },
        ],
        comparisons: { pairs: [{ verdict: 'no_evidence' }] },
      },
    });
  });

  test('130: Ctrl-C cancels all of them', async () => {
    const command = OsceCommand.start(['run', '--agent', 'Slow', '--agent', 'Good', '--watch'], { url: service.url });
    started.push(command);
    await command.writes('Good: 8/8 passed');
    command.child.kill('SIGINT');
    const { code, stderr } = await command.ends();
    expect(code).toBe(130);
    expect(stderr).toContain('The runs were canceled (8 scenarios were not finished).');
    const { body } = await api.get('/api/v1/tests?limit=2');
    expect(body.runs.map(({ status }: { status: string }) => status).sort()).toEqual(['canceled', 'completed']);
  });

  test('on a terminal each run has a bar of its own, and the bars go when all have ended', async () => {
    const args = ['run', '--agent', 'Slow', '--agent', 'Bad', '--agent', 'Good', '--watch'];
    const command = OsceCommand.onTerminal(args, 100, { url: service.url });
    started.push(command);
    await Promise.all(['0/8', 'Slow', 'Bad', 'Good'].map((text) => command.writes(text)));
    await command.writes('8/8');
    const { body } = await api.get('/api/v1/tests?limit=1');
    await api.post(`/api/v1/run-sets/${body.runs[0].run_set_id}/cancel`, {});
    const { stdout } = await command.ends();
    expect(stdout).toMatch(/8\/8 {2}\S+0\S+ passed, \S+8 failed\S+ {2}Bad/);
    expect(stdout).toContain('Nothing can be said about: Slow.');
  });

  test('nothing waits without --watch: the labels are the answer', async () => {
    const { code, stdout, stderr } = await run('--agent', 'Good', '--agent', 'Bad', '--agent-version', 'next');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^run_\w+\nrun_\w+\n$/);
    expect(stderr).toContain('/sets/');
    const [label = ''] = stdout.split('\n');
    expect((await api.get(`/api/v1/tests/${label}`)).body).toMatchObject({ agent_name: 'Good', agent_version: 'next' });
  });

  test.each<[string, string[], string]>([
    ['the same agent twice', ['Good', 'Good'], 'agents[1]: is the same as agents[0]'],
    ['an unknown agent', ['Good', 'Nobody'], 'No agent has the id or name "Nobody"'],
    ['nine agents', Array.from({ length: 9 }, () => 'Good'), 'must name 2 to 8 agents, and names 9'],
  ])('2, and nothing is started: %s', async (_what, names, sentence) => {
    const before = await runsInAll();
    const { code, stderr } = await run(...names.flatMap((name) => ['--agent', name]));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(sentence) });
    expect(await runsInAll()).toBe(before);
  });

  test('of a set that was started before: shown, followed, canceled, by its id or any of its runs', async () => {
    const sets = (...args: string[]) => osce(['sets', ...args], { url: service.url });
    const { stdout } = await run('--agent', 'Slow', '--agent', 'Bad', '--name', 'Later', '--json');
    const { id, runs } = JSON.parse(stdout);
    expect(await sets('cancel', runs[1].test_run_id)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Canceled; \d+ sc/),
    });
    expect(await sets('cancel', id)).toMatchObject({ code: 0, stdout: 'All had ended already.\n' });
    const shown = await sets('show', id);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Later\n[^]*Slow[^]*canceled[^]*Bad/) });
    expect(shown.stdout).toContain('Whether the two runs differ cannot be told.\n  Cannot tell Slow and Bad apart: ');
    expect(await sets('watch', id)).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('Nothing can be said about: Slow'),
    });

    const alone = (await run('--agent', 'Good')).stdout.trim();
    expect(await sets('show', alone)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('was started alone: it is in no set.'),
    });
  });

  test('2: versions that are not one for each agent', async () => {
    const versions = ['1', '2', '3'].flatMap((version) => ['--agent-version', version]);
    expect(await run('--agent', 'Good', '--agent', 'Bad', ...versions)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--agent-version was given 3 times for 2 agents'),
    });
  });
});
