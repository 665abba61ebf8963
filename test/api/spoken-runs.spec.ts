import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SpokenView } from '../../contract/spoken';
import { SpokenPlans } from '../../src/features/runs/spoken-plans';
import { Database } from '../../src/platform/database/database';
import { startFakeOpenAi } from '../fakes/openai-server';
import { startSpeechServer } from '../fakes/speech-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import type { FakeAgent } from '../fakes/fake-agent';
import type { HttpStub } from '../fakes/http-stub';
import { startTestService, type TestService } from '../setup/service';
import { spokenRun } from '../setup/spoken-run';

let speech: HttpStub;
let agent: FakeAgent;
let service: TestService;
let api: ApiClient;
let database: Database;
let spokenId: string;
let textId: string;
let scenarioIds: string[];
beforeAll(async () => {
  speech = await startSpeechServer();
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  service = await startTestService({
    SPEECH_URL: `${speech.origin}/v1`,
    SPEECH_MODEL: 'speech-1',
    TRANSCRIPTION_URL: `${speech.origin}/v1`,
    TRANSCRIPTION_MODEL: 'ear-1',
    SPEECH_TIMING_ERROR_MS: '13',
  });
  api = new ApiClient(service.url);
  database = service.app.get(Database);
  const { body } = await api.get('/api/v1/scenarios');
  for (const { scenario_id } of body.scenarios) await api.delete(`/api/v1/scenarios/${scenario_id}`);
  scenarioIds = await createScenarios(api, 2);
  textId = await createAgent(api, agent.baseUrl);
  spokenId = await createLiveKitAgent(api);
});
afterAll(async () => {
  await service.close();
  await agent.close();
  await speech.close();
});

async function createLiveKitAgent(client: ApiClient): Promise<string> {
  const { body } = await client.post('/api/v1/agents', {
    name: 'Voice agent',
    provider: 'livekit',
    config: {
      url: 'ws://127.0.0.1:9',
      api_key: 'k',
      api_secret: 's-0123456789-0123456789-0123456789',
      agent_name: 'a',
    },
  });
  return String(body.id);
}

const LATER = '9000-01-01T00:00:00.000Z';
const start = (fields: object, client = api): Promise<Answer> =>
  client.post('/start-run', { agent_id: spokenId, scheduled_at: LATER, ...fields });
const refusalOf = async (fields: object, client = api) => {
  const { status, body } = await start(fields, client);
  return { status, error: body.error };
};

