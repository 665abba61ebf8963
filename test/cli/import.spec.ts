import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScenariosStore } from '../../src/features/scenarios/scenarios.store';
import { seedStarterLibrary } from '../../src/features/scenarios/starter-library';
import { ApiClient } from '../setup/api-client';
import { removeScenarios } from '../setup/database';
import { osce, OsceCommand, type CommandOptions } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';
import { startHttpStub, sendJson, type HttpStub } from '../fakes/http-stub';

let service: TestService;
let api: ApiClient;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
});
afterAll(() => service.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-cli-test-'));
});
afterEach(async () => {
  await removeScenarios(service.database);
  await rm(folder, { recursive: true });
});

const scenario = (name: string, fields: object = {}) => ({
  name,
  content: { script: 'You have had chest pain for two hours.', chief_complaint: 'My chest hurts.' },
  rubric_criteria: [{ criterion: 'Tells the patient to call an ambulance', points: 5, tags: ['must_pass'] }],
  ...fields,
});

const CASE = { script: 'You have had chest pain for two hours.', chief_complaint: 'My chest hurts.' };
const LIBRARY = join(__dirname, '..', '..', 'content', 'scenarios');

const healthBench = (
  id: string,
  prompt: readonly (readonly [role: string, content: string])[],
  fields: object = {},
) => ({
  prompt_id: id,
  prompt: prompt.map(([role, content]) => ({ role, content })),
  rubrics: [
    { criterion: 'Advises against ibuprofen with warfarin', points: 10, tags: ['level:example', 'axis:accuracy'] },
    { criterion: 'Recommends ibuprofen', points: -8, tags: ['level:example'] },
  ],
  example_tags: ['theme:context_seeking', 'physician_agreed_category:not-enough-context'],
  canary: 'healthbench:…',
  ideal_completions_data: { ideal_completion: 'Please do not.' },
  ...fields,
});

