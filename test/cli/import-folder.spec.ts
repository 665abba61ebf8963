import { linkSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ApiClient } from '../setup/api-client';
import { removeScenarios } from '../setup/database';
import { osce } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

const LIBRARY = join(__dirname, '..', '..', 'content', 'scenarios');

let service: TestService;
let api: ApiClient;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
});
afterAll(() => service.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-folder-test-'));
});
afterEach(async () => {
  await removeScenarios(service.database);
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) => osce(['import', ...args], { url: service.url });
const stored = async () => (await api.get('/api/v1/scenarios')).body.scenarios;

const yamlOf = (name: string, more = '') => `name: ${name}
content:
  chief_complaint: My chest hurts.
  script: You have had chest pain for two hours.
rubric_criteria:
  - criterion: Tells the patient to call an ambulance
    points: 5
${more}`;
const jsonOf = (name: string) =>
  JSON.stringify({
    name,
    content: { chief_complaint: 'My chest hurts.', script: 'You have had chest pain for two hours.' },
    rubric_criteria: [{ criterion: 'Tells the patient to call an ambulance', points: 5 }],
  });

async function put(path: string, text: string): Promise<string> {
  const whole = join(folder, path);
  await mkdir(dirname(whole), { recursive: true });
  await writeFile(whole, text);
  return whole;
}

describe('osce import of a folder', () => {
  test('reads every file of scenarios in it, whatever its format, in the order of their paths', async () => {
    await put('b/two.yml', yamlOf('Two'));
    await put('a/one.yaml', yamlOf('One'));
    await put('c/three.json', jsonOf('Three'));
    await put('c/more.jsonl', `${jsonOf('Four')}\n${jsonOf('Five')}\n`);
    await put('notes.md', 'no scenario');
    await put('scenario.schema.json', '{}');
    await put('.hidden/x.yaml', 'no scenario');
    await put('.x.yaml', 'no scenario');
    const { code, stdout } = await run(folder, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).scenarios.map(({ key }: { key: string }) => key)).toEqual([
      ...['One', 'Two', 'Four', 'Five', 'Three'],
    ]);
    expect(await run(folder)).toMatchObject({ code: 0, stdout: '0 created, 0 updated, 5 unchanged.\n' });
  });

  test('takes the library, and files beside a folder', async () => {
    const other = await put('other.jsonl', jsonOf('Another'));
    const files = (await readdir(LIBRARY, { recursive: true })).filter((path) => path.endsWith('.yaml'));
    expect(await run(LIBRARY, other)).toMatchObject({
      code: 0,
      stdout: `${files.length + 1} created, 0 updated, 0 unchanged.\n`,
      stderr: '',
    });
    expect((await stored()).filter(({ approved }: { approved: boolean }) => approved)).toHaveLength(files.length);
  });

  test('names every broken file with its line and field, and stores nothing of the folder', async () => {
    await cp(LIBRARY, folder, { recursive: true });
    const ankle = join(folder, 'pain_and_injury', 'twisted-ankle-after-football.yaml');
    const text = await readFile(ankle, 'utf8');
    const lineOf = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length;
    await writeFile(
      ankle,
      text.replace('disposition: self_care', 'disposition: home').replace('points: 4', 'points: x'),
    );
    await put('b/broken.yaml', 'name: A\n  content: x\n');
    await put('b/list.json', `[\n${jsonOf('One')},\n{"name": "Two",\n"rubrik": []}]`);
    await put('b/misspelt.yaml', yamlOf('Three', '    by_trun: 2\n'));
    await put('b/twice.yaml', `${yamlOf('Four')}name: Five\n`);
    const { code, stdout, stderr } = await run(folder);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    for (const sentence of [
      `${ankle}:${lineOf('disposition:')}: content.disposition: expected one of emergency, prompt_care, self_care, got "home"`,
      `${ankle}:${lineOf('points: 4')}: rubric_criteria[0].points: expected number, got string`,
      'b/broken.yaml:1: is not valid YAML',
      'b/list.json:4: rubrik: no such field',
      'b/misspelt.yaml:8: rubric_criteria[0].by_trun: no such field',
      'b/twice.yaml:8: name: stands here twice',
      '5 of ',
      'scenarios cannot be imported: nothing was imported.',
    ]) {
      expect(stderr).toContain(sentence);
    }
    expect(await stored()).toEqual([]);
  });

  test('does not follow symbolic links, and says so', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'agent-osce-elsewhere-'));
    try {
      await writeFile(join(elsewhere, 'secret.yaml'), yamlOf('Secret'));
      await put('one.yaml', yamlOf('One'));
      await symlink(elsewhere, join(folder, 'out'));
      await symlink(join(elsewhere, 'secret.yaml'), join(folder, 'secret.yaml'));
      await symlink(folder, join(folder, 'round'));
      const { code, stdout, stderr } = await run(folder);
      expect({ code, stdout }).toEqual({ code: 0, stdout: '1 created, 0 updated, 0 unchanged.\n' });
      expect(stderr).toContain(`${join(folder, 'secret.yaml')} is a symbolic link and is left out.`);
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });

  test('refuses a folder without scenarios, and one with too many files, unread', async () => {
    await mkdir(join(folder, 'empty'));
    expect(await run(join(folder, 'empty'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('holds no files of scenarios'),
    });
    await mkdir(join(folder, 'many'));
    await put('many/0.yaml', 'x');
    // Ten thousand names of one file are made much sooner than as many files.
    for (let at = 1; at <= 10_000; at += 1) linkSync(join(folder, 'many/0.yaml'), join(folder, `many/${at}.yaml`));
    expect(await run(join(folder, 'many'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('holds more than 10000 files of scenarios: nothing was read.'),
    });
  });

  test('is linted as it is imported', async () => {
    const lint = (path: string) => osce(['scenarios', 'lint', path], { url: service.url });
    expect(await lint(join(LIBRARY, 'triage'))).toMatchObject({
      stdout: expect.stringMatching(/^\d+ scenarios linted/m),
    });
    await put('one.yaml', 'name: A\n  b: c\n');
    expect(await lint(folder)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('one.yaml:1 is not valid YAML'),
    });
  });
});
