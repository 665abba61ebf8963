import { randomUUID } from 'node:crypto';
import { Database } from '../../src/platform/database/database';
import { startFakeOpenAi } from '../fakes/openai-server';
import { startSpeechServer } from '../fakes/speech-server';
import type { FakeAgent } from '../fakes/fake-agent';
import type { HttpStub } from '../fakes/http-stub';
import { ApiClient, type Answer } from '../setup/api-client';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { spokenRun } from '../setup/spoken-run';

let speech: HttpStub;
let agent: FakeAgent;
let service: TestService;
let api: ApiClient;
let database: Database;
let voiceId: string;
let textId: string;
let scenarioIds: string[];
beforeAll(async () => {
  speech = await startSpeechServer();
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  service = await startTestService({ SPEECH_URL: `${speech.origin}/v1`, SPEECH_MODEL: 'speech-1' });
  api = new ApiClient(service.url);
  database = service.app.get(Database);
  const { body } = await api.get('/api/v1/scenarios');
  for (const { scenario_id } of body.scenarios) await api.delete(`/api/v1/scenarios/${scenario_id}`);
  scenarioIds = await createScenarios(api, 2);
  textId = await createAgent(api, agent.baseUrl);
  voiceId = await createLiveKitAgent();
});
afterAll(async () => {
  await service.close();
  await agent.close();
  await speech.close();
});

const ROOMS = { url: 'ws://127.0.0.1:9', api_key: 'k', api_secret: 's-0123456789-0123456789-0123456789' };

async function createLiveKitAgent(): Promise<string> {
  const config = { ...ROOMS, agent_name: 'a' };
  const { body } = await api.post('/api/v1/agents', { name: 'Voice agent', provider: 'livekit', config });
  return String(body.id);
}

const LATER = '9000-01-01T00:00:00.000Z';
const started = async (fields: object): Promise<Answer['body']> => {
  const { status, body } = await api.post('/start-run', fields);
  expect({ status, body }).toMatchObject({ status: 200 });
  return (await api.get(`/api/v1/tests/${body.id}`)).body;
};
const waiting = (fields: object = {}) => started({ agent_id: voiceId, scheduled_at: LATER, ...fields });
const twin = (of: string, fields: object = {}) => started({ twin_of: of, scheduled_at: LATER, ...fields });
const refusalOf = async (fields: object) => {
  const { status, body } = await api.post('/start-run', { scheduled_at: LATER, ...fields });
  return { status, error: body.error };
};

/** What a judge and a patient find of each conversation: scenario, copy, trial, patient and seed. */
const conversationsOf = (id: string) =>
  database.query(
    `SELECT position, scenario_id, scenario_name, scenario::text AS copy, scenario_revision, scenario_content_hash, trial,
            patient::text AS patient, examination::text AS examination
     FROM scenario_runs WHERE test_run_id = $1 ORDER BY position`,
    [id],
  );

/** A run in text that has ended, told to have been spoken: its twin is held in text, which needs no room. */
async function spokenInTheEnd(fields: object = {}): Promise<Answer['body']> {
  const run = await untilFinal(api, (await started({ agent_id: textId, max_turns: 5, trials: 2, ...fields })).id);
  await database.query(`UPDATE test_runs SET modality = 'spoken', spoken = $2 WHERE id = $1`, [
    run.id,
    JSON.stringify(spokenRun()),
  ]);
  return run;
}

