import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FakeAgent } from '../fakes/fake-agent';
import { status } from '../fakes/misbehaviour';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { osce, OsceCommand } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let good: FakeAgent;
let bad: FakeAgent;
let slow: FakeAgent;
let folder: string;
const started: OsceCommand[] = [];

beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-cli-test-'));
  good = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  bad = await startFakeOpenAi({ reply: () => 'Wait until tomorrow.' });
  slow = await startFakeOpenAi({ reply: () => GOOD_REPLY, delayMs: 60_000 });
  for (const [name, agent] of Object.entries({ good, bad, slow })) {
    const id = await createAgent(api, agent.baseUrl);
    await api.patch(`/api/v1/agents/${id}`, { name });
  }
  await createScenarios(api, 3);
});
afterEach(async () => {
  for (const command of started.splice(0)) await command.kill();
});
afterAll(async () => {
  await service.close();
  for (const agent of [good, bad, slow]) await agent.close();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) => osce(['run', ...args], { url: service.url });

function start(...args: string[]): OsceCommand {
  const command = OsceCommand.start(['run', ...args], { url: service.url });
  started.push(command);
  return command;
}

/** The newest run of the service. */
const newest = async () => (await api.get('/api/v1/tests?limit=1')).body.runs[0];

describe('osce run', () => {
  test('starts a run and answers its label; nothing waits', async () => {
    const { code, stdout, stderr } = await run('--agent', 'good', '--max-scenarios', '1', '--name', 'From the shell');
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${(await newest()).test_run_id}\n` });
    expect(stderr).toContain('osce runs watch run_');
    expect(await untilFinal(api, stdout.trim())).toMatchObject({ name: 'From the shell', total_scenarios: 1 });
  });

  test('0: the bar is reached; a line for each scenario that ends, and JUnit for the CI server', async () => {
    const junit = join(folder, 'reports', 'deep', 'junit.xml');
    const { code, stdout, stderr } = await run(
      '--agent',
      'GOOD',
      '--tag',
      'test',
      '--fail-under',
      '100',
      '--junit',
      junit,
    );
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('3/3 passed  Scenario 00') });
    expect(stdout).toMatch(/passed +│ Scenario 002 +│ +100 % │ +6 │/);
    expect(stdout).toContain(', coverage 100 %): 3 passed, 0 failed of 3 in ');
    expect(stdout).toContain('The bar of 100 % is reached.');
    // No terminal: no escape sequences, wherever CI=true would have some tools write them.
    expect(stdout + stderr).not.toContain('\u001b');
    expect(await readFile(junit, 'utf8')).toContain('<testsuites name="Agent OSCE" tests="3" failures="0"');
    expect(await readdir(join(folder, 'reports', 'deep'))).toEqual(['junit.xml']);
  });

  test('0: without a bar a complete run is enough, whatever its pass rate', async () => {
    expect(await run('--agent', 'bad', '--watch')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Pass rate 0 %'),
    });
  });

  test('1: below the bar, said with the criterion that was missed', async () => {
    const { code, stdout } = await run('--agent', 'bad', '--fail-under', '85');
    expect(code).toBe(1);
    expect(stdout).toContain('Tells the patient to call an ambulance');
    expect(stdout).toContain('Missed: 3 of 3 criteria, 0 of them must-pass.');
    expect(stdout).toContain('The pass rate is below the bar of 85 %.');
  });

  test('--json: one document on standard output, with every scenario run and the exit code', async () => {
    const { code, stdout, stderr } = await run('--agent', 'bad', '--fail-under', '85', '--json');
    const answer: unknown = JSON.parse(stdout);
    expect(answer).toMatchObject({
      outcome: 'below_bar',
      exit_code: code,
      fail_under: 85,
      run: { status: 'completed', failed_count: 3, pass_rate: 0 },
      scenario_runs: [{ status: 'failed' }, { status: 'failed' }, { status: 'failed' }],
    });
    expect(stderr).toContain('3/3 failed');
  });

  test('2: the run failed, because every conversation ended in error', async () => {
    bad.next(...Array.from({ length: 3 }, () => status(401)));
    const { code, stdout } = await run('--agent', 'bad', '--fail-under', '1');
    expect({ code, stdout }).toMatchObject({ code: 2, stdout: expect.stringContaining('The run failed: ') });
  });

  test('2: undecided, when only what ended in error keeps the run below the bar', async () => {
    good.next(status(401));
    const { code, stdout } = await run('--agent', 'good', '--fail-under', '90', '--concurrency', '1');
    expect(stdout).toContain(', coverage 66.7 %), 66.67 % of all: 2 passed, 0 failed, 1 ended in error of 3');
    expect({ code, stdout }).toMatchObject({ code: 2, stdout: expect.stringContaining('Undecided: 1 ended in error') });
  });

  test('2: somebody else canceled the run', async () => {
    const command = start('--agent', 'slow', '--watch');
    await eventually(() => expect(slow.requests.length).toBeGreaterThan(0));
    await api.post('/cancel-run', { test_run_id: (await newest()).id });
    expect(await command.ends()).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('canceled: it says nothing'),
    });
  });

  test('2: it took longer than it may; the run is canceled', async () => {
    const { code, stderr } = await run('--agent', 'slow', '--timeout', '0.02');
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did not end within 0.02 minutes'),
    });
    expect((await newest()).status).toBe('canceled');
  });

  test.each([
    [['--agent', 'nobody'], 'No agent has the id or name "nobody"'],
    [['--tag', 'test'], '--agent is required'],
    [['--agent', 'good', '--tag', 'no-such-tag'], 'No active scenarios available'],
    [['--agent', 'good', '--suite', 'none'], 'No suite has the id or name "none"'],
    [['--agent', 'good', '--tag', 'test', '--suite', 'x'], 'cannot be used with'],
    [['--agent', 'good', '--fail-under', '101'], 'It must be a number from 0 to 100.'],
    [['--agent', 'good', '--turns', 'many'], 'It must be a whole number of at least 1.'],
    [['--agnet', 'good'], 'Did you mean --agent?'],
    [['--agent', 'good', '--junit', '/dev/null/file.xml'], 'cannot be written'],
    // The kernel's own file system refuses new folders, and Node 20 would go on trying to make one with its parents.
    [['--agent', 'good', '--junit', '/proc/none/here/file.xml'], '/proc/none/here/file.xml cannot be written'],
  ])('2: %j', async (args, sentence) => {
    const before = (await api.get('/api/v1/tests')).body.total;
    expect(await run(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
    expect((await api.get('/api/v1/tests')).body.total).toBe(before);
  });

  test('two agents of one name: both are listed, and an id decides', async () => {
    const ids = [await createAgent(api, good.baseUrl), await createAgent(api, good.baseUrl)];
    const { code, stderr } = await run('--agent', 'Agent under test');
    expect(code).toBe(2);
    for (const id of ids) expect(stderr).toContain(id);
    expect(await run('--agent', ids[0] ?? '', '--max-scenarios', '1', '--watch')).toMatchObject({ code: 0 });
    for (const id of ids) await api.delete(`/api/v1/agents/${id}`);
  });

  test('--scenario and --suite choose by name', async () => {
    const one = await run('--agent', 'good', '--scenario', 'Scenario 002', '--watch', '--json');
    expect(JSON.parse(one.stdout).scenario_runs).toMatchObject([{ scenario_name: 'Scenario 002' }]);
    expect(
      (
        await osce(['suites', 'create', 'Pair', '--scenario', 'scenario 003', '--scenario', 'Scenario 001'], {
          url: service.url,
        })
      ).code,
    ).toBe(0);
    const pair = await run('--agent', 'good', '--suite', 'pair', '--watch', '--json');
    expect(JSON.parse(pair.stdout).scenario_runs).toMatchObject([
      { scenario_name: 'Scenario 003' },
      { scenario_name: 'Scenario 001' },
    ]);
  });
});

describe('who examines', () => {
  test('the usual patient needs no model', async () => {
    const { code, stderr } = await run('--agent', 'good', '--max-scenarios', '2', '--patient', 'cooperative');
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('has started: 2 scenarios.') });
    expect(await newest()).toMatchObject({ total_scenarios: 2 });
  });

  test.each([
    ['a patient that the offline tester cannot play', ['--patient', 'anxious/de'], '"anxious patient, de"'],
    ['one of several', ['--patient', 'cooperative', '--patient', 'evasive'], '"evasive patient"'],
    ['the same patient twice', ['--patient', 'cooperative', '--patient', 'cooperative/EN'], 'name each patient once'],
    ['a model that is not allowed', ['--tester-model', 'openai/none'], 'tester_model'],
    ['a judge that is not allowed', ['--judge-model', 'openai/none'], 'judge_model'],
  ])('2: the service refuses %s', async (_what, options, sentence) => {
    const before = (await newest()).id;
    expect(await run('--agent', 'good', ...options)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(sentence),
    });
    expect((await newest()).id).toBe(before);
  });

  test('where the agent’s patients are, if not in the United States', async () => {
    await run('--agent', 'good', '--max-scenarios', '1');
    expect(await newest()).toMatchObject({ region: 'US' });
    expect(await run('--agent', 'good', '--max-scenarios', '1', '--region', 'UK')).toMatchObject({ code: 0 });
    expect(await newest()).toMatchObject({ region: 'UK' });
    expect(await run('--agent', 'good', '--region', 'uk')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Allowed choices are US, UK, EU, AU'),
    });
  });

  test.each(['rude', 'anxious/', 'anxious/de/at', ''])('2: "%s" is no patient', async (patient) => {
    const { code, stderr } = await run('--agent', 'good', '--patient', patient);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('low_literacy, anxious, evasive'),
    });
  });
});

describe('interrupting osce run', () => {
  /** A run under way: the agent has been asked and does not answer. */
  async function underWay(): Promise<OsceCommand> {
    const before = slow.requests.length;
    const command = start('--agent', 'slow', '--watch');
    await eventually(() => expect(slow.requests.length).toBeGreaterThan(before));
    return command;
  }

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s cancels the run on the service and says so; exit code %d', async (signal, code) => {
    const command = await underWay();
    command.child.kill(signal);
    const ended = await command.ends();
    expect(ended).toMatchObject({
      code,
      stderr: expect.stringContaining('The run was canceled (3 scenarios were not finished).'),
    });
    expect(await newest()).toMatchObject({ status: 'canceled', canceled_count: 3 });
  });

  test('before the run has started there is nothing to cancel', async () => {
    const command = OsceCommand.start(['run', '--agent', 'slow', '--watch'], { url: slow.origin });
    started.push(command);
    slow.next(() => undefined);
    const asked = slow.requests.length;
    await eventually(() => expect(slow.requests.length).toBeGreaterThan(asked));
    command.child.kill('SIGINT');
    expect(await command.ends()).toEqual({ code: 130, stdout: '', stderr: 'osce: Interrupted.\n' });
  });
});
