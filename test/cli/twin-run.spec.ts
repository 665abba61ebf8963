import { once } from 'node:events';
import { createServer } from 'node:net';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../src/platform/database/database';
import type { FakeAgent } from '../fakes/fake-agent';
import type { HttpStub } from '../fakes/http-stub';
import { startFakeOpenAi } from '../fakes/openai-server';
import { startSpeechServer } from '../fakes/speech-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { osce, OsceCommand } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';
import { spokenRun } from '../setup/spoken-run';

let speech: HttpStub;
let agent: FakeAgent;
let service: TestService;
let api: ApiClient;
let folder: string;
/** A run that was held in text, and told to have been spoken: its twin is in text, which needs no room. */
let spoken: Answer['body'];

beforeAll(async () => {
  speech = await startSpeechServer();
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  // All spoken conversations of a run side by side.
  const variables = { SPEECH_URL: `${speech.origin}/v1`, SPEECH_MODEL: 'speech-1', SPOKEN_CONVERSATIONS: '8' };
  service = await startTestService(variables);
  api = new ApiClient(service.url);
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-cli-twins-'));
  const room = { url: 'ws://127.0.0.1:9', api_key: 'k', api_secret: 's'.repeat(40), agent_name: 'phone' };
  // Nothing listens there, at no later time either.
  const config = { ...room, max_retries: 0 };
  await api.post('/api/v1/agents', { name: 'phone', provider: 'livekit', config });
  const chat = await createAgent(api, agent.baseUrl);
  await api.patch(`/api/v1/agents/${chat}`, { name: 'chat' });
  const { body } = await api.get('/api/v1/scenarios?limit=100');
  for (const { scenario_id } of body.scenarios) await api.delete(`/api/v1/scenarios/${scenario_id}`);
  await createScenarios(api, 8);
  spoken = await untilFinal(api, (await api.post('/start-run', { agent_id: chat, max_turns: 5 })).body.id);
  const database = service.app.get(Database);
  await database.query(`UPDATE test_runs SET modality = 'spoken', spoken = $2 WHERE id = $1`, [
    spoken.id,
    JSON.stringify(spokenRun({ line: 'phone' })),
  ]);
  await database.query(
    `UPDATE scenario_runs SET status = 'failed', passed = false, score_percent = 0, decisions = 'u' WHERE test_run_id = $1`,
    [spoken.id],
  );
});
afterAll(async () => {
  await service.close();
  await agent.close();
  await speech.close();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) => osce(['run', ...args], { url: service.url });
const runsInAll = async (): Promise<number> => (await api.get('/api/v1/tests?limit=1')).body.total;

describe('osce run --twin-of', () => {
  test('0: examines the same in the other modality, and prints what the difference is', async () => {
    const { code, stdout, stderr } = await run('--twin-of', spoken.test_run_id, '--fail-under', '90');
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        new RegExp(`Run run_\\w+ has started, in text: the twin of ${spoken.test_run_id}\\.`),
      ),
    });
    expect(stdout).toContain('The bar of 90 % is reached.');
    expect(stdout).toContain(
      'Of 8 pairs of conversations, 0 passed both ways, 0 only spoken over phone, 8 only in text, 0 neither way.',
    );
    expect(stdout).toMatch(
      /What text gains: in text against spoken over phone, the pass rate is 100 points higher \(100 against 0 %; .*adjusted p = 0\.0\d+\)/,
    );
    expect(stdout).toMatch(/criteria of medium scenarios .*0 → 100 %.*\+100/);
    expect(stdout).toMatch(/The p-values are adjusted for what is asked of .*no other line of the family has ended\./);
    expect(stdout).toMatch(/criteria: without a tag .*0 → 100 %.*\+100/);
    expect(stdout).toMatch(/scenarios: emergency .*0 → 100 %.*\+100/);
  });

  test('as JSON', async () => {
    const { code, stdout } = await run('--twin-of', spoken.id, '--watch', '--json');
    expect({ code, answer: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      answer: {
        outcome: 'passed',
        run: { twin_of: spoken.id },
        twin_comparison: { twins: { pairs: { compared: 8 } } },
      },
    });
  });

  test('a voice is asked for by any of its options, and how long its calls take is said', async () => {
    const made = await run('--agent', 'phone', '--at', '9000-01-01');
    const { code, stdout, stderr } = await run(
      ...['--twin-of', made.stdout.trim(), '--line', 'phone', '--noise', 'babble:10', '--at', '9000-01-01'],
    );
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/is scheduled, spoken over phone/),
    });
    expect(stderr).toContain('about 24 minutes of speech in all');
    const { body } = await api.get(`/api/v1/tests/${stdout.trim()}`);
    expect(body).toMatchObject({ modality: 'spoken', spoken: { line: 'phone', noise: 'babble:10' } });
  });

  test.each([
    [['--twin-of', 'run_none'], /twin|not found/i],
    [['--twin-of', 'latest', '--agent', 'phone'], /'--twin-of <run>' cannot be used with option '--agent <name>'/],
    [['--twin-of', 'latest', '--trials', '2'], /cannot be used with option '--trials <n>'/],
    [['--twin-of', 'latest', '--both'], /cannot be used with option/],
    [['--both'], /--agent is required/],
    [['--both', '--agent', 'phone', '--agent', 'chat'], /--both examines one agent/],
    [['--both', '--agent', 'chat'], /agent "chat" is of the kind openai, which is examined in text only/],
  ])('2: %j starts nothing', async (args, sentence) => {
    const before = await runsInAll();
    expect(await run(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(sentence) });
    expect(await runsInAll()).toBe(before);
  });
});