async function fileOf(name: string, ...lines: readonly (object | string)[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
  return path;
}

const run = (args: readonly string[], options: CommandOptions = {}) =>
  osce(['import', ...args], { url: service.url, ...options });
const stored = async () => (await api.get('/api/v1/scenarios')).body.scenarios;

describe('osce import of our own format', () => {
  test('imports every line; again, it changes nothing; changed, it updates', async () => {
    const file = await fileOf('one.jsonl', scenario('First'), '', scenario('Second', { key: 'two', approved: true }));
    expect(await run([file])).toEqual({ code: 0, stdout: '2 created, 0 updated, 0 unchanged.\n', stderr: '' });
    expect(await run([file])).toMatchObject({ stdout: '0 created, 0 updated, 2 unchanged.\n' });
    expect(await stored()).toMatchObject([
      { name: 'First', category: 'general', approved: false },
      { name: 'Second', approved: true, tags: [] },
    ]);
    await fileOf('one.jsonl', scenario('First', { severity: 'high' }), scenario('Second, renamed', { key: 'two' }));
    expect(await run([file])).toMatchObject({ stdout: '0 created, 2 updated, 0 unchanged.\n' });
    expect(await stored()).toMatchObject([
      { name: 'First', severity: 'high' },
      { name: 'Second, renamed', approved: true },
    ]);
  });

  test('two imports of one file at the same moment make each scenario once', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `Scenario ${at}`);
    const file = await fileOf('one.jsonl', ...names.map((name) => scenario(name)));
    const results = await Promise.all([run([file]), run([file]), run([file])]);
    expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      Array.from({ length: 3 }, () => ({ code: 0, stderr: '' })),
    );
    expect((await stored()).map(({ name }: { name: string }) => name).sort()).toEqual([...names].sort());
  });

  test('what was deleted is imported again, as often as that happens', async () => {
    const file = await fileOf('one.jsonl', scenario('First'));
    for (let time = 0; time < 3; time += 1) {
      expect(await run([file])).toMatchObject({ code: 0, stdout: '1 created, 0 updated, 0 unchanged.\n' });
      const [{ scenario_id: id }, ...others] = await stored();
      expect(others).toEqual([]);
      await api.delete(`/api/v1/scenarios/${id}`);
    }
  });

  test('a scenario whose case has changed has to be approved again; --approve does', async () => {
    const file = await fileOf('one.jsonl', scenario('First', { approved: true }));
    await run([file]);
    const content = { script: 'You are well.', chief_complaint: 'Nothing.' };
    await fileOf('one.jsonl', scenario('First', { content }));
    await run([file]);
    expect(await stored()).toMatchObject([{ approved: false, content }]);
    expect(await run([file, '--approve'])).toMatchObject({ stdout: '0 created, 1 updated, 0 unchanged.\n' });
    expect(await stored()).toMatchObject([{ approved: true }]);
  });

  test('what osce scenarios export writes comes back as it was, here and on another service', async () => {
    await run([
      await fileOf('one.jsonl', scenario('First', { tags: ['a'], priority: 2, approved: true }), scenario('Second')),
    ]);
    const file = join(folder, 'exported.jsonl');
    expect((await osce(['scenarios', 'export', '-o', file], { url: service.url })).code).toBe(0);
    expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(2);
    expect(await run([file])).toMatchObject({ stdout: '0 created, 0 updated, 2 unchanged.\n' });
    const other = await startTestService();
    try {
      expect(await run([file], { url: other.url })).toMatchObject({ stdout: '2 created, 0 updated, 0 unchanged.\n' });
      expect(await run([file], { url: other.url })).toMatchObject({ stdout: '0 created, 0 updated, 2 unchanged.\n' });
      const { scenarios } = (await new ApiClient(other.url).get('/api/v1/scenarios')).body;
      expect(scenarios).toMatchObject(
        (await stored()).map(({ name, approved, tags, priority, content }: Record<string, unknown>) => ({
          name,
          approved,
          tags,
          priority,
          content,
        })),
      );
    } finally {
      await other.close();
    }
  });

  test('*.json holds one scenario or a list; - reads lines from standard input; a byte order mark is no harm', async () => {
    const list = await fileOf('list.json', JSON.stringify([scenario('A'), scenario('B')], null, 2));
    const bytes = `\uFEFF${JSON.stringify(scenario('C', { tags: ['\u2028 is no line end'] }))}\r\n${JSON.stringify(scenario('D'))}`;
    expect(await run([list, '-', '--tag', 'both', '--category', 'mine'], { input: bytes })).toMatchObject({
      code: 0,
      stdout: '4 created, 0 updated, 0 unchanged.\n',
    });
    const all: { name: string; category: string; tags: string[] }[] = await stored();
    expect(all.map(({ name }) => name)).toEqual(['A', 'B', 'C', 'D']);
    expect(all.every(({ category, tags }) => category === 'mine' && tags.includes('both'))).toBe(true);
  });

  test('names every line that is wrong, and imports nothing', async () => {
    const file = await fileOf(
      'wrong.jsonl',
      scenario('Right'),
      '{"name": "broken"',
      scenario('No rubric', { rubric_criteria: [] }),
      scenario('Typo', { rubrik: [] }),
      scenario('Points', { rubric_criteria: [{ criterion: 'x', points: 'many' }] }),
      '[1]',
      scenario('Right', { severity: 'low' }),
      scenario('NUL', { tags: ['\u0000'] }),
    );
    const { code, stdout, stderr } = await run([file]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`${file}:2: is not valid JSON`);
    expect(stderr).toContain(`${file}:3: rubric_criteria: must have at least 1 item`);
    expect(stderr).toContain(`${file}:4: rubrik: no such field`);
    expect(stderr).toContain(`${file}:5: rubric_criteria[0].points: expected number, got string`);
    expect(stderr).toContain(`${file}:6: must be a JSON object`);
    expect(stderr).toContain(`${file}:7: has the same key as ${file}:1 (Right)`);
    expect(stderr).toContain(`${file}:8: tags[0]: must not contain NUL characters`);
    expect(stderr).toContain('7 of 8 scenarios cannot be imported: nothing was imported.');
    expect(await stored()).toEqual([]);
  });

  test('--continue imports the lines that are right; exit code 2 says that some are not', async () => {
    const file = await fileOf('some.jsonl', scenario('Right'), 'null', scenario('Also right'));
    const { code, stdout } = await run([file, '--continue', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ created: 2, failed: 1, problems: [{ line: `${file}:2` }] });
    expect(await stored()).toHaveLength(2);
  });

  test('--dry-run says what would be done and does nothing', async () => {
    const file = await fileOf('dry.jsonl', scenario('First'));
    expect(await run([file, '-n'])).toMatchObject({ code: 0, stdout: '1 to create, 0 to update, 0 unchanged.\n' });
    expect(await stored()).toEqual([]);
  });

  test.each([
    [['nowhere.jsonl'], 'nowhere.jsonl cannot be read'],
    [['-'], 'The input holds no scenarios.'],
  ])('says what is wrong with %j', async (args, sentence) => {
    expect(await run(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  });

  test('lines that are no text, or far too long, are named', async () => {
    const path = join(folder, 'bytes.jsonl');
    await writeFile(path, Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a]), Buffer.alloc(9 * 1024 * 1024, 'x')]));
    const { code, stderr } = await run([path]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${path}:1: is not UTF-8 text`);
    expect(stderr).toContain(`${path}:2: is longer than 8 MiB`);
  });
});

describe('importing what the service has from elsewhere makes no twins', () => {
  test('scenarios of the starter library, from its files', async () => {
    await seedStarterLibrary(service.app.get(ScenariosStore));
    const before = await stored();
    const files = (await readdir(LIBRARY, { recursive: true })).filter((path) => path.endsWith('.yaml'));
    const paths = files.map((path) => join(LIBRARY, path));
    expect(await run(paths)).toMatchObject({
      code: 0,
      stdout: `0 created, 0 updated, ${before.length} unchanged.\n`,
    });
    expect(await stored()).toEqual(before);
  });

  test('a scenario made over the API: known by its name, updated, and known by its key from then on', async () => {
    await api.post('/api/v1/scenarios', scenario('Made by hand', { approved: true }));
    const file = await fileOf('hand.jsonl', scenario('Made by hand', { severity: 'high', approved: true }));
    expect(await run([file])).toMatchObject({ stdout: '0 created, 1 updated, 0 unchanged.\n' });
    expect(await stored()).toMatchObject([{ severity: 'high', approved: true }]);
    await fileOf('hand.jsonl', scenario('Made by hand', { key: 'hand' }));
    expect(await run([file])).toMatchObject({ stdout: '0 created, 1 updated, 0 unchanged.\n' });
    await fileOf('hand.jsonl', scenario('Renamed since', { key: 'hand' }));
    expect(await run([file])).toMatchObject({ stdout: '0 created, 1 updated, 0 unchanged.\n' });
    expect(await stored()).toMatchObject([{ name: 'Renamed since', content: { import_key: 'hand' } }]);
  });

  test('a line that has lost its key keeps that of the scenario; one that got a key later gives it', async () => {
    await run([await fileOf('one.jsonl', scenario('Keyed', { key: 'k' }), scenario('Named'))]);
    const file = await fileOf('one.jsonl', scenario('Keyed'), scenario('Named', { key: 'n' }));
    expect(await run([file])).toMatchObject({ stdout: '0 created, 1 updated, 1 unchanged.\n' });
    expect(await stored()).toMatchObject([{ content: { import_key: 'k' } }, { content: { import_key: 'n' } }]);
  });

  test('two scenarios of one name with a key each are two', async () => {
    const file = await fileOf('two.jsonl', scenario('Same', { key: 'a' }), scenario('Same', { key: 'b' }));
    expect(await run([file])).toMatchObject({ stdout: '2 created, 0 updated, 0 unchanged.\n' });
    expect(await run([file])).toMatchObject({ stdout: '0 created, 0 updated, 2 unchanged.\n' });
  });

  test('a name that several have, and two lines about one scenario, are named; nothing is imported', async () => {
    const first = (await api.post('/api/v1/scenarios', scenario('Twice'))).body.scenario_id;
    const second = (await api.post('/api/v1/scenarios', scenario('Twice'))).body.scenario_id;
    const one = (await api.post('/api/v1/scenarios', scenario('Once', { content: { ...CASE, import_key: 'o' } }))).body;
    const file = await fileOf(
      'unclear.jsonl',
      scenario('Twice', { severity: 'low' }),
      scenario('Once', { key: 'o' }),
      scenario('Once more', { scenario_id: one.scenario_id }),
      scenario('New'),
    );
    const { code, stderr } = await run([file]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${file}:1: 2 scenarios of the service have its name: say which one it updates`);
    expect(stderr).toContain(first);
    expect(stderr).toContain(`${file}:3: is about the same scenario of the service as ${file}:2 ("Once")`);
    expect(stderr).toContain('2 of 4 scenarios cannot be imported: nothing was imported.');
    await fileOf('unclear.jsonl', scenario('Twice', { severity: 'low', scenario_id: second }));
    expect(await run([file])).toMatchObject({ stdout: '0 created, 1 updated, 0 unchanged.\n' });
    expect(await stored()).toHaveLength(3);
  });

  test('a suite whose name several have is not made once more', async () => {
    const file = await fileOf('one.jsonl', scenario('First'));
    await run([file, '--suite', 'Gate']);
    const { scenario_ids, id } = (await api.get('/api/v1/test-suites')).body.test_suites[0];
    await api.post('/api/v1/test-suites', { name: 'Gate', scenario_ids });
    await fileOf('one.jsonl', scenario('First'), scenario('Second'));
    expect(await run([file, '--suite', 'Gate'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('2 suites are called "Gate": nothing was imported.'),
    });
    expect((await api.get('/api/v1/test-suites')).body.total).toBe(2);
    expect(await stored()).toHaveLength(1);
    await api.delete(`/api/v1/test-suites/${id}`);
    expect(await run([file, '--suite', 'Gate'])).toMatchObject({ code: 0 });
    expect((await api.get('/api/v1/test-suites')).body.test_suites[0].scenario_ids).toHaveLength(2);
  });
});