describe('the twin of a run', () => {
  test('has its agent, scenarios as they were, trials, seeds and conditions, and the other modality', async () => {
    const text = await waiting({
      trials: 2,
      max_turns: 7,
      pass_threshold: 60,
      region: 'UK',
      agent_version: '4.2',
      name: 'Release',
      concurrency_limit: 3,
    });
    await api.patch(`/api/v1/scenarios/${scenarioIds[0]}`, { name: 'Edited since' });
    const spoken = await twin(text.id, { name: 'By phone', concurrency_limit: 2 });
    const same = ['agent_id', 'agent_config_hash', 'agent_version', 'trials', 'max_turns', 'pass_threshold', 'region'];
    for (const field of [...same, 'total_scenarios', 'test_suite_id']) expect(spoken[field]).toEqual(text[field]);
    expect(spoken).toMatchObject({ modality: 'spoken', twin_of: text.id, name: 'By phone', concurrency_limit: 2 });
    expect(spoken).toMatchObject({ derived_from: null, derivation: null, run_set_id: null, total_scenarios: 4 });
    const conversations = await conversationsOf(text.id);
    expect(await conversationsOf(spoken.id)).toEqual(conversations);
    expect(conversations).toMatchObject([{ scenario_name: 'Scenario 001' }, {}, {}, {}]);
    expect(new Set(conversations.map((one) => JSON.stringify(one))).size).toBe(4);
    expect(text.twin_of).toBeNull();
  });

  test('is of the first of the family, whichever is named, and all are disturbed by one seed', async () => {
    const text = await waiting();
    const wideband = await twin(text.id);
    const phone = await twin(wideband.test_run_id, { spoken: { line: 'phone' } });
    const noisy = await twin(text.id, { modality: 'spoken', spoken: { line: 'phone', noise: 'babble:10' } });
    const again = await twin(noisy.id, { modality: 'text' });
    expect([wideband, phone, noisy, again].map(({ twin_of }) => twin_of)).toEqual(Array(4).fill(text.id));
    expect([wideband, phone, noisy, again].map(({ modality }) => modality)).toEqual([
      'spoken',
      'spoken',
      'spoken',
      'text',
    ]);
    expect([phone.spoken.line, noisy.spoken.noise]).toEqual(['phone', 'babble:10']);
    expect(new Set([wideband, phone, noisy].map(({ spoken }) => spoken.seed)).size).toBe(1);
    const listed = async (of: string) =>
      (await api.get(`/api/v1/tests?twin_of=${of}`)).body.runs.map(({ id }: { id: string }) => id).sort();
    expect(await listed(text.id)).toEqual([wideband.id, phone.id, noisy.id, again.id].sort());
    expect(await listed(phone.test_run_id)).toEqual([text.id, wideband.id, noisy.id, again.id].sort());
    await api.delete(`/api/v1/tests/${text.id}`);
    expect(await listed(text.id)).toEqual([wideband.id, phone.id, noisy.id, again.id].sort());
    expect(await listed(phone.id)).toEqual([wideband.id, noisy.id, again.id].sort());
    expect((await twin(phone.id, { modality: 'text' })).twin_of).toBe(text.id);
  });

  test('of a spoken run keeps what is not named of its sound', async () => {
    const first = await waiting({
      modality: 'spoken',
      spoken: { voice: 'nova', rate: 1.25, sounds: ['pauses'], noise: 'hum:20', seed: 7 },
    });
    const { spoken } = await twin(first.id, { spoken: { line: 'mobile_bad' } });
    const kept = { voice: 'nova', rate: 1.25, sounds: ['pauses'], noise: 'hum:20', seed: 7 };
    expect(spoken).toMatchObject({ ...kept, line: 'mobile_bad' });
  });

  test('is started once for a key', async () => {
    const text = await waiting();
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const body = JSON.stringify({ twin_of: text.id, scheduled_at: LATER });
    const ask = async (): Promise<unknown> =>
      (await fetch(`${service.url}/start-run`, { method: 'POST', headers, body })).json();
    const [one, other] = [await ask(), await ask()];
    expect(one).toMatchObject({ status: 'scheduled', total_scenarios: 2 });
    expect(other).toEqual(one);
    expect((await api.get(`/api/v1/tests?twin_of=${text.id}`)).body.total).toBe(1);
  });

  test('of a purged scenario has the copy', async () => {
    const [extra = ''] = await createScenarios(api, 1, { name: 'Purged since' });
    const text = await waiting({ scenario_ids: [extra] });
    await api.delete(`/api/v1/scenarios/${extra}`);
    await database.query('DELETE FROM scenario_revisions WHERE scenario_id = $1', [extra]);
    await database.query('DELETE FROM scenarios WHERE id = $1', [extra]);
    expect(await conversationsOf((await twin(text.id)).id)).toMatchObject([{ scenario_name: 'Purged since' }]);
  });
});