describe('osce run --both', () => {
  test('2 where neither can be held: both verdicts, a JUnit file of each, and why there is no difference', async () => {
    const junit = join(folder, 'both.xml');
    const { code, stdout, stderr } = await run('--both', '--agent', 'phone', '--junit', junit, '--fail-under', '50');
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /Two runs have started, each of 8 scenarios\.\n {2}run_\w+ {2}In text\n {2}run_\w+ {2}Spoken\n/,
    );
    expect(stdout).toMatch(/In text\n.*\n[^]*Spoken\n/);
    expect(stdout).toContain('What voice costs: cannot tell, since no pair of conversations has two verdicts.');
    expect(stdout).toContain('8 could not be compared');
    expect((await readdir(folder)).sort()).toEqual(['both-1.xml', 'both-2.xml']);
    const [first, second] = (await api.get('/api/v1/tests?limit=2')).body.runs;
    expect([first.modality, second.modality, first.twin_of]).toEqual(['text', 'spoken', second.id]);
  });

  test('for later, with the conditions of both', async () => {
    const { code, stdout } = await run(
      ...[
        '--both',
        '--agent',
        'phone',
        '--trials',
        '2',
        '--line',
        'mobile_bad',
        '--spoken-seed',
        '9',
        '--at',
        '9000-01-01',
      ],
    );
    expect(code).toBe(0);
    const [text, voice] = await Promise.all(
      stdout
        .trim()
        .split('\n')
        .map(async (label) => (await api.get(`/api/v1/tests/${label}`)).body),
    );
    expect(text).toMatchObject({ modality: 'text', trials: 2, twin_of: voice.id, status: 'scheduled' });
    expect(voice).toMatchObject({ modality: 'spoken', trials: 2, spoken: { line: 'mobile_bad', seed: 9 } });
  });
});

