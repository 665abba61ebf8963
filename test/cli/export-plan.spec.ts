import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Scenario } from '../../cli/connection/answers';
import { knownFilesIn } from '../../cli/scenario-folder/known-files';
import { planExport } from '../../cli/scenario-folder/plan-export';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-plan-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

const put = async (path: string, text: string) => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
};
const fileOf = (name: string, first = '') => `${first}name: ${name}
category: emergency
content:
  chief_complaint: My chest hurts.
  script: You have chest pain.
rubric_criteria:
  - criterion: Tells the patient to call an ambulance
    points: 5
`;
/** As the service answers what an import of such a file made. */
const stored = (name: string, content: object = {}, fields: object = {}): Scenario => ({
  scenario_id: `id-of-${name}`,
  name,
  category: 'emergency',
  scenario_type: 'custom',
  severity: 'medium',
  is_active: true,
  approved: false,
  approved_by: null,
  approved_role: null,
  priority: null,
  tags: [],
  content: { chief_complaint: 'My chest hurts.', script: 'You have chest pain.', demographics: {}, ...content },
  rubric_criteria: [{ criterion: 'Tells the patient to call an ambulance', points: 5, tags: [] }],
  ...fields,
});
const planned = async (...scenarios: Scenario[]) => {
  const { files, stale } = planExport(scenarios, await knownFilesIn(folder), 'yaml');
  return {
    files: files.map(({ path, isSame }) => `${path} ${isSame ? 'same' : 'written'}`),
    stale: stale.map(({ path }) => path),
  };
};

describe('the files of an export', () => {
  it('takes a file without a key for the scenario that an import takes it for, by its name', async () => {
    await put('emergency/my-foo.yaml', fileOf('Foo'));
    expect(await planned(stored('Foo', { import_key: 'k1' }))).toEqual({
      files: ['emergency/my-foo.yaml same'],
      stale: [],
    });
  });

  it('takes a file with the id of a scenario for that scenario', async () => {
    await put('b.yaml', fileOf('Bar', 'scenario_id: id-of-Bar\n'));
    expect(await planned(stored('Bar'))).toEqual({ files: ['b.yaml same'], stale: [] });
  });

  it('keeps a file of a scenario that was renamed, and gives the new name to no other file', async () => {
    await put('emergency/foo.yaml', fileOf('Foo'));
    await put('emergency/new.yaml', '- ' + fileOf('In a list').replaceAll('\n', '\n  ').trim());
    expect(await planned(stored('New', { import_key: 'Foo' }), stored('Foo, too'))).toEqual({
      files: ['emergency/foo.yaml written', 'emergency/foo-too.yaml written'],
      stale: [],
    });
  });

  it('leaves a file as it is that leaves open, says otherwise or says twice what the service has filled in', async () => {
    const more =
      'key: null\npriority: null\nseverity: medium\ntags: []\ncreated_at: "2026-01-01T00:00:00Z"\nrevision: 3\n';
    await put('foo.yaml', `# By hand.\n${fileOf('Foo', more)}`);
    await put('bar.json', JSON.stringify(stored('Bar')));
    expect(await planned(stored('Foo'), stored('Bar'))).toEqual({
      files: ['bar.json same', 'foo.yaml same'],
      stale: [],
    });
  });

  it('writes a file again that leaves open an approval, or whose fields differ', async () => {
    await put('foo.yaml', fileOf('Foo'));
    const approval = { approved: true, approved_by: 'Dr A', approved_role: 'GP' };
    const signed = stored('Foo', {}, approval);
    expect(await planned(signed)).toMatchObject({ files: ['foo.yaml written'] });
    expect(await planned(stored('Foo', {}, { severity: 'high' }))).toMatchObject({ files: ['foo.yaml written'] });
    await put('foo.yaml', fileOf('Foo', 'approved: true\napproved_by: Dr A\napproved_role: GP\n'));
    expect(await planned(signed)).toMatchObject({ files: ['foo.yaml same'] });
    expect(await planned({ ...signed, approved_by: 'Dr B' })).toMatchObject({ files: ['foo.yaml written'] });
  });

  it('calls stale only what holds one scenario, which the service does not have', async () => {
    await put('foo.yaml', fileOf('Foo'));
    await put('gone.yaml', fileOf('Gone'));
    await put('gone.jsonl', JSON.stringify({ ...stored('Gone, too'), scenario_id: null }));
    await put('compose.yaml', 'name: web\nservices: {}\n');
    expect(await planned(stored('Foo'))).toEqual({ files: ['foo.yaml same'], stale: ['gone.yaml'] });
  });

  it.each([
    ['list.yaml', '- ' + fileOf('Foo').replaceAll('\n', '\n  ').trim(), 'list.yaml holds "Foo" in a list'],
    ['list.json', JSON.stringify([stored('Foo')]), 'list.json holds "Foo" in a list'],
    ['lines.jsonl', JSON.stringify(stored('Foo')), 'lines.jsonl holds "Foo" in a list'],
  ])('refuses a scenario of the service in %s, be it the only one there', async (path, text, sentence) => {
    await put(path, text);
    await expect(planned(stored('Foo'))).rejects.toThrow(sentence);
  });

  it('refuses what an import cannot tell apart: two files of one scenario, and one file of two scenarios', async () => {
    await put('a.yaml', fileOf('Foo'));
    const [one, other] = [stored('Foo'), stored('Foo', {}, { scenario_id: 'id-2' })];
    await expect(planned(one, other)).rejects.toThrow(/a\.yaml: 2 scenarios of the service have its name/);
    await put('b.yaml', fileOf('Foo, formerly', 'scenario_id: id-of-Foo\n'));
    await put('c.yaml', fileOf('Foo, in other words', 'key: k1\nscenario_id: id-of-Foo\n'));
    await expect(planned(one)).rejects.toThrow(/c\.yaml: is about the same scenario of the service as .*b\.yaml/);
  });

  it('names by file and line what it cannot read, as an import does', async () => {
    await put('merged.yaml', fileOf('Foo').replace('category', '<<<<<<< ours\ncategory'));
    await put('misspelt.yaml', fileOf('Bar', 'severity: hihg\n'));
    await put('twice-1.yaml', fileOf('Twice'));
    await put('twice-2.yaml', fileOf('Twice'));
    const { problems } = await knownFilesIn(folder);
    expect(problems).toMatchObject([
      { where: expect.stringMatching(/merged\.yaml:\d+$/), problem: expect.stringContaining('is not valid YAML') },
      { where: expect.stringMatching(/misspelt\.yaml:1$/), problem: expect.stringContaining('severity') },
      { where: expect.stringMatching(/twice-2\.yaml$/), problem: expect.stringContaining('has the same key as') },
    ]);
  });
});
