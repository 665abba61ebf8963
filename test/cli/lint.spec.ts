import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../setup/api-client';
import { eachAtOnce } from '../setup/at-once';
import { osce } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-cli-test-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const LIBRARY = join(__dirname, '../../content/scenarios');
const lint = (...args: string[]) => osce(['scenarios', 'lint', ...args], { url: service.url });

const faulty = (name: string) => ({
  name,
  content: { script: 'Your blood sugar was 11 today.', chief_complaint: 'I feel odd.' },
  rubric_criteria: [{ criterion: 'Advises rest and water', points: 2 }],
});

async function fileOf(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

describe('osce scenarios lint', () => {
  test('has nothing to say of files of the library, and exits with 0', async () => {
    const files = [
      'pain_and_injury/twisted-ankle-after-football.yaml',
      'pregnancy/baby-moving-less-at-31-weeks.yaml',
    ].map((file) => join(LIBRARY, file));
    expect(await lint(...files)).toEqual({ code: 0, stdout: '2 scenarios linted: no findings.\n', stderr: '' });
  });

  test('shows findings with file, line, path, rule and mend, without colours in a pipe, and exits with 1', async () => {
    const lines = [faulty('One'), faulty('Two\u001b[31m')].map((line) => JSON.stringify(line)).join('\n');
    const { code, stdout, stderr } = await lint(await fileOf('two.jsonl', lines));
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toMatch(/^One \(.*two\.jsonl:1\)$/m);
    expect(stdout).toMatch(/^Two.* \(.*two\.jsonl:2\)$/m);
    expect(stdout).toMatch(/content\.script +│ quantity_without_unit +│ error +│ "blood sugar was 11"/);
    expect(stdout).toMatch(/rubric_criteria\[0\]\.criterion +│ two_acts +│ warning +│ Names two acts/);
    expect(stdout).toMatch(/^2 scenarios linted: \d+ findings\.$/m);
  });

  test('answers as JSON', async () => {
    const file = await fileOf('list.json', JSON.stringify([faulty('One')]));
    const { code, stdout } = await lint(file, '--json');
    expect(code).toBe(1);
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject({ total: 1, scenarios: [{ name: 'One', scenario_id: null }] });
    expect(answer.total_findings).toBe(answer.scenarios[0].findings.length);
  });

  test('--all lints what the service has', async () => {
    expect(await lint('--all')).toMatchObject({ code: 0, stdout: '0 scenarios linted: no findings.\n' });
    const api = new ApiClient(service.url);
    const scenarios = Array.from({ length: 101 }, (_, at) => faulty(`Number ${at}`));
    const answers = await eachAtOnce(scenarios, (scenario) => api.post('/api/v1/scenarios', scenario));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const { code, stdout } = await lint('--all', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout).total).toBe(101);
  });

  test.each([
    ['nothing to lint', [], 'Name the files or folders to lint, or give --all'],
    ['files and --all', ['x.json', '--all'], 'Name the files or folders to lint, or give --all'],
    ['a file that is not there', ['/nowhere/x.json'], '/nowhere/x.json cannot be read'],
  ])('exits with 2 for %s', async (_, args, sentence) => {
    expect(await lint(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
  });

  test('exits with 2 and the place for what is no scenario', async () => {
    for (const [text, sentence] of [
      ['{', 'broken.jsonl:1 is not valid JSON'],
      ['7', 'broken.jsonl:1 must be a JSON object'],
      ['{"content": {"script": 7}}', 'broken.jsonl:1: Refused (400): content.script: expected string'],
      ['{"prompt": []}', 'broken.jsonl:1: Refused (400): request: give either a scenario'],
    ] as const) {
      const result = await lint(await fileOf('broken.jsonl', text));
      expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
    }
  });
});