test('2 where the second of the two is refused: the first is canceled', async () => {
  const small = await startTestService({
    SPEECH_URL: `${speech.origin}/v1`,
    SPEECH_MODEL: 'speech-1',
    MAX_SCHEDULED_RUNS: '1',
  });
  try {
    const client = new ApiClient(small.url);
    const config = { url: 'ws://127.0.0.1:9', api_key: 'k', api_secret: 's'.repeat(40), agent_name: 'phone' };
    await client.post('/api/v1/agents', { name: 'phone', provider: 'livekit', config });
    await createScenarios(client, 1);
    const { code, stderr } = await osce(['run', '--both', '--agent', 'phone', '--at', '9000-01-01'], {
      url: small.url,
    });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('MAX_SCHEDULED_RUNS') });
    expect(stderr).toMatch(/Run run_\w+, which was to be its twin, was canceled\./);
    const { runs } = (await client.get('/api/v1/tests?limit=5')).body;
    expect(runs.map(({ status }: { status: string }) => status)).toEqual(['canceled']);
  } finally {
    await small.close();
  }
});

describe('osce run --both, interrupted', () => {
  test('130: Ctrl-C cancels both', async () => {
    // Takes connections and says nothing: each conversation waits for its room.
    const mute = createServer();
    await once(mute.listen(0, '127.0.0.1'), 'listening');
    const address = mute.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const config = { url: `ws://127.0.0.1:${port}`, api_key: 'k', api_secret: 's'.repeat(40), agent_name: 'mute' };
    await api.post('/api/v1/agents', { name: 'mute', provider: 'livekit', config });
    const command = OsceCommand.start(['run', '--both', '--agent', 'mute'], { url: service.url });
    try {
      await command.writes('  Spoken\n');
      command.child.kill('SIGINT');
      const { code, stderr } = await command.ends();
      expect({ code, stderr }).toMatchObject({
        code: 130,
        stderr: expect.stringContaining('The runs were canceled (16 '),
      });
      const { runs } = (await api.get('/api/v1/tests?limit=2')).body;
      expect(runs.map(({ status }: { status: string }) => status)).toEqual(['canceled', 'canceled']);
    } finally {
      await command.kill();
      mute.close();
    }
  });
});

describe('osce runs twins', () => {
  test('shows every way in which the same was held, and the difference from the first', async () => {
    const { stdout, code } = await osce(['runs', 'twins', spoken.test_run_id], { url: service.url });
    expect(code).toBe(0);
    const lines = stdout.split('\n').filter((line) => /in text|spoken over/.test(line));
    expect(lines[0]).toContain('Points, from in text');
    expect(lines[1]).toMatch(/in text .*run_\w+ .*100 % \(\d+ to 100\)/);
    expect(lines.at(-2)).toMatch(/spoken over phone .* −100 \(.*\), adjusted p 0\.0/);
    expect(lines.at(-1)).toMatch(
      /^The p-values are adjusted by Holm’s method for all 2 lines together, each against in text: /,
    );
  });

  test('a run without any says how to start one; and as JSON', async () => {
    const label = (await run('--agent', 'chat', '--at', '9000-01-01')).stdout.trim();
    const alone = await osce(['runs', 'twins', label], { url: service.url });
    expect(alone).toMatchObject({ code: 0, stdout: expect.stringContaining(`osce run --twin-of ${label}`) });
    const { stdout } = await osce(['runs', 'twins', spoken.id, '--json'], { url: service.url });
    expect(JSON.parse(stdout).twins).toContainEqual(
      expect.objectContaining({
        way: 'spoken over phone',
        id: spoken.id,
        status: 'completed',
        twins: expect.any(Object),
      }),
    );
  });
});

describe('osce compare --twins', () => {
  test('prints the pairs of twins, and refuses runs that are none', async () => {
    const twin = (await run('--twin-of', spoken.id, '--watch', '--json')).stdout;
    const { id } = JSON.parse(twin).run;
    const compared = await osce(['compare', spoken.id, id, '--twins'], { url: service.url });
    expect(compared).toMatchObject({ code: 0, stdout: expect.stringContaining('What text gains') });
    const other = (await run('--agent', 'chat', '--watch', '--json')).stdout;
    const refused = await osce(['compare', spoken.id, JSON.parse(other).run.id, '--twins'], { url: service.url });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('started apart, so their seeds differ') });
  });
});
