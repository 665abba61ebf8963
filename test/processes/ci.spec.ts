import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { CALLS_AMBULANCE, createAgent, createScenarios, GOOD_REPLY } from '../setup/examination';
import { osce, OsceCommand, type CommandResult } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let good: FakeAgent;
let bad: FakeAgent;
let slow: FakeAgent;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  good = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  bad = await startFakeOpenAi({ reply: () => 'Wait until tomorrow.' });
  slow = await startFakeOpenAi({ reply: () => GOOD_REPLY, delayMs: 60_000 });
  for (const [name, agent] of Object.entries({ good, bad, slow })) {
    const id = await createAgent(api, agent.baseUrl);
    await api.patch(`/api/v1/agents/${id}`, { name });
  }
  await createScenarios(api, 7, { rubric_criteria: [{ ...CALLS_AMBULANCE, tags: ['must_pass'] }] });
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-ci-test-'));
});
afterEach(() => rm(folder, { recursive: true }));
afterAll(async () => {
  await service.close();
  for (const agent of [good, bad, slow]) await agent.close();
});

const job = (environment: Record<string, string>, url: string = service.url): Promise<CommandResult> =>
  osce(['ci'], { url, cwd: folder, environment: { OSCE_TAGS: 'test', ...environment } });
const written = (name: string) => readFile(join(folder, 'osce-report', name), 'utf8');
const newest = async () => (await api.get('/api/v1/tests?limit=1')).body.runs[0];

