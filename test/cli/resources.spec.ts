import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FakeAgent } from '../fakes/fake-agent';
import { status } from '../fakes/misbehaviour';
import { END_TOOL, startHangingUpOpenAi } from '../fakes/openai-hanging-up';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { osce } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let agent: FakeAgent;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-cli-test-'));
  let calls = 0;
  // Two conversations of six turns go well, the later ones do not.
  agent = await startFakeOpenAi({ reply: () => ((calls += 1) <= 12 ? GOOD_REPLY : 'Wait.') });
  await createScenarios(api, 2);
});
afterAll(async () => {
  await service.close();
  await agent.close();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) => osce(args, { url: service.url });
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

describe('osce agents', () => {
  const SECRET = 'sk-very-secret-credential';

  test('create, show, update, list and delete; credentials come from the environment and are never shown', async () => {
    const created = await osce(
      [
        ...['agents', 'create', '--name', 'Mine', '--provider', 'openai', '--config', `base_url=${agent.baseUrl}`],
        ...['--config', 'temperature=0.5', '--config', 'model=m-1', '--config-env', 'api_key=MY_KEY'],
      ],
      { url: service.url, environment: { MY_KEY: SECRET } },
    );
    expect(created).toMatchObject({ code: 0, stderr: '' });
    const [stored] = (await api.get('/api/v1/agents')).body;
    expect(stored.config).toEqual({ base_url: agent.baseUrl, temperature: 0.5, model: 'm-1', api_key: SECRET });
    const said = [created.stdout];
    for (const args of [['list'], ['show', 'mine'], ['show', 'Mine', '--json'], ['list', '--json']]) {
      said.push((await run('agents', ...args)).stdout);
    }
    expect(said.join('')).not.toContain(SECRET);
    expect(said.join('')).toContain('sk-v••••••••');
    expect((await run('agents', 'show', 'Mine', '--show-secrets')).stdout).toContain(SECRET);
    expect(await json('agents', 'update', 'Mine', '--config', 'temperature=null', '--inactive')).toMatchObject({
      is_active: false,
    });
    expect((await api.get(`/api/v1/agents/${stored.id}`)).body.config).toEqual({
      base_url: agent.baseUrl,
      model: 'm-1',
      api_key: SECRET,
    });
    expect(await run('agents', 'update', 'Mine', '--config', 'base_url=http://127.0.0.1:9/v1')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/config\.base_url.*config\.api_key again/),
    });
    expect(await json('agents', 'delete', 'Mine')).toEqual({ deleted: stored.id });
    expect(await run('agents', 'show', 'Mine')).toMatchObject({ code: 2 });
  });

  test.each([
    [['create', '--name', 'x', '--provider', 'abacus'], 'Unsupported provider: abacus'],
    [['create', '--name', 'x', '--provider', 'openai', '--config', 'model'], '--config takes key=value'],
    [['create', '--name', 'x', '--provider', 'openai', '--config-env', 'api_key=NOT_SET'], 'NOT_SET is not set'],
    [['update', 'x'], 'Nothing to change'],
  ])('says what is wrong with %j', async (args, sentence) => {
    expect(await run('agents', ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  });
});

describe('osce agents try', () => {
  let tried: FakeAgent;

  beforeAll(async () => {
    // What a terminal would obey, two lines, and a mark that turns the direction of writing.
    tried = await startFakeOpenAi({ reply: (messages) => `I hear:\n\u001b[2J\u202e${messages.at(-1)?.content}` });
    await api.patch(`/api/v1/agents/${await createAgent(api, tried.baseUrl)}`, { name: 'Tried' });
  });
  afterAll(async () => {
    await tried.close();
    expect(await run('agents', 'delete', 'Tried')).toMatchObject({ code: 0 });
  });

  test('0: sends the one message and shows the reply, harmlessly; nothing is kept', async () => {
    const before = tried.requests.length;
    const { code, stdout, stderr } = await run('agents', 'try', 'tried', '--message', 'My knee hurts.');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^agent\n {2}I hear:\n {2}My knee hurts\.\nReply after {2}\d+ ms\n$/);
    expect(tried.requests.length).toBe(before + 1);
    expect(await json('agents', 'try', 'Tried', '-m', 'Hello?')).toMatchObject({
      ok: true,
      reply: 'I hear:\n\u001b[2J\u202eHello?',
      latency_ms: expect.any(Number),
    });
  });

  test('without a message the service greets', async () => {
    expect((await run('agents', 'try', 'Tried')).stdout).toContain('Can you help me?');
  });

  test('2: the error code and the sentence of an agent that fails', async () => {
    tried.next(status(401), status(401));
    const { code, stdout } = await run('agents', 'try', 'Tried');
    expect({ code, stdout }).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^auth_failed {2}The agent's server refused/),
    });
    const answered = await run('agents', 'try', 'Tried', '--json');
    expect(answered.code).toBe(2);
    expect(JSON.parse(answered.stdout)).toMatchObject({ ok: false, error_code: 'auth_failed' });
  });

  test.each([
    [['nobody'], 'No agent has the id or name "nobody"'],
    [['Tried', '--message', ''], 'message'],
  ])('2: %j', async (args, sentence) => {
    expect(await run('agents', 'try', ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  });
});