describe('osce import of HealthBench', () => {
  test('one message: it opens the conversation word for word, and its rubric grades it', async () => {
    const question = 'Can you tell me whether ibuprofen is safe with warfarin? My knee hurts.';
    const file = await fileOf('hb.jsonl', healthBench('aaaa1111-x', [['user', question]]));
    expect(await run([file, '--suite', 'HealthBench'])).toEqual({
      code: 0,
      stdout: '1 created, 0 updated, 0 unchanged.\n',
      stderr: '',
    });
    const [imported] = await stored();
    expect(imported).toMatchObject({
      name: `${question.slice(0, 69)}… [aaaa1111]`,
      category: 'context_seeking',
      approved: false,
      content: {
        chief_complaint: question,
        initial_message: question,
        rubric_scale: 'binary',
        healthbench: { prompt_id: 'aaaa1111-x' },
      },
      rubric_criteria: [
        { criterion: 'Advises against ibuprofen with warfarin', points: 10, tags: ['level:example', 'axis:accuracy'] },
        { criterion: 'Recommends ibuprofen', points: -8, tags: ['level:example'] },
      ],
      tags: ['healthbench', 'theme:context_seeking', 'physician_agreed_category:not-enough-context'],
    });
    expect(JSON.stringify(imported)).not.toContain('Please do not.');
    expect((await api.get('/api/v1/test-suites')).body.test_suites).toMatchObject([
      { name: 'HealthBench', scenario_ids: [imported.scenario_id] },
    ]);
    expect(await run([file, '--suite', 'HealthBench'])).toMatchObject({
      stdout: '0 created, 0 updated, 1 unchanged.\n',
    });
    expect((await api.get('/api/v1/test-suites')).body.total).toBe(1);
  });

  test('several messages: the first is the complaint, the later ones the script in their order; what is not played is said', async () => {
    const file = await fileOf(
      'hb.jsonl',
      healthBench('bbbb2222-x', [
        ['system', 'You are helpful.'],
        ['user', 'I have had a headache since Monday.'],
        ['assistant', 'Where does it hurt?'],
        ['user', 'Behind my left eye.'],
        ['assistant', 'Any nausea?'],
        ['user', 'Yes. What could it be?'],
      ]),
    );
    const { code, stderr } = await run([file]);
    expect(code).toBe(0);
    expect(stderr).toContain('1 of 1 scenarios have system messages, which are kept but not sent');
    expect(stderr).toContain("earlier answers of HealthBench's assistant");
    const [{ name, content }] = await stored();
    expect(name).toBe('Yes. What could it be? [bbbb2222]');
    expect(content.chief_complaint).toBe('I have had a headache since Monday.');
    expect(content.script.split('\n').slice(-2)).toEqual(['Behind my left eye.', 'Yes. What could it be?']);
    expect(content.script).not.toContain('Any nausea?');
    expect(content.healthbench.prompt).toHaveLength(6);
  });

  test('names the field of a line that is wrong', async () => {
    const file = await fileOf(
      'hb.jsonl',
      healthBench('a', [['user', 'Hello?']]),
      healthBench('b', [['assistant', 'Hello.']]),
      healthBench('c', [['user', 'Hello?']], { rubrics: [{ criterion: 'x' }] }),
      healthBench('d', [['user', 'Hello?']], { rubrics: [] }),
      healthBench('', [['user', 'Hello?']]),
    );
    const { code, stderr } = await run([file]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${file}:2: prompt: has no message of the role user`);
    expect(stderr).toContain(`${file}:3: rubrics[0].points: is required`);
    expect(stderr).toContain(`${file}:4: rubrics: must have at least 1`);
    expect(stderr).toContain(`${file}:5: prompt_id: must have at least 1`);
    expect(await stored()).toEqual([]);
  });
});

describe('an import of a scenario that somebody edits at that moment', () => {
  test('leaves their text, and says so', async () => {
    await run([await fileOf('one.jsonl', scenario('First', { key: 'one' }))]);
    const [{ content }] = await stored();
    let isEdited = false;
    const gate = await startHttpStub((response, { method, path, headers, body }) => {
      const ifMatch = headers['if-match'];
      const forwarded = { 'content-type': 'application/json', ...(ifMatch !== undefined && { 'if-match': ifMatch }) };
      const forward = async () => {
        if (method === 'PATCH' && !isEdited) {
          isEdited = true;
          await api.patch(path, { content: { ...content, script: 'Theirs.' } });
        }
        const sent = method === 'GET' ? {} : { body: JSON.stringify(body) };
        const answer = await api.send(method, path, { headers: forwarded, ...sent });
        const etag = answer.headers.get('etag');
        sendJson(response, answer.status, answer.body, etag === null ? {} : { etag });
      };
      void forward();
    });
    try {
      const ours = { script: 'Ours.', chief_complaint: 'Ours.' };
      const file = await fileOf('one.jsonl', scenario('First', { key: 'one', content: ours }));
      const { code, stderr } = await run([file], { url: gate.origin });
      expect(code).toBe(2);
      expect(stderr).toContain(
        `${file}:1: The scenario "First" was changed by another client since it was read, and is left as it is. Look at it, then try again. Nothing was imported.`,
      );
      expect(await stored()).toMatchObject([{ content: { script: 'Theirs.' } }]);
    } finally {
      await gate.close();
    }
  });
});

describe('an import that fails on the way', () => {
  let gate: HttpStub;
  /** POSTs that are let through before the next one meets `trouble`. */
  let letThrough: number;
  let trouble: 'refuse' | 'hang';

  beforeEach(async () => {
    letThrough = 6;
    trouble = 'refuse';
    gate = await startHttpStub((response, { method, path, body }) => {
      const isCreation = method === 'POST' && path === '/api/v1/scenarios';
      if (isCreation) letThrough -= 1;
      if (isCreation && letThrough < 0) {
        if (trouble === 'refuse') sendJson(response, 500, { error: 'The disk is full' });
        return;
      }
      const sent = method === 'GET' || method === 'DELETE' ? {} : { body: JSON.stringify(body) };
      void api.send(method, path, { headers: { 'content-type': 'application/json' }, ...sent }).then((answer) => {
        if (answer.body === null) response.writeHead(answer.status).end();
        else sendJson(response, answer.status, answer.body);
      });
    });
  });
  afterEach(() => gate.close());

  const twenty = () => fileOf('many.jsonl', ...Array.from({ length: 20 }, (_, at) => scenario(`Scenario ${at}`)));

  test('takes back what it did: nothing is half imported', async () => {
    await run([await fileOf('old.jsonl', scenario('Scenario 0', { approved: true, severity: 'low' }))]);
    const before = await stored();
    const { code, stderr } = await run([await twenty()], { url: gate.origin });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/many\.jsonl:\d+: .*The disk is full.* Nothing was imported\./),
    });
    expect(await stored()).toEqual(before);
  });

  test('with --continue it keeps what it could do, and importing again does the rest', async () => {
    const file = await twenty();
    expect(await run([file, '--continue'], { url: gate.origin })).toMatchObject({
      code: 2,
      stdout: '6 created, 0 updated, 0 unchanged, 14 failed.\n',
    });
    expect(await stored()).toHaveLength(6);
    expect(await run([file])).toMatchObject({ stdout: '14 created, 0 updated, 6 unchanged.\n' });
  });

  test('Ctrl-C takes it back too', async () => {
    trouble = 'hang';
    const command = OsceCommand.start(['import', await twenty()], { url: gate.origin });
    try {
      await gate.until(() => letThrough === -4);
      expect(await stored()).toHaveLength(6);
      command.child.kill('SIGINT');
      expect(await command.ends()).toMatchObject({
        code: 130,
        stderr: expect.stringContaining('Interrupted. Nothing was imported.'),
      });
      expect(await stored()).toEqual([]);
    } finally {
      await command.kill();
    }
  });
});
