import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeAnthropic, type FakeAnthropic } from '../fakes/anthropic-server';
import { ApiClient } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { osce, OsceCommand } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let folder: string;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  folder = await mkdtemp(join(tmpdir(), 'osce-calibrate-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) => osce(args, { url: service.url });
const stored = async (): Promise<number> => (await api.get('/api/v1/calibrations')).body.total;

async function fileOf(...lines: readonly (object | string)[]): Promise<string> {
  const path = join(folder, 'labels.jsonl');
  await writeFile(path, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
  return path;
}

const item = (id: string, fields: object = {}) => ({
  id,
  transcript: [
    { role: 'patient', content: 'My chest hurts.' },
    { role: 'agent', content: 'Please call an ambulance now.' },
  ],
  criteria: [
    { criterion: 'Tells the patient to call an ambulance', points: 5, labels: [{ rater: 'A', decision: 'MET' }] },
  ],
  ...fields,
});

const physicians = (rubric: string, labels: readonly boolean[], fields: object = {}) => ({
  prompt_id: 'p1',
  prompt: [
    { role: 'user', content: 'My chest hurts.' },
    { role: 'assistant', content: 'Please call an ambulance now.' },
    { role: 'user', content: 'Really?' },
  ],
  completion: 'Yes. Do not drive.',
  completion_id: 'c1',
  category: 'emergency_referrals',
  rubric,
  binary_labels: labels,
  anonymized_physician_ids: labels.map((_, at) => `phys-${at}`),
  ...fields,
});

describe('osce calibrate', () => {
  test('--starter prints agreement, the table of decisions and what the numbers are worth', async () => {
    const { code, stdout } = await run('calibrate', '--starter', '--repeats', '2');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Starter set: offline judge, 40 transcripts, 2 ×/);
    expect(stdout).toMatch(/without the doubtful/);
    expect(stdout).toMatch(/Cohen’s κ +│ 0\.\d\d \(\S+ to 0\.\d\d\)/);
    expect(stdout).toMatch(/Label \\ judge/);
    expect(stdout).toMatch(/Repeated marks that are the same: – in the same order, 100\.0 % in another/);
    expect(stdout).toMatch(/offline judge, which matches words/);
    expect(stdout).toMatch(/smoke test/);
  });

  test('a file of labels, as JSON', async () => {
    const { code, stdout } = await run('calibrate', await fileOf(item('a'), '', item('b')), '--json', '--name', 'Ours');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'Ours',
      status: 'completed',
      source: 'given',
      result: { agreement: { transcripts: 2, raw: { value: 1 } } },
    });
  });

  test("lines of HealthBench's meta-evaluation: those of one answer are one transcript, and only the answer proves", async () => {
    const path = await fileOf(
      physicians('Advises against driving', [true, true]),
      physicians('Tells the user to call an ambulance', [true, false]),
      physicians('Asks about allergies', [false], { completion_id: 'c2' }),
    );
    const { code, stdout } = await run('calibrate', path, '--json');
    expect(code).toBe(0);
    const { result, ...calibration } = JSON.parse(stdout);
    expect(calibration).toMatchObject({ transcripts: 2, criteria: 3 });
    expect(result).toMatchObject({ raters: ['phys-0', 'phys-1'], human_agreement: { pairs: 2 } });
    // The ambulance was called for by an earlier turn of HealthBench's assistant, which is not what was asked about.
    expect(result.disagreements).toMatchObject([
      { item_id: 'c1', criterion: 'Tells the user to call an ambulance', decisions: ['NOT MET'] },
    ]);
  });

  test('names every bad line by its number, and stores nothing', async () => {
    const before = await stored();
    const path = await fileOf(
      item('a'),
      '{"id": ',
      item('a'),
      item('b', { criteria: [] }),
      item('c', { criteria: [{ criterion: 'X', points: 1, labels: [{ rater: 'A', decision: 'YES' }] }] }),
      physicians('X', []),
    );
    const { code, stderr } = await run('calibrate', path);
    expect(code).toBe(2);
    expect(stderr).toMatch(/labels\.jsonl:2: is not valid JSON/);
    expect(stderr).toMatch(/labels\.jsonl:3: has the same id as .*labels\.jsonl:1/);
    expect(stderr).toMatch(/labels\.jsonl:4: criteria/);
    expect(stderr).toMatch(/labels\.jsonl:5: criteria\[0\]\.labels\[0\]\.decision/);
    expect(stderr).toMatch(/labels\.jsonl:6: binary_labels/);
    expect(stderr).toMatch(/5 lines are wrong: nothing was stored/);
    expect(await run('calibrate', await fileOf())).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/holds no/),
    });
    expect(await run('calibrate')).toMatchObject({ code: 2, stderr: expect.stringMatching(/or give --starter/) });
    expect(await stored()).toBe(before);
  });

  test('Ctrl-C cancels it', async () => {
    const model: FakeAnthropic = await startFakeAnthropic({
      answer: ({ purpose }) => (purpose === 'judge' ? { kind: 'hang' } : undefined),
    });
    const slow = await startTestService({ ANTHROPIC_API_KEY: 'sk-ant-x', ANTHROPIC_BASE_URL: model.url });
    try {
      const command = OsceCommand.start(['calibrate', '--starter'], { url: slow.url });
      await eventually(() => expect(model.inFlight).toBeGreaterThan(0), 30_000);
      command.child.kill('SIGINT');
      const { code, stderr } = await command.ends();
      expect({ code, stderr }).toEqual({ code: 130, stderr: expect.stringMatching(/was stopped/) });
      const { body } = await new ApiClient(slow.url).get('/api/v1/calibrations');
      expect(body.calibrations).toMatchObject([{ status: 'canceled' }]);
      await eventually(() => expect(model.inFlight).toBe(0));
    } finally {
      await slow.close();
      await model.close();
    }
  });
});