describe('a spoken run', () => {
  test('says how its patient sounds, who hears, and what it is measured with', async () => {
    const { status, body } = await start({
      modality: 'spoken',
      spoken: {
        voice: 'nova',
        rate: 1.25,
        line: 'phone',
        noise: 'babble:10',
        sounds: ['pauses', 'interruptions'],
        seed: 7,
      },
    });
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'scheduled' } });
    const { host } = new URL(speech.origin);
    expect((await api.get(`/api/v1/tests/${body.id}`)).body).toMatchObject({
      modality: 'spoken',
      spoken: {
        voice: 'nova',
        rate: 1.25,
        line: 'phone',
        noise: 'babble:10',
        sounds: ['interruptions', 'pauses'],
        seed: 7,
        ear: { engine: host, model: 'ear-1' },
        voice_engine: { engine: host, version: 'speech-1', voice: 'nova', rate: 1.25 },
        timing_error_ms: 13,
        harness_version: expect.stringMatching(/^\d+\.\d+/),
      },
    });
  });

  test('has defaults for all of it, and a seed of its own', async () => {
    const seeds = new Set<unknown>();
    for (const fields of [{}, { spoken: {} }, { spoken: null }]) {
      const { body } = await start({ modality: 'spoken', ...fields });
      const { spoken } = (await api.get(`/api/v1/tests/${body.id}`)).body;
      expect(spoken).toMatchObject({ voice: null, rate: 1, line: 'wideband', noise: null, sounds: [] });
      seeds.add(spoken.seed);
    }
    expect(seeds.size).toBe(3);
  });

  test('is found by its modality; a run in text is of the other', async () => {
    const written = (await start({ agent_id: textId })).body.id;
    const spoken = (await start({ modality: 'spoken' })).body.id;
    const idsOf = async (modality: string) =>
      (await api.get(`/api/v1/tests?limit=100&modality=${modality}`)).body.runs.map(({ id }: { id: string }) => id);
    const [text, voice] = [await idsOf('text'), await idsOf('spoken')];
    expect([text.includes(written), text.includes(spoken)]).toEqual([true, false]);
    expect([voice.includes(written), voice.includes(spoken)]).toEqual([false, true]);
    expect((await api.get('/api/v1/tests?modality=sung')).status).toBe(400);
    expect((await api.get(`/api/v1/tests/${written}`)).body).toMatchObject({ modality: 'text', spoken: null });
  });

  test.each([
    [
      'an agent that is examined in text only',
      () => ({ agent_id: textId, modality: 'spoken' }),
      /^modality: agent "Agent under test" is of the kind openai, which is examined in text only \(by voice: .*livekit.*\): leave modality out$/,
    ],
    [
      'options of a run in text',
      () => ({ spoken: { line: 'phone' } }),
      /^spoken: is for spoken runs: set modality to spoken, or leave spoken out$/,
    ],
    ['an unknown option', () => ({ modality: 'spoken', spoken: { sound: ['coughs'] } }), /^spoken: .*"sound"/],
    ['an unknown modality', () => ({ modality: 'sung' }), /^modality: expected one of text, spoken, got "sung"/],
    [
      'a line that is none',
      () => ({ modality: 'spoken', spoken: { line: 'string' } }),
      /^spoken\.line: expected one of wideband, phone, mobile_bad/,
    ],
    [
      'noise without a level',
      () => ({ modality: 'spoken', spoken: { noise: 'babble' } }),
      /^spoken\.noise: must be babble, pink, hum with .* such as babble:10/,
    ],
    ['noise louder than allowed', () => ({ modality: 'spoken', spoken: { noise: 'hum:41' } }), /^spoken\.noise: /],
    [
      'a sound named twice',
      () => ({ modality: 'spoken', spoken: { sounds: ['coughs', 'coughs'] } }),
      /^spoken\.sounds: must name each once/,
    ],
    [
      'a rate nobody speaks at',
      () => ({ modality: 'spoken', spoken: { rate: 3 } }),
      /^spoken\.rate: must be at most 2/,
    ],
    [
      'a seed of more than 32 bits',
      () => ({ modality: 'spoken', spoken: { seed: 2 ** 32 } }),
      /^spoken\.seed: must be at most 4294967295/,
    ],
  ])('is refused: %s', async (_, fields, sentence) => {
    expect(await refusalOf(fields())).toEqual({ status: 400, error: expect.stringMatching(sentence) });
  });

  test('is refused while the speech server does not speak, with its sentence', async () => {
    const deaf = await startTestService({ SPEECH_URL: `${speech.origin}/nowhere`, SPEECH_MODEL: 'speech-1' });
    try {
      const client = new ApiClient(deaf.url);
      await createScenarios(client, 1);
      const agent_id = await createLiveKitAgent(client);
      speech.next((response) => response.writeHead(401).end('{"error":{"message":"no"}}'));
      expect(await refusalOf({ agent_id, modality: 'spoken' }, client)).toEqual({
        status: 400,
        error: expect.stringMatching(/^modality: .*SPEECH_API_KEY/),
      });
    } finally {
      await deaf.close();
    }
  });

  test('is of every agent of a set, or of none', async () => {
    const ask = (agent_id: string) =>
      api.post('/start-run-set', {
        agents: [{ agent_id: spokenId }, { agent_id, agent_version: '2' }],
        modality: 'spoken',
        scheduled_at: LATER,
      });
    const { body } = await ask(spokenId);
    const { runs } = (await api.get(`/api/v1/run-sets/${body.id}`)).body;
    expect(runs.map(({ modality }: { modality: string }) => modality)).toEqual(['spoken', 'spoken']);
    expect(new Set(runs.map(({ spoken }: { spoken: { seed: number } }) => spoken.seed)).size).toBe(1);
    expect(await ask(textId)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^agents\[1\]\.agent_id: modality: agent "Agent under test"/) },
    });
  });

  test('is started by a schedule, which shows what was asked for', async () => {
    const run = { agent_id: spokenId, modality: 'spoken', spoken: { line: 'mobile_bad', seed: 3 } };
    const made = await api.post('/api/v1/schedules', { name: 'By phone', cron: '0 3 * * *', time_zone: 'UTC', run });
    expect(made).toMatchObject({ status: 201, body: { run } });
    const refused = { ...run, agent_id: textId };
    expect(
      await api.post('/api/v1/schedules', { name: 'No', cron: '0 3 * * *', time_zone: 'UTC', run: refused }),
    ).toMatchObject({ status: 400, body: { error: expect.stringMatching(/modality: agent/) } });
  });
});