describe('osce scenarios and suites', () => {
  test('create, update, approve, show, list and delete', async () => {
    const file = join(folder, 'scenario.json');
    const content = { script: 'You feel hot.', demographics: { age: 7 }, chief_complaint: 'I have a fever.' };
    await writeFile(
      file,
      JSON.stringify({ name: 'Fever', content, rubric_criteria: [{ criterion: 'Asks since when', points: 3 }] }),
    );
    const { scenario_id: id } = await json('scenarios', 'create', '-f', file);
    expect(await json('scenarios', 'update', 'fever', '--severity', 'high', '--tag', 'hot')).toMatchObject({
      tags: ['hot'],
    });
    expect((await run('scenarios', 'list', '--unapproved')).stdout).toMatch(/Fever.*draft/);
    const both = ['scenarios', 'approve', 'Fever', 'Scenario 001'];
    for (const [missing, given] of [
      ['--by', ['--role', 'paediatrician']],
      ['--role', ['--by', 'Dr A. Ward']],
      ['--by', ['--by', ' ', '--role', 'paediatrician']],
    ] as const) {
      const refused = await run(...both, ...given);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(missing) });
    }
    expect((await run('scenarios', 'list', '--unapproved')).stdout).toContain('Fever');
    expect((await run(...both, '--by', 'Dr A. Ward', '--role', 'paediatrician')).stdout).toBe(
      'Approved by Dr A. Ward (paediatrician): Fever\nApproved by Dr A. Ward (paediatrician): Scenario 001\n',
    );
    expect((await run('scenarios', 'list', '--unapproved')).stdout).toBe('No matching scenarios.\n');
    const unsigned = (await run('scenarios', 'list', '--unsigned')).stdout;
    expect(unsigned).toMatch(/Scenario 002.*approved, not signed/);
    expect(unsigned).not.toContain('Fever');
    const signed = /approved by Dr A\. Ward \(paediatrician\), \d{4}-\d\d-\d\d/;
    expect((await run('scenarios', 'list', '--tag', 'hot')).stdout).toContain('approved by Dr A. Ward (paediatrician)');
    expect((await run('scenarios', 'show', id)).stdout).toMatch(new RegExp(`Approval +${signed.source}\\n`));
    expect((await run('scenarios', 'show', id)).stdout).toMatch(/Complaint +I have a fever\.[^]+ 3 {2}Asks since when/);
    expect((await run('scenarios', 'delete', 'Fever')).stdout).toBe('Deleted: Fever\n');
    expect((await api.get(`/api/v1/scenarios/${id}`)).body.is_active).toBe(false);
  });

  test('generate makes scenarios from a text; they are not approved', async () => {
    const text = 'Chest pain: The agent must tell the patient to call emergency services. Never recommend waiting.';
    const { stdout, code } = await osce(['scenarios', 'generate', '--text-file', '-', '--tag', 'made'], {
      url: service.url,
      input: text,
    });
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('They are drafts, not approved yet'),
    });
    const { scenarios } = await json('scenarios', 'list', '--tag', 'made');
    expect(scenarios).toMatchObject([{ approved: false, tags: ['made'] }]);
    await run('scenarios', 'delete', scenarios[0].scenario_id);
  });

  test('a suite of tags and names, changed and deleted', async () => {
    expect((await json('suites', 'create', 'Gate', '--tag', 'test')).scenario_ids).toHaveLength(2);
    const changed = await json('suites', 'update', 'gate', '--remove', 'Scenario 001', '--name', 'Gate 2');
    expect(changed).toMatchObject({ name: 'Gate 2', scenario_ids: [expect.any(String)] });
    expect((await run('suites', 'show', 'Gate 2')).stdout).toContain('Scenario 002');
    expect((await run('suites', 'list')).stdout).toMatch(/Gate 2 +│ +1 │/);
    expect((await run('suites', 'delete', 'Gate 2')).code).toBe(0);
    expect(await run('suites', 'create', 'Empty')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('would be empty'),
    });
  });
});