describe('no twin is started', () => {
  test.each([
    ['agent_id', () => voiceId],
    ['agent_version', () => '4'],
    ['scenario_ids', () => scenarioIds],
    ['test_suite_id', () => randomUUID()],
    ['tags', () => ['test']],
    ['max_scenarios', () => 1],
    ['trials', () => 2],
    ['patients', () => [{ style: 'cooperative' }]],
    ['max_turns', () => 6],
    ['tester_model', () => 'openai/x'],
    ['judge_model', () => 'openai/x'],
    ['pass_threshold', () => 50],
    ['region', () => 'US'],
  ])('with another %s', async (field, value) => {
    const text = await waiting();
    expect(await refusalOf({ twin_of: text.id, [field]: value() })).toEqual({
      status: 400,
      error: `${field}: is that of the run that twin_of names, so that the two can be paired: leave it out`,
    });
  });

  test.each([
    ['an unknown run', () => randomUUID()],
    ['a text that is no run', () => 'run_nothing'],
    [
      'a deleted run',
      async () => {
        const { id } = await waiting();
        await api.delete(`/api/v1/tests/${id}`);
        return id;
      },
    ],
  ])('of %s', async (_, of) => {
    expect(await refusalOf({ twin_of: await of() })).toEqual({
      status: 400,
      error: 'twin_of: there is no such test run: name one by its id or label',
    });
  });

  test('without an agent or a run', async () => {
    expect(await refusalOf({})).toEqual({ status: 400, error: 'agent_id: is required' });
  });

  test('by voice, of an agent that is examined in text only', async () => {
    const { id, test_run_id } = await started({ agent_id: textId, scheduled_at: LATER });
    expect(await refusalOf({ twin_of: id })).toEqual({
      status: 400,
      error: expect.stringMatching(
        new RegExp(
          `^twin_of: agent "Agent under test" is of the kind openai, which is examined in text only \\(by voice: .*livekit.*\\), so ${test_run_id} has no spoken twin`,
        ),
      ),
    });
  });

  test('that would be held in the same way', async () => {
    const text = await waiting();
    expect(await refusalOf({ twin_of: text.id, modality: 'text' })).toEqual({
      status: 400,
      error: `modality: ${text.test_run_id} is in text too, and a twin is held differently: set modality to spoken, or leave it out`,
    });
    const spoken = await twin(text.id);
    for (const same of [{ modality: 'spoken' }, { spoken: {} }, { spoken: { line: 'wideband' } }]) {
      expect(await refusalOf({ twin_of: spoken.id, ...same })).toEqual({
        status: 400,
        error: expect.stringMatching(new RegExp(`^spoken: is as in ${spoken.test_run_id}: name a line, noise`)),
      });
    }
    expect(await refusalOf({ twin_of: spoken.id, spoken: { line: 'phone', seed: 3 } })).toEqual({
      status: 400,
      error: 'spoken.seed: is that of the run that twin_of names, so that the two can be paired: leave it out',
    });
  });

  test('of a run that began from another', async () => {
    const run = await spokenInTheEnd();
    const { body } = await api.post(`/api/v1/tests/${run.id}/regrade`, {});
    await untilFinal(api, body.id);
    expect(await refusalOf({ twin_of: body.id })).toEqual({
      status: 400,
      error: `twin_of: ${body.test_run_id} began from another run (regrade), so not all of it was held anew: name a run of scenarios`,
    });
  });

  test('of an agent that was changed since, that is inactive or deleted', async () => {
    const agent_id = await createLiveKitAgent();
    const text = await waiting({ agent_id });
    const change = (fields: object) => api.patch(`/api/v1/agents/${agent_id}`, fields);
    await change({ config: { ...ROOMS, agent_name: 'b' } });
    expect(await refusalOf({ twin_of: text.id })).toEqual({
      status: 409,
      error: expect.stringMatching(
        /^twin_of: the config of agent "Voice agent" was changed since run_.*start both runs anew/,
      ),
    });
    await change({ config: { ...ROOMS, agent_name: 'a' }, is_active: false });
    expect(await refusalOf({ twin_of: text.id })).toEqual({
      status: 400,
      error: expect.stringMatching(
        /^twin_of: the agent of run_.* cannot be examined \(Agent "Voice agent" is inactive\)/,
      ),
    });
    await api.delete(`/api/v1/agents/${agent_id}`);
    expect(await refusalOf({ twin_of: text.id })).toEqual({
      status: 400,
      error: expect.stringMatching(/^twin_of: the agent of run_.* cannot be examined \(Agent not found\)/),
    });
  });

  test('where another judge would mark', async () => {
    const text = await waiting();
    await database.query('INSERT INTO run_examiners (test_run_id, tester, judge) VALUES ($1, $2, $3)', [
      text.id,
      { name: 'offline', model: null, prompt_version: null },
      { name: 'openai', model: 'judge-9', prompt_version: null },
    ]);
    expect(await refusalOf({ twin_of: text.id })).toEqual({
      status: 409,
      error: expect.stringMatching(
        /^twin_of: run_.* was examined by offline and openai judge-9, and now it would be by offline and offline/,
      ),
    });
  });
});