describe('what follows a spoken run', () => {
  let text: Answer['body'];
  let voice: Answer['body'];
  /** A run that was held in text, and told to have been spoken: what is derived from it is what is tried here. */
  beforeAll(async () => {
    const held = async () =>
      untilFinal(api, (await api.post('/start-run', { agent_id: textId, max_turns: 5 })).body.id);
    text = await held();
    voice = await held();
    await database.query(`UPDATE test_runs SET modality = 'spoken', spoken = $2 WHERE id = $1`, [
      voice.id,
      JSON.stringify(spokenRun()),
    ]);
  });

  test('a regrade is spoken as it was, and calls nobody', async () => {
    const calls = agent.requests.length;
    const { body } = await api.post(`/api/v1/tests/${voice.id}/regrade`, {});
    const run = await untilFinal(api, body.id);
    expect(run).toMatchObject({ status: 'completed', passed_count: 2, modality: 'spoken', spoken: spokenRun() });
    expect(agent.requests).toHaveLength(calls);
  });

  test('no branch of it is begun', async () => {
    const [row] = await scenarioRunsOf(api, voice.id);
    expect(await api.post(`/api/v1/scenario-runs/${row?.id}/fork`, { at_turn: 2 })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('This conversation was spoken') },
    });
  });

  test('a comparison with the run in text says that voice is what differs', async () => {
    const { body } = await api.get(`/api/v1/tests/${voice.id}/comparison?before=${text.id}`);
    expect(body).toMatchObject({ scenarios: { compared: 2 } });
    expect(body.doubts).toContainEqual({
      kind: 'modality',
      sentence:
        'The run before is in text, and the run after spoken: the difference is what voice does to the agent, and no change of it.',
    });
  });

  test.each<[string, Partial<SpokenView>, RegExp | null]>([
    [
      'another line',
      { line: 'phone' },
      /^Spoken: espeak-ng 1\.51 en-us over wideband without a transcriber before, espeak-ng 1\.51 en-us over phone without a transcriber after\.$/,
    ],
    ['another seed of what disturbs it', { sounds: ['coughs'], seed: 2 }, /with coughs of seed 2/],
    ['another ear', { ear: { engine: 'ear.example', model: 'e1' } }, /heard by ear\.example e1 after/],
    ['another seed of nothing', { seed: 2 }, null],
    ['another release', { harness_version: '9.9.9', timing_error_ms: 99 }, null],
  ])('two spoken runs are compared, and %s is said', async (_, changes, sentence) => {
    const other = await untilFinal(api, (await api.post(`/api/v1/tests/${voice.id}/regrade`, {})).body.id);
    await database.query(`UPDATE test_runs SET spoken = $2 WHERE id = $1`, [
      other.id,
      JSON.stringify(spokenRun(changes)),
    ]);
    const { body } = await api.get(`/api/v1/tests/${other.id}/comparison?before=${voice.id}`);
    const said = body.doubts.filter(({ kind }: { kind: string }) => kind === 'spoken' || kind === 'modality');
    expect(said).toEqual(sentence === null ? [] : [{ kind: 'spoken', sentence: expect.stringMatching(sentence) }]);
  });

  test('a line through the runs of the agent does not join the two', async () => {
    const { body } = await api.get(`/api/v1/agents/${textId}/history`);
    const point = body.points.find(({ test_run_id }: { test_run_id: string }) => test_run_id === voice.id);
    expect(point).toMatchObject({ modality: 'spoken', comparable_to_previous: false, differs_in: ['modality'] });
  });

  test('verdicts on a scenario in text and by voice are two groups', async () => {
    const { body } = await api.get(`/api/v1/scenarios/${scenarioIds[0]}/history`);
    const modalities = body.history.map(({ modality }: { modality: string }) => modality);
    expect(modalities).toContain('text');
    expect(modalities).toContain('spoken');
  });
});