describe('looking at runs', () => {
  const runs: string[] = [];

  beforeAll(async () => {
    const agent_id = await createAgent(api, agent.baseUrl);
    for (let count = 0; count < 2; count += 1) {
      const { body } = await api.post('/start-run', { agent_id, tags: ['test'] });
      runs.push((await untilFinal(api, body.id)).test_run_id);
    }
  });

  test('transcript: that the agent hung up, and on what', async () => {
    const rude = await startHangingUpOpenAi(3, null);
    const agent_id = await createAgent(api, rude.baseUrl, { end_tools: [END_TOOL] });
    const { body } = await api.post('/start-run', { agent_id, tags: ['test'] });
    await untilFinal(api, body.id);
    const { stdout } = await run('runs', 'transcript', body.id, 'scenario 001');
    expect(stdout).toMatch(
      / 2 agent .*\n +18 tokens\n {3}patient {2}\S.*\nThe agent ended the conversation after turn 2\.\n/,
    );
    await api.delete(`/api/v1/tests/${body.id}`);
    await rude.close();
  });

  test('list, show, transcript and export', async () => {
    const [before = ''] = runs;
    expect((await run('runs', 'list', '--limit', '1')).stdout).toContain('1 more: --limit 2 shows all.');
    expect((await run('runs', 'show', before)).stdout).toContain(', coverage 100 %): 2 passed, 0 failed of 2');
    const { stdout } = await run('runs', 'transcript', before, 'scenario 001');
    expect(stdout).toContain(` 1 patient  My chest hurts.\n 1 agent    ${GOOD_REPLY}`);
    expect(stdout).toMatch(
      /MET +5 of 5 {2}Tells the patient to call an ambulance\n +turn 1: "Please call an ambulance now\."/,
    );
    const file = join(folder, 'results', 'run.csv');
    expect(await run('export', before, '--format', 'csv', '-o', file)).toMatchObject({ code: 0, stdout: '' });
    expect((await readFile(file, 'utf8')).trim().split('\r\n')).toHaveLength(3);
    expect(await readdir(join(folder, 'results'))).toEqual(['run.csv']);
    expect(await run('export', before, '--format', 'pdf')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('csv, json, junit'),
    });
    expect(await run('runs', 'show', 'run_none')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Test run not found'),
    });
    expect(await run('runs', 'cancel', before)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('already ended as completed'),
    });
  });

  test('update changes what is given, shows it, and says when nothing is', async () => {
    const [id = ''] = runs;
    const named = await run(
      'runs',
      'update',
      id,
      '--name',
      'Release 4.2',
      '--note',
      'For the board.',
      '--add-tag',
      'gate',
      '--add-tag',
      'draft',
    );
    expect(named).toMatchObject({ code: 0, stderr: '' });
    expect(named.stdout).toMatch(/Name +Release 4\.2\nNote +For the board\.\nTags +gate, draft/);
    expect(await json('runs', 'update', id, '--remove-tag', 'draft', '--add-tag', 'gate')).toMatchObject({
      name: 'Release 4.2',
      tags: ['gate'],
    });
    expect((await run('runs', 'list')).stdout).toMatch(/Release 4\.2.* gate /);
    const found = async (...options: string[]) =>
      (await json('runs', 'list', ...options)).runs.map((one: { test_run_id: string }) => one.test_run_id);
    expect(await found('--tag', 'gate')).toEqual([id]);
    expect(await found('--search', 'the BOARD')).toEqual([id]);
    const { agent_id } = (await json('runs', 'show', id)).run;
    expect(await found('--agent', agent_id, '--tag', 'gate', '--status', 'completed')).toEqual([id]);
    expect((await run('runs', 'list', '--tag', 'none')).stdout).toBe('No matching runs.\n');
    expect(await json('runs', 'update', id, '--name', '')).toMatchObject({ name: null, tags: ['gate'] });
    expect(await run('runs', 'update', id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Nothing to change: give --name'),
    });
    expect(await run('runs', 'update', id, '--name', 'x'.repeat(501))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/name/),
    });
    expect(await json('runs', 'update', id, '--note', ' ', '--remove-tag', 'gate')).toMatchObject({
      note: null,
      tags: [],
    });
  });
});

describe('help', () => {
  test('every command says what it does, with an example', async () => {
    const commandsIn = (help: string) =>
      [...(help.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z]+)/gm)]
        .map(([, name = '']) => name)
        .filter((name) => name !== 'help');
    const all: string[][] = [[]];
    for (const name of commandsIn((await osce(['--help'])).stdout)) {
      all.push([name]);
      for (const inner of commandsIn((await osce([name, '--help'])).stdout)) all.push([name, inner]);
    }
    expect(all.length).toBeGreaterThan(30);
    for (const command of all) {
      const { code, stdout } = await osce([...command, '--help']);
      expect({ command, code, stdout }).toMatchObject({
        command,
        code: 0,
        stdout: expect.stringMatching(/Examples?:\n {2}\$ /),
      });
      // Credentials in a command line are seen by every user of the machine: no example shows one.
      expect(stdout.split(/Examples?:/)[1]).not.toContain('--key');
    }
  });
});
