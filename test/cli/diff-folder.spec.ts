import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { lineDiff } from '../../src/domain/line-diff';
import { ApiClient } from '../setup/api-client';
import { removeScenarios } from '../setup/database';
import { osce, OsceCommand } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

describe('osce scenarios diff', () => {
  let service: TestService;
  let api: ApiClient;
  let folder: string;
  let first: string;

  beforeAll(async () => {
    service = await startTestService();
    api = new ApiClient(service.url);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agent-osce-diff-test-'));
    for (const name of ['First', 'Second']) {
      const { body } = await api.post('/api/v1/scenarios', {
        name,
        approved: true,
        content: { script: 'One.\nTwo.\nThree.\nFour.\nFive.\nSix.', chief_complaint: 'My chest hurts.' },
        rubric_criteria: [{ criterion: 'Tells the patient to rest', points: 5 }],
      });
      if (name === 'First') first = body.scenario_id;
    }
    await osce(['export', 'scenarios', folder], { url: service.url });
  });
  afterEach(async () => {
    await removeScenarios(service.database);
    await rm(folder, { recursive: true });
  });

  const diff = (...args: string[]) => osce(['scenarios', 'diff', folder, ...args], { url: service.url });
  const edit = async (file: string, change: (text: string) => string) => {
    const path = join(folder, 'general', file);
    await writeFile(path, change(await readFile(path, 'utf8').catch(() => '')));
  };

  test('says with 0 that all is the same', async () => {
    expect(await diff()).toEqual({
      code: 0,
      stdout: '0 changed, 0 new, 0 only on the service, 2 the same.\n',
      stderr: '',
    });
  });

  test('shows each field that an import would change, scripts line by line, and what only one side has', async () => {
    const text = await readFile(join(folder, 'general', 'second.yaml'), 'utf8');
    await edit('first.yaml', (before) => before.replace('Five.', 'Five!').replace('medium', 'high'));
    await edit('third.yaml', () => text.replace('Second', 'Third\u202e'));
    await rm(join(folder, 'general', 'second.yaml'));
    const { code, stdout } = await diff();
    expect(code).toBe(1);
    expect(stdout).toBe(`changed: First (${join(folder, 'general', 'first.yaml')})
  severity
  - medium
  + high
  content.script
    Three.
    Four.
  - Five.
  + Five!
    Six.

new: Third (${join(folder, 'general', 'third.yaml')})
only on the service: Second (general)
1 changed, 1 new, 1 only on the service, 0 the same.
`);
    expect(await api.get(`/api/v1/scenarios/${first}`)).toMatchObject({
      body: { content: { script: expect.stringContaining('Five.') } },
    });
  });

  test('shows that an approval is lost, and what is no text, as JSON too', async () => {
    await edit('first.yaml', (before) =>
      before
        .replace('approved: true\n', '')
        .replace('points: 5', 'points: 6')
        .replace('demographics: {}', 'demographics: { age: 40 }'),
    );
    const { code, stdout } = await diff('--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      changed: [
        {
          name: 'First',
          scenario_id: first,
          where: join(folder, 'general', 'first.yaml'),
          fields: [
            { field: 'approved', service: true, file: false },
            { field: 'content.demographics', service: {}, file: { age: 40 } },
            {
              field: 'rubric_criteria',
              service: [{ criterion: 'Tells the patient to rest', points: 5 }],
              file: [{ criterion: 'Tells the patient to rest', points: 6 }],
            },
          ],
        },
      ],
      new: [],
      only_on_service: [],
      unchanged: 1,
    });
  });

  test('what it shows, a terminal only shows; colours are for terminals', async () => {
    await edit('first.yaml', (before) => before.replace('Six.', 'Six \u202e\u061c.'));
    expect((await diff()).stdout).not.toMatch(/[\u001b\u202e\u061c]/);
    const command = OsceCommand.onTerminal(['scenarios', 'diff', folder], 100, { url: service.url });
    const { stdout } = await command.ends();
    expect(stdout).toContain('\u001b[32m');
    expect(stdout).not.toMatch(/[\u202e\u061c]/);
  });

  test('names symbolic links, which it does not follow', async () => {
    await symlink(join(folder, 'general', 'first.yaml'), join(folder, 'link.yaml'));
    expect(await diff()).toMatchObject({ code: 0, stderr: expect.stringContaining('link.yaml is a symbolic link') });
  });

  test('exits with 2, file and line for what cannot be imported', async () => {
    await edit('first.yaml', (before) => before.replace('points: 5', 'points: many'));
    expect(await diff()).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/first\.yaml:\d+: rubric_criteria\[0\]\.points: expected number, got string/),
    });
  });
});

describe('the difference of two texts', () => {
  it('makes either of the other, with as few lines as possible', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const found = lineDiff(before, after);
        const side = (out: string) => found.filter(({ kind }) => kind !== out).map(({ text }) => text);
        expect([side('new'), side('old')]).toEqual([before, after]);
        expect(found.filter(({ kind }) => kind === 'same')).toHaveLength(longestCommon(before, after));
      }),
    );
  });

  it('shows what differs throughout as replaced', () => {
    const many = (of: string) => Array.from({ length: 20_000 }, (_, at) => `${of}${at}`);
    expect(lineDiff(many('a'), many('b'))).toHaveLength(40_000);
  });
});

function longestCommon(one: readonly string[], other: readonly string[]): number {
  let row = other.map(() => 0);
  for (const text of one) {
    const next: number[] = [];
    for (const [at, same] of other.entries()) {
      next.push(
        same === text
          ? (at === 0 ? 0 : (row[at - 1] ?? 0)) + 1
          : Math.max(row[at] ?? 0, at === 0 ? 0 : (next[at - 1] ?? 0)),
      );
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