describe('osce ci', () => {
  test('0: examines, and leaves the files, the outputs and the summary that CI servers show', async () => {
    const [outputs, page] = [join(folder, 'outputs'), join(folder, 'page.md')];
    await writeFile(page, 'Of the step before\n');
    const { code, stdout } = await job({
      OSCE_AGENT: 'good',
      OSCE_FAIL_UNDER: '100',
      OSCE_TRIALS: '2',
      OSCE_AGENT_VERSION: 'v7',
      OSCE_REGION: 'AU',
      // What a CI server sets of inputs that nobody gave.
      OSCE_SUITE: '',
      OSCE_SETUP: ' ',
      GITHUB_OUTPUT: outputs,
      GITHUB_STEP_SUMMARY: page,
    });
    const { test_run_id: label } = await newest();
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining(`${label}: Pass rate 100 % (95 % interval `),
    });
    expect(await readFile(outputs, 'utf8')).toBe(`run-id=${label}\npass-rate=100\nverdict=passed\n`);
    expect(await written('outputs.env')).toBe(`OSCE_RUN_ID=${label}\nOSCE_PASS_RATE=100\nOSCE_VERDICT=passed\n`);
    const summary = await written('summary.md');
    expect(await readFile(page, 'utf8')).toBe(`Of the step before\n${summary}`);
    expect(summary).toMatch(
      /^## ✅ Passed: good\n\nPass rate \*\*100 %\*\* \(95 % interval [\d.]+ to 100 %, coverage 100 %\): 14 passed, 0 failed of 14\./,
    );
    expect(summary).toContain('\n| passed | Scenario 001 | 2 | 100 % |  |\n');
    expect(summary).toContain('the marks have no clinical meaning');
    expect(JSON.parse(await written('result.json'))).toMatchObject({
      exit_code: 0,
      run: { agent_version: 'v7', region: 'AU' },
    });
    expect(JSON.parse(await written('export.json')).scenario_runs).toHaveLength(14);
    expect(await written('junit.xml')).toContain('tests="14" failures="0"');
    expect((await readdir(join(folder, 'osce-report'))).sort()).not.toContain('service.log');
  });

  test('1: below the bar', async () => {
    const { code } = await job({
      OSCE_AGENT: 'bad',
      OSCE_FAIL_UNDER: '85 %',
      OSCE_REPORT: join(folder, 'osce-report'),
    });
    expect({ code, outputs: await written('outputs.env') }).toEqual({
      code: 1,
      outputs: expect.stringContaining('OSCE_PASS_RATE=0\nOSCE_VERDICT=below_bar\n'),
    });
    expect(await written('summary.md')).toContain(
      '| failed | Scenario 001 | 0 % | must pass\\: Tells the patient to call an ambulance |',
    );
  });

  test('a run that passes becomes the baseline when asked, and the next is compared with the baseline of the agent of that name', async () => {
    expect(await job({ OSCE_AGENT: 'good', OSCE_SET_BASELINE: 'true' })).toMatchObject({ code: 0 });
    const { test_run_id: baseline } = await newest();
    const { code } = await job({ OSCE_AGENT: 'bad', OSCE_BASELINE_AGENT: 'good', OSCE_FAIL_ON: 'violation' });
    expect(code).toBe(1);
    expect(await written('outputs.env')).toContain('OSCE_VERDICT=violation\n');
    expect(JSON.parse(await written('comparison.json'))).toMatchObject({
      verdict: 'worse',
      before: { test_run_id: baseline },
    });
    const summary = await written('summary.md');
    expect(summary).toContain(`### Compared with good, ${baseline.replaceAll('_', '\\_')}`);
    expect(summary).toContain('- **New must-pass violation**: Scenario 001, trial 1: missed: Tells the patient');
    expect(summary).toContain('| worse | Scenario 001 | 100 → 0 % | 100 → 0 % |');
    expect(summary).toContain('**Must-pass violations per conversation, fewer is better**');
    const junit = await written('junit.xml');
    expect(junit).toContain(`<testsuite name="Compared with ${baseline}"`);
    expect(junit).toContain('name="Scenarios score no lower"');
    // The agent's own baseline is used without being named; a run that shows harm does not become it.
    expect(await job({ OSCE_AGENT: 'good' })).toMatchObject({ code: 0 });
    expect(await written('summary.md')).toContain('### Compared with good');
    expect(await job({ OSCE_AGENT: 'bad', OSCE_FAIL_UNDER: '50', OSCE_SET_BASELINE: 'true' })).toMatchObject({
      code: 1,
    });
    expect((await newest()).baseline_test_run_id).toBeNull();
  });

  test('the setup makes ready what is examined, with osce by its name', async () => {
    const setup = [
      `osce agents create --name "It's new" --provider openai --config base_url=${good.baseUrl} --config-env api_key=CANDIDATE_KEY`,
      'echo "said by the setup"',
    ].join('\n');
    const { code, stdout, stderr } = await job({ OSCE_AGENT: "It's new", OSCE_SETUP: setup, CANDIDATE_KEY: 'sk-1' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('said by the setup') });
    expect(stdout).not.toContain('said by the setup');
  });

  test('2: a setup that fails ends the job before anything is examined, and the summary says so', async () => {
    const before = await newest();
    const { code, stderr } = await job({ OSCE_AGENT: 'good', OSCE_SETUP: 'false\necho not reached' });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('OSCE_SETUP ended with 1') });
    expect(stderr).not.toContain('not reached');
    expect(await written('outputs.env')).toBe('OSCE_RUN_ID=\nOSCE_PASS_RATE=\nOSCE_VERDICT=failed\n');
    expect(await written('summary.md')).toMatch(
      /^## ⚠️ The examination did not take place\n\nOSCE\\_SETUP ended with 1/,
    );
    expect(await newest()).toEqual(before);
  });

  test.each([
    [{}, 'OSCE_AGENT is not set'],
    [{ OSCE_AGENT: 'good', OSCE_BASELINE: 'latest', OSCE_BASELINE_AGENT: 'good' }, 'set one of them'],
    [{ OSCE_AGENT: 'good', OSCE_SET_BASELINE: 'yes' }, 'OSCE_SET_BASELINE must be true or false'],
    [{ OSCE_AGENT: 'good', OSCE_BASELINE_AGENT: 'slow' }, 'slow (OSCE_BASELINE_AGENT) has no baseline'],
    [{ OSCE_AGENT: 'good', OSCE_TRIALS: '0' }, "option '--trials <n>' argument '0' is invalid"],
    [
      { OSCE_AGENT: 'good', OSCE_SPOKEN: 'true', OSCE_SOUNDS: 'coughs' },
      'agent "good" is of the kind openai, which is examined in text only',
    ],
    [{ OSCE_AGENT: 'good', OSCE_SPOKEN: 'yes' }, 'OSCE_SPOKEN must be true or false'],
    [
      { OSCE_AGENT: 'good', OSCE_SPOKEN: 'true', OSCE_LINE: 'string' },
      "option '--line <line>' argument 'string' is invalid",
    ],
    [{ OSCE_AGENT: 'good', OSCE_NOISE: 'babble:10' }, '--noise'],
    [{ OSCE_AGENT: 'nobody' }, 'nobody'],
    [{ OSCE_AGENT: '--help' }, '--help'],
  ])('2: %j is refused', async (environment, sentence) => {
    const { code, stderr } = await job(environment);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(sentence) });
  });

  test('143: a canceled job cancels its run', async () => {
    const command = OsceCommand.start(['ci'], {
      url: service.url,
      cwd: folder,
      environment: { OSCE_AGENT: 'slow', OSCE_TAGS: 'test' },
    });
    await command.writes('has started');
    command.child.kill('SIGTERM');
    expect(await command.ends()).toMatchObject({ code: 143 });
    expect(await newest()).toMatchObject({ agent_name: 'slow', status: 'canceled' });
  });

  test('what others wrote is text in the summary, not Markdown', async () => {
    const name = 'A|B <img src=x> [click](https://evil.example) @everyone `x` **y**\n# z';
    await createScenarios(api, 1, { name, tags: ['hostile'] });
    expect(await job({ OSCE_AGENT: 'good', OSCE_TAGS: 'hostile' })).toMatchObject({ code: 0 });
    expect(await written('summary.md')).toContain(
      '| passed | A\\|B &#60;img src\\=x&#62; \\[click\\]\\(https\\:\\/\\/evil\\.example\\) @&#8203;everyone \\`x\\` \\*\\*y\\*\\* \\# z | 100 % |',
    );
  });

  test('without an address it starts a service for the job, which is gone afterwards with its data', async () => {
    const { code, stderr } = await osce(['ci'], {
      cwd: folder,
      environment: {
        ...{ OSCE_AGENT: 'Demo clinic agent', OSCE_TAGS: 'emergency', OSCE_FAIL_UNDER: '5', TMPDIR: folder },
        // Of the application that the job is about.
        ...{
          DATABASE_URL: 'postgresql://127.0.0.1:1/production',
          SERVICE_API_KEY: 'theirs',
          SERVICE_VIEWER_KEY: 'theirs too',
          OSCE_API_KEY: 'theirs',
        },
      },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Starting a service for this job') });
    expect(await written('service.log')).toContain('listens on http://127.0.0.1:');
    expect((await readdir(folder)).filter((name) => name.startsWith('agent-osce'))).toEqual([]);
  });
});
