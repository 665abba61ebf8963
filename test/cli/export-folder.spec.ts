import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { ScenariosStore } from '../../src/features/scenarios/scenarios.store';
import { scenarioSchemaText } from '../../src/features/scenarios/files/scenario-json-schema';
import { seedStarterLibrary } from '../../src/features/scenarios/starter-library';
import { ApiClient } from '../setup/api-client';
import { removeScenarios } from '../setup/database';
import { osce } from '../setup/osce-command';
import { tries } from '../setup/sample';
import { startTestService, type TestService } from '../setup/service';

const LIBRARY = join(__dirname, '..', '..', 'content', 'scenarios');

let service: TestService;
let other: TestService;
let api: ApiClient;
let folder: string;

beforeAll(async () => {
  [service, other] = await Promise.all([startTestService(), startTestService()]);
  api = new ApiClient(service.url);
});
afterAll(() => Promise.all([service.close(), other.close()]));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-export-test-'));
});
afterEach(async () => {
  await Promise.all([removeScenarios(service.database), removeScenarios(other.database)]);
  await rm(folder, { recursive: true });
});

const at = (name: string) => join(folder, name);
const exportTo = (name: string, args: readonly string[] = [], from = service) =>
  osce(['export', 'scenarios', at(name), ...args], { url: from.url });
const importFrom = (name: string, into: TestService) => osce(['import', at(name)], { url: into.url });

async function filesOf(path: string): Promise<Record<string, string>> {
  const names = (await readdir(path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const files = names.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file.slice(path.length + 1), await readFile(file, 'utf8')] as const)),
  );
}

const CASE = { chief_complaint: 'My chest hurts.', script: 'You have chest pain.\nYou sweat.' };
const scenario = (name: string, fields: object = {}) => ({
  name,
  content: CASE,
  rubric_criteria: [{ criterion: 'Tells the patient to call an ambulance', points: 5 }],
  ...fields,
});
const make = async (body: object, into = service) => {
  const { status, body: made } = await new ApiClient(into.url).post('/api/v1/scenarios', body);
  expect(status).toBe(201);
  return String(made.scenario_id);
};

