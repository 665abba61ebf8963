import { startFakeOpenAi } from '../fakes/openai-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { setClock } from '../fakes/schedule-clock';
import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { eventually } from '../setup/eventually';
import { osce } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

const clock = setClock('2031-03-29T12:00:00Z');
let service: TestService;
let agent: FakeAgent;
let api: ApiClient;
beforeAll(async () => {
  service = await startTestService({}, { scheduleClock: clock.type });
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  api = new ApiClient(service.url);
  await createAgent(api, agent.baseUrl);
  await createScenarios(api, 1);
});
afterAll(async () => {
  await service.close();
  await agent.close();
});

const run = (...args: string[]) => osce(['schedules', ...args], { url: service.url });
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
const NIGHTLY = [
  '--agent',
  'Agent under test',
  '--tag',
  'test',
  '--cron',
  '30 2 * * *',
  '--time-zone',
  'Europe/Berlin',
];

test('osce schedules: create, list, show, pause, resume, run and delete', async () => {
  expect(await run('list')).toMatchObject({
    code: 0,
    stdout: 'There are no schedules yet: osce schedules create --help\n',
  });
  const made = await run(
    'create',
    'Nightly',
    ...NIGHTLY,
    '--fail-under',
    '85',
    '--fail-on',
    'worse',
    '--overlap',
    'allow',
  );
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toContain('30 2 * * * (Europe/Berlin)');
  expect(made.stdout).toMatch(/^Agent +Agent under test$/m);
  expect(made.stdout).toMatch(/^Run +tags test$/m);
  expect(made.stdout).toContain('pass rate of 85 %, not worse than the baseline');
  // The hour of 2:30 is left out on that day.
  expect(made.stdout).toContain('2031-03-30T01:00:00.000Z, 30 Mar 2031, 03:00 Europe/Berlin');
  expect((await run('list')).stdout).toMatch(/Nightly │ 30 2 \* \* \* │ Europe\/Berlin │ 2031-03-30T01:00:00.000Z/);

  expect((await run('pause', 'nightly')).stdout).toContain('Paused');
  expect((await json('list')).schedules).toMatchObject([
    { is_enabled: false, next_start: null, run: { tags: ['test'] } },
  ]);
  expect((await run('resume', 'Nightly')).stdout).toContain('2031-03-30T01:00:00.000Z');

  const started = await run('run', 'Nightly');
  expect(started).toMatchObject({ code: 0, stdout: expect.stringMatching(/^run_\d{14}_[0-9a-f]{8}\n$/) });
  const testRunId = started.stdout.trim();
  await untilFinal(api, testRunId);
  await eventually(async () =>
    expect((await json('show', 'Nightly')).starts).toMatchObject([
      { run: { test_run_id: testRunId, status: 'completed' }, gate: { verdict: 'undecided' } },
    ]),
  );
  const shown = (await run('show', 'Nightly')).stdout;
  expect(shown).toMatch(/^Agent +Agent under test$/m);
  expect(shown).toContain('(by hand)');
  expect(shown).toContain('started, gate undecided');
  // In two lines of one cell.
  expect(shown).toMatch(new RegExp(`│ ${testRunId} +│[^\\n]*\\n[^\\n]*│ completed +│`));

  const { id } = await json('show', 'Nightly');
  expect(await json('delete', id)).toEqual({ deleted: id });
  expect(await run('show', id)).toMatchObject({ code: 2, stderr: expect.stringContaining('osce schedules list') });
});

test('what is missing or wrong is said in a sentence', async () => {
  expect(await run('create', 'Nightly', '--cron', '0 3 * * *')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--agent is required'),
  });
  expect(await run('create', 'Nightly', '--agent', 'Agent under test')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--cron is required'),
  });
  expect(await run('create', 'Nightly', '--agent', 'Agent under test', '--cron', '* * * * *')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('MIN_SCHEDULE_INTERVAL'),
  });
});