describe('two twins are compared', () => {
  let spoken: Answer['body'];
  let text: Answer['body'];
  beforeAll(async () => {
    spoken = await spokenInTheEnd({ scenario_ids: scenarioIds });
    text = await untilFinal(api, (await started({ twin_of: spoken.id })).id);
    // Of four pairs: one failed by voice alone, one has no verdict there.
    await database.query(
      `UPDATE scenario_runs SET status = 'failed', passed = false, score_percent = 20 WHERE test_run_id = $1 AND position = 1`,
      [spoken.id],
    );
    await database.query(
      `UPDATE scenario_runs SET status = 'error', error_code = 'speech_failed', passed = NULL, score_percent = NULL
       WHERE test_run_id = $1 AND position = 4`,
      [spoken.id],
    );
  });
  const compare = (before: string, after: string, query = '&as=twins') =>
    api.get(`/api/v1/tests/${after}/comparison?before=${before}&min_coverage=0${query}`);

  test('pair by pair: what passed in which way, and why a pair could not be compared', async () => {
    expect(text).toMatchObject({ status: 'completed', modality: 'text', passed_count: 4 });
    const { body } = await compare(text.id, spoken.id);
    expect(body.twins).toMatchObject({
      before: 'in text',
      after: 'spoken over wideband',
      sentence: expect.stringMatching(
        /^What voice costs: spoken over wideband against in text, the pass rate is 25 points lower \(75 against 100 %; 95 % interval .*\); the mean score is \d+ points lower .*; 3 pairs of conversations in 2 scenarios\. These runs cannot tell whether that is chance\.$/,
      ),
      pairs: {
        total: 4,
        compared: 3,
        both_passed: 2,
        only_before_passed: 1,
        only_after_passed: 0,
        neither_passed: 0,
      },
      not_compared: [{ run: 'after', status: 'error', error_code: 'speech_failed', count: 1 }],
    });
    expect(body.tests.map(({ on }: { on: string }) => on)).toEqual(['passed', 'score', 'must_pass']);
    expect(body.groups).toMatchObject([{ group: null, scenarios: 2 }]);
  });

  test('the other way round says what text gains; without being asked they are twins too', async () => {
    const { body } = await compare(spoken.id, text.id, '');
    expect(body.twins).toMatchObject({
      before: 'spoken over wideband',
      after: 'in text',
      sentence: expect.stringMatching(
        /^What text gains: in text against spoken over wideband, the pass rate is 25 points higher/,
      ),
      pairs: { only_before_passed: 0, only_after_passed: 1 },
    });
  });

  test.each([
    [
      'started apart',
      async () => (await spokenInTheEnd({ scenario_ids: scenarioIds })).id,
      /they were started apart, so their seeds differ/,
    ],
    [
      'of another agent',
      async () => {
        const agent_id = await createAgent(api, agent.baseUrl);
        return (await spokenInTheEnd({ scenario_ids: scenarioIds, agent_id })).id;
      },
      /they examined different agents/,
    ],
    [
      'of other scenarios',
      async () => (await spokenInTheEnd({ scenario_ids: scenarioIds.slice(1) })).id,
      /they have different scenarios, or other versions of them/,
    ],
    [
      'of another number of trials',
      async () => (await spokenInTheEnd({ scenario_ids: scenarioIds, trials: 1 })).id,
      /they have different numbers of trials/,
    ],
  ])('runs %s are no twins: refused as such, and compared as ever otherwise', async (_, make, why) => {
    const other = await make();
    const { status, body } = await compare(text.id, other);
    expect({ status, error: body.error }).toEqual({ status: 400, error: expect.stringMatching(why) });
    expect(body.error).toMatch(/^as: run_.* and run_.* are no twins: .*osce run --twin-of/);
    expect((await compare(text.id, other, '')).body).toMatchObject({ twins: null });
  });

  test('another word is refused', async () => {
    expect(await compare(text.id, spoken.id, '&as=siblings')).toMatchObject({ status: 400 });
  });
});