describe('without a speech server', () => {
  let espeak: TestService;
  let client: ApiClient;
  let agent_id: string;
  beforeAll(async () => {
    espeak = await startTestService();
    client = new ApiClient(espeak.url);
    await createScenarios(client, 1);
    agent_id = await createLiveKitAgent(client);
  });
  afterAll(() => espeak.close());

  test('espeak-ng speaks, and its version is kept', async () => {
    const { body } = await start({ agent_id, modality: 'spoken', spoken: { voice: 'en-us+f3' } }, client);
    expect((await client.get(`/api/v1/tests/${body.id}`)).body.spoken).toMatchObject({
      ear: null,
      voice_engine: { engine: 'espeak-ng', version: expect.stringMatching(/^\d/), voice: 'en-us+f3', rate: 1 },
      timing_error_ms: null,
    });
  });

  test.each([
    ['a voice that it does not have', { voice: 'en-us+f33' }, /^spoken\.voice: espeak-ng has no variant "f33"/],
    [
      'a voice that takes no variant',
      { voice: 'en-gb+f3' },
      /^spoken\.voice: espeak-ng speaks en-gb\+f3 with the plain voice/,
    ],
    [
      'a voice of another language',
      { voice: 'de' },
      /^spoken\.voice: "de" speaks de, and the patients speak en: name a voice for en/,
    ],
    ['a name that is no voice', { voice: 'alloy' }, /^spoken\.voice: .*no voice "alloy"/],
  ])('%s is refused, by the name of the field', async (_, spoken, sentence) => {
    const { status, error } = await refusalOf({ agent_id, modality: 'spoken', spoken }, client);
    expect({ status, error }).toEqual({ status: 400, error: expect.stringMatching(sentence) });
    expect(error).not.toContain('SPEECH_VOICE');
  });

  test('patients whose language no voice speaks are refused before the run is stored', async () => {
    const plans = espeak.app.get(SpokenPlans);
    await expect(
      plans.of({ modality: 'spoken', spoken: undefined }, [{ style: 'cooperative', language: 'xx' }]),
    ).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(
        /^patients: espeak-ng has no voice for xx: examine these patients in text, or set SPEECH_URL/,
      ),
    });
  });

  test.each(['fi', 'cs-CZ', 'tr', 'la'])('patients who speak %s have a voice of their language', async (language) => {
    const plans = espeak.app.get(SpokenPlans);
    const held = await plans.of({ modality: 'spoken', spoken: undefined }, [{ style: 'cooperative', language }]);
    expect(held).toMatchObject({ spoken: { voice_engine: { engine: 'espeak-ng', voice: language.slice(0, 2) } } });
  });

  test('a machine without it says how to install it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'no-programs-'));
    const path = process.env['PATH'];
    // What speaks looks for programs where it was told to when it started.
    const other = await startTestService();
    try {
      const bare = new ApiClient(other.url);
      await createScenarios(bare, 1);
      const spoken = { agent_id: await createLiveKitAgent(bare), modality: 'spoken' };
      process.env['PATH'] = folder;
      expect(await refusalOf(spoken, bare)).toEqual({
        status: 400,
        error: expect.stringMatching(/^modality: espeak-ng is not installed.*apt-get install espeak-ng.*SPEECH_URL/),
      });
    } finally {
      process.env['PATH'] = path;
      await other.close();
      await rm(folder, { recursive: true });
    }
  });
});
