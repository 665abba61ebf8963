import { USUAL_PATIENT } from '../../src/domain/patient';
import { Database } from '../../src/platform/database/database';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios, scenarioRunsOf } from '../setup/examination';
import { storeGradedRun, storeScenarios, type GradedRunOptions } from '../setup/graded-run';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let database: Database;
let ids: string[];
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  database = service.app.get(Database);
  ids = await storeScenarios(
    database,
    Array.from({ length: 20 }, (_, place) => `Scenario ${place + 1}`),
  );
});
afterAll(() => service.close());

const run = (outcomesOf: (place: number) => readonly string[], options: GradedRunOptions = {}) =>
  storeGradedRun(
    database,
    ids.map((id, place) => ({ id, name: `Scenario ${place + 1}`, outcomes: outcomesOf(place) })),
    options,
  );

const one = (outcome: string) => [outcome];
const wavering = (place: number) => ['passed', place % 3 === 0 ? 'failed' : 'passed', place < 8 ? 'failed' : 'passed'];

describe('the graded pass rate of a run that has ended', () => {
  test.each<[string, (place: number) => readonly string[], GradedRunOptions]>([
    ['of one trial', (place) => one(place < 17 ? 'passed' : 'failed'), {}],
    ['of several, where trials are no independent ones', wavering, {}],
    [
      'of which some ended in error',
      (place) => one(place < 10 ? 'passed' : place < 15 ? 'failed' : 'connect_failed'),
      {},
    ],
    [
      'of several patients',
      (place) => one(place < 12 ? 'passed' : 'failed'),
      {
        patients: [USUAL_PATIENT, { style: 'anxious', language: 'de' }],
      },
    ],
    ['that was canceled', (place) => one(place < 3 ? 'passed' : 'canceled'), { status: 'canceled' }],
    ['where all passed', () => one('passed'), {}],
  ])('%s has the interval of its statistics, in the list and alone', async (_what, outcomesOf, options) => {
    const id = await run(outcomesOf, options);
    const { body: statistics } = await api.get(`/api/v1/tests/${id}/statistics`);
    const { value, low, high } = statistics.graded_pass_rate;
    for (let look = 0; look < 2; look += 1) {
      const { body: list } = await api.get('/api/v1/tests');
      expect(list.runs.find((one: { id: string }) => one.id === id).graded_pass_rate).toEqual({ value, low, high });
      const { body: alone } = await api.get(`/api/v1/tests/${id}`);
      expect(alone.graded_pass_rate).toEqual({ value, low, high });
    }
  });

  test('is null where nothing was graded', async () => {
    const id = await run(() => one('connect_failed'));
    expect((await api.get(`/api/v1/tests/${id}`)).body).toMatchObject({ graded_pass_rate: null });
  });

  test('is null while the run is under way', async () => {
    const slow = await startFakeOpenAi({ delayMs: 600_000 });
    const { body } = await api.post('/start-run', {
      agent_id: await createAgent(api, slow.baseUrl, { turn_timeout_ms: 600_000 }),
      scenario_ids: await createScenarios(api, 1),
    });
    expect((await api.get(`/api/v1/tests/${body.id}`)).body).toMatchObject({
      status: 'running',
      graded_pass_rate: null,
    });
    await api.post('/cancel-run', { id: body.id });
    await slow.close();
  });
});

describe('how many scenario runs of a run failed by a must-pass criterion', () => {
  const criteria = ({ name }: { readonly name: string }) => [
    {
      criterion: 'Asks about suicide',
      tags: ['must_pass'],
      decision: name === 'Scenario 20' ? 'NOT MET' : 'MET',
      max_points: 5,
    },
  ];
  const outcomes = (place: number) => one(place < 19 ? 'passed' : 'failed');
  const countOf = async (id: string) => {
    const { body: list } = await api.get('/api/v1/tests?limit=100');
    const { body: alone } = await api.get(`/api/v1/tests/${id}`);
    const listed = list.runs.find((run: { id: string }) => run.id === id);
    expect(listed.must_pass_violated_count).toBe(alone.must_pass_violated_count);
    return alone.must_pass_violated_count;
  };

  test('stands beside a rate of 95 %, which does not show it', async () => {
    const id = await run(outcomes, { criteria });
    expect((await api.get(`/api/v1/tests/${id}`)).body.pass_rate).toBe(95);
    expect(await countOf(id)).toBe(1);
  });

  test('is 0 where none did', async () => {
    expect(await countOf(await run(outcomes))).toBe(0);
  });
});

describe('the scenario runs of some scenarios', () => {
  test.each([
    ['repeated', (chosen: readonly string[]) => chosen.map((id) => `&scenario_id=${id}`).join('')],
    ['with commas', (chosen: readonly string[]) => `&scenario_id=${chosen.join(',')}`],
  ])('are listed alone, their ids %s', async (_how, query) => {
    const id = await run(wavering);
    const chosen = [ids[4] ?? '', ids[11] ?? ''];
    const { status, body } = await api.get(`/api/v1/scenario-runs?test_run_id=${id}${query(chosen)}`);
    expect({ status, total: body.total }).toEqual({ status: 200, total: 6 });
    const all = await scenarioRunsOf(api, id);
    expect(body.results).toEqual(all.filter((one: { scenario_id: string }) => chosen.includes(one.scenario_id)));
  });

  test('are none for a scenario that the run did not have, and an id that is none is refused', async () => {
    const id = await run(wavering);
    expect(await api.get(`/api/v1/scenario-runs?test_run_id=${id}&scenario_id=${id}`)).toMatchObject({
      status: 200,
      body: { results: [], total: 0 },
    });
    expect(await api.get(`/api/v1/scenario-runs?test_run_id=${id}&scenario_id=x`)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('scenario_id') },
    });
  });
});