describe('osce export scenarios', () => {
  test('gives the library back byte for byte, from a service that was seeded and from one that imported it', async () => {
    const library = Object.entries(await filesOf(LIBRARY)).filter(([path]) => path.endsWith('.yaml'));
    await seedStarterLibrary(service.app.get(ScenariosStore));
    await osce(['import', LIBRARY], { url: other.url });
    for (const [name, from] of [
      ['seeded', service],
      ['imported', other],
    ] as const) {
      expect(await exportTo(name, [], from)).toEqual({
        code: 0,
        stdout: `${library.length} written, 0 unchanged.\n`,
        stderr: '',
      });
      const { 'scenario.schema.json': schema, ...written } = await filesOf(at(name));
      expect(schema).toBe(scenarioSchemaText());
      expect(Object.values(written).sort()).toEqual(library.map(([, text]) => text).sort());
      expect(await importFrom(name, from)).toMatchObject({
        stdout: `0 created, 0 updated, ${library.length} unchanged.\n`,
      });
    }
  });

  test('what is exported, imported elsewhere and exported again is the same, byte for byte, in YAML and JSON', async () => {
    await make(
      scenario('Plain', { tags: ['a'], priority: 2.5, approved: true, approved_by: 'Dr A', approved_role: 'GP' }),
    );
    await make(scenario('Twice'));
    await make(scenario('Twice', { category: 'other' }));
    await make(scenario('Renamed since', { content: { ...CASE, import_key: 'k-1' } }));
    await make(scenario('Known by a name', { content: { ...CASE, import_key: 'Plain too' } }));
    await make(scenario('Plain too'));
    await make(scenario('Same key', { content: { ...CASE, import_key: 'k-1' } }));
    await make(scenario('Odd key', { content: { ...CASE, import_key: 7, z: { b: [1], a: null } } }));
    for (const format of ['yaml', 'json']) {
      const [first, second] = [`${format}-1`, `${format}-2`];
      expect(await exportTo(first, ['--format', format])).toMatchObject({ code: 0, stderr: '' });
      expect(await importFrom(first, service)).toMatchObject({ stdout: '0 created, 0 updated, 8 unchanged.\n' });
      expect(await importFrom(first, other)).toMatchObject({ code: 0 });
      await exportTo(second, ['--format', format], other);
      expect(await filesOf(at(second))).toEqual(await filesOf(at(first)));
      expect(await importFrom(second, other)).toMatchObject({ stdout: '0 created, 0 updated, 8 unchanged.\n' });
    }
  });

  test('hostile texts come back as they were', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
      fc
        .array(
          fc.constantFrom(
            ...[
              'yes',
              'No',
              '1e3',
              '0x1F',
              'null',
              '~',
              ' ',
              '\n',
              '\r\n',
              '\t',
              '#',
              ': ',
              '- ',
              '&a',
              '*a',
              '!t',
              '|',
            ],
            ...[
              '"',
              "'",
              '\\',
              '{',
              ']',
              '%',
              '@',
              '`',
              '?',
              '\u0085',
              '\u2028',
              '\ufeff',
              '\u001b[31m',
              '👩‍⚕️',
              '---',
              '1:30',
            ],
          ),
          { minLength: 1, maxLength: 8 },
        )
        .map((parts) => parts.join('')),
    );
    const texts = fc
      .sample(text, { numRuns: tries({ inCi: 150, elsewhere: 50 }), seed: 14 })
      .map((one) => one.replaceAll('\u0000', ''))
      .filter((one) => /\S/.test(one) && one.isWellFormed());
    for (const [index, one] of texts.entries()) {
      const content = { script: one, chief_complaint: `${one} `, initial_message: ` ${one}\n`, [`x${one}`]: one };
      const rubric_criteria = [{ criterion: one, points: 1, tags: [one] }];
      await make(scenario(`${one} ${index}`, { category: one, tags: [one], content, rubric_criteria }));
    }
    for (const format of ['yaml', 'json']) {
      await exportTo(format, ['--format', format]);
      expect(await importFrom(format, service)).toEqual({
        code: 0,
        stdout: `0 created, 0 updated, ${texts.length} unchanged.\n`,
        stderr: '',
      });
    }
    for (const path of Object.keys(await filesOf(at('yaml')))) {
      expect(path).toMatch(/^(?:[\w-]{1,90}\/[\w-]{1,90}\.yaml|scenario\.schema\.json)$/);
    }
    // Hundreds of requests and six commands: the limit of what hangs.
  });

  test('keeps the files that are there: their names, and what is written in them by hand', async () => {
    await make(scenario('First'));
    const second = await make(scenario('Second', { category: 'heart' }));
    await exportTo('git');
    const byHand = `# Ours.\n${await readFile(at('git/general/first.yaml'), 'utf8')}`;
    await rm(at('git/general/first.yaml'));
    await mkdir(at('git/own'));
    await writeFile(at('git/own/Case 1.yaml'), byHand);
    await writeFile(at('git/README.md'), 'Ours too.');
    await writeFile(at('git/notes.yaml'), 'no: scenario\n');
    await api.patch(`/api/v1/scenarios/${second}`, { severity: 'high' });
    expect(await exportTo('git', ['--json'])).toMatchObject({ code: 0 });
    const files = await filesOf(at('git'));
    expect(Object.keys(files).sort()).toEqual([
      ...['README.md', 'heart/second.yaml', 'notes.yaml', 'own/Case 1.yaml', 'scenario.schema.json'],
    ]);
    expect(files['own/Case 1.yaml']).toBe(byHand);
    expect(files['heart/second.yaml']).toContain('severity: high');
  });

  test('names the files of scenarios that are gone, and removes them with --prune only', async () => {
    await make(scenario('Stays'));
    const gone = await make(scenario('Gone'));
    await exportTo('git');
    await api.delete(`/api/v1/scenarios/${gone}`);
    const left = await exportTo('git');
    expect(left).toMatchObject({ code: 0, stdout: '0 written, 1 unchanged.\n' });
    expect(left.stderr).toContain('general/gone.yaml holds no scenario that the service has.');
    expect(Object.keys(await filesOf(at('git')))).toContain('general/gone.yaml');
    expect(await exportTo('git', ['--prune'])).toMatchObject({
      stdout: '0 written, 1 unchanged, 1 removed.\n',
      stderr: expect.stringContaining('general/gone.yaml holds no scenario that the service has: it is removed.'),
    });
    expect(Object.keys(await filesOf(at('git')))).toEqual(['general/stays.yaml', 'scenario.schema.json']);
    expect(await exportTo('git', ['--prune'], other)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The service has no scenarios: nothing is removed.'),
    });
    await make(scenario('Of another service'), other);
    expect(await exportTo('git', ['--prune'], other)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The service has none of the scenarios in '),
    });
    expect(Object.keys(await filesOf(at('git')))).toEqual(['general/stays.yaml', 'scenario.schema.json']);
  });

  test('writes nowhere but in the folder, whatever names and categories are', async () => {
    const names = [
      '../../etc/passwd',
      '..',
      '.',
      'CON',
      'a/b\\c',
      ' ',
      '日本語',
      '.git',
      'x'.repeat(500),
      'Same',
      'same!',
    ];
    for (const name of names)
      await make(scenario(name === ' ' ? '  x  ' : name, { category: name.slice(0, 200).trim() || '/' }));
    expect(await exportTo('git')).toMatchObject({ code: 0, stdout: `${names.length} written, 0 unchanged.\n` });
    expect(await readdir(folder)).toEqual(['git']);
    const paths = Object.keys(await filesOf(at('git')));
    expect(paths).toHaveLength(names.length + 1);
    expect(paths.filter((path) => !/^(?:[\w-]{1,90}\/[\w-]{1,90}\.yaml|scenario\.schema\.json)$/.test(path))).toEqual(
      [],
    );
  });

  test('overwrites nothing that is not ours, follows no link, and writes nothing then', async () => {
    await make(scenario('First'));
    await make(scenario('Another'));
    await mkdir(at('git/general'), { recursive: true });
    await writeFile(at('git/general/first.yaml'), 'shopping: [milk]\n');
    expect(await exportTo('git')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('first.yaml is there and holds no scenario of ours: move it'),
    });
    expect(Object.keys(await filesOf(at('git')))).toEqual(['general/first.yaml']);
    await mkdir(at('outside'));
    await mkdir(at('linked'));
    await symlink(at('outside'), at('linked/general'));
    expect(await exportTo('linked')).toMatchObject({ code: 2, stderr: expect.stringContaining('is no folder') });
    expect(await readdir(at('outside'))).toEqual([]);
    await mkdir(at('list'));
    await writeFile(at('list/all.json'), JSON.stringify([scenario('First'), scenario('Another')]));
    expect(await exportTo('list')).toMatchObject({ code: 2, stderr: expect.stringContaining('all.json holds "') });
  });

  test('names a file that it cannot read, and writes nothing then, for it might be a scenario of the service', async () => {
    await make(scenario('First'));
    await mkdir(at('git'));
    await writeFile(at('git/mine.yaml'), 'name: First\n<<<<<<< HEAD\ncontent: {}\n');
    expect(await exportTo('git')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/mine\.yaml:\d: is not valid YAML.*\n.*Nothing was written/s),
    });
    expect(Object.keys(await filesOf(at('git')))).toEqual(['mine.yaml']);
  });

  test('says in its help which formats it takes, and refuses what is of the export of a run', async () => {
    expect((await osce(['export', 'scenarios', '--help'])).stdout).toMatch(/--format <format>[^]*"yaml", "json"/);
    expect((await osce(['export', '--help'])).stdout).not.toContain('"yaml"');
    expect(await exportTo('git', ['-o', at('all.yaml')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('leave out --output'),
    });
    expect(await exportTo('git', ['--format', 'csv'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Scenarios are exported as yaml or json, not as csv.'),
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test('says which of its files an import refuses, for the service keeps in a case what it is given', async () => {
    await make(scenario('Odd', { content: { ...CASE, sources: 'NICE' } }));
    const { code, stderr } = await exportTo('git');
    expect(code).toBe(0);
    expect(stderr).toContain('general/odd.yaml: content.sources: expected a list, got string');
  });
});
