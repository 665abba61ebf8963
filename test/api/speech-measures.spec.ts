import { Database } from '../../src/platform/database/database';
import { ApiClient } from '../setup/api-client';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { storeSpokenRun, type SpokenConversationGiven, type SpokenTurnGiven } from '../setup/stored-spoken-run';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let database: Database;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  database = service.app.get(Database);
});
afterAll(() => service.close());

/** The agent answers so many ms after the patient, each turn 10 s after the last. */
const turns = (...latencies: readonly number[]): SpokenTurnGiven[] =>
  latencies.map((latency, at) => ({
    said: 'I take 15 mg of warfarin.',
    replied: 'You take 15 mg of warfarin.',
    spoken: {
      from_ms: at * 10_000,
      to_ms: at * 10_000 + 2_000,
      agent: [{ from_ms: at * 10_000 + 2_000 + latency, to_ms: at * 10_000 + 4_000 + latency }],
      heard_by_agent: at === 0 ? 'I take 50 mg of warfarin.' : 'I take 15 mg of warfarin.',
      latency_ms: latency,
    },
  }));

const CARD = { script: 'You take 15 mg of warfarin.', chief_complaint: 'I bleed.' };

const measuresOf = async (id: string, query = '') => {
  const { status, body } = await api.get(`/api/v1/tests/${id}/speech${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};

describe('the measures of a spoken run', () => {
  test('are made of all its conversations, with intervals, and the error of the clock stands beside them', async () => {
    const conversations: SpokenConversationGiven[] = Array.from({ length: 12 }, (_, at) => ({
      turns: turns(500 + at * 10, 1_000 + at * 10),
      content: CARD,
    }));
    const { id } = await storeSpokenRun(database, conversations);
    const body = await measuresOf(id);
    expect(body).toMatchObject({
      test_run_id: id,
      metrics_version: 1,
      confidence: 95,
      line: 'phone',
      ear: null,
      timing_error_ms: 20,
      conversations: { total: 12, spoken: 12 },
      turns: { spoken: 24, unreliable: 0, inaudible: 0 },
      response_latency: { events: 24, max_ms: 1_110 },
      premature_starts: { events: 24, hits: 0, rate: { value: 0, low: 0 } },
      heard_words: { turns: 24, not_measurable: 0, error_rate: { value: expect.closeTo(1 / 12, 6) } },
      entities: { mentions: 48, not_measurable: 0, errors: { events: 48, hits: 12 }, unrecovered: { hits: 0 } },
      own_against_heard: null,
      by_turn: null,
    });
    // numpy.quantile([500, 510, …, 610, 1000, …, 1110], 0.5) and 0.95
    expect(body.response_latency.p50_ms.value).toBe(805);
    expect(body.response_latency.p95_ms.value).toBeCloseTo(1_098.5, 6);
    expect(body.response_latency.p50_ms.low).toBeLessThan(805);
    expect(body.response_latency.p50_ms.high).toBeGreaterThan(805);
    // No value of 24 lies above the 95th percentile with this confidence.
    expect(body.response_latency.p95_ms.high).toBeNull();
    expect(body.premature_starts.rate.high).toBeGreaterThan(0.1);
  });

  test('of fewer than ten events are counts alone, and what is not known is a sentence and not 0', async () => {
    const [first] = turns(700);
    const silent = {
      ...first,
      said: 'Ow.',
      replied: 'Oh.',
      spoken: { from_ms: 0, to_ms: 1_000, agent: [{ from_ms: 1_700, to_ms: 2_500 }] },
    };
    const { id } = await storeSpokenRun(database, [{ turns: [silent], content: CARD }], { timingErrorMs: null });
    const body = await measuresOf(id);
    expect(body).toMatchObject({
      timing_error_ms: null,
      response_latency: { events: 1, p50_ms: null, p95_ms: null, max_ms: 700 },
      premature_starts: { events: 1, hits: 0, rate: null },
      pause_tolerance: { tolerated_ms: null, pauses: [] },
      yield: { events: 0, p50_ms: null, max_ms: null },
      heard_words: { turns: 0, not_measurable: 1, error_rate: null },
      entities: { errors: { events: 0, rate: null } },
      time_to_escalation: { events: 0, p50_ms: null },
    });
    expect(body.not_measurable.join(' ')).toMatch(
      /error of the times is not known.*does not tell.*No ear is set.*fewer than 10/,
    );
  });

  test('count turns that were disturbed on our side, and have them in no figure', async () => {
    const [good, bad] = turns(600, 9_000);
    const disturbed = bad && { ...bad, spoken: { ...bad.spoken, timing_reliable: false } };
    const { id } = await storeSpokenRun(database, [
      { turns: [good, disturbed].flatMap((one) => one ?? []), content: CARD },
    ]);
    expect(await measuresOf(id)).toMatchObject({
      turns: { spoken: 2, unreliable: 1 },
      response_latency: { events: 1, max_ms: 600 },
      heard_words: { turns: 1 },
      dead_air: { silences: 0 },
      not_measurable: expect.arrayContaining([expect.stringMatching(/^1 of 2 turns were disturbed/)]),
    });
  });

  test('tell each turn on demand, a page of conversations at a time', async () => {
    const { id, scenarioRunIds } = await storeSpokenRun(
      database,
      Array.from({ length: 3 }, () => ({ turns: turns(500, 900), content: CARD })),
    );
    const { by_turn } = await measuresOf(id, '?by=turn&limit=1&offset=1');
    expect(by_turn).toMatchObject({
      conversations: 3,
      results: [
        {
          scenario_run_id: scenarioRunIds[1],
          turn: 1,
          answer: 'answered',
          latency_ms: 500,
          word_errors: { words: 6, substitutions: 1, deletions: 0, insertions: 0 },
          entities: [
            { kind: 'medicine', outcome: 'heard' },
            { kind: 'dose', outcome: 'wrong', heard_as: 'fifty milligrams', read_back: 'right', unrecovered: false },
          ],
        },
        { turn: 2, latency_ms: 900 },
      ],
    });
    expect((await measuresOf(id, '?by=turn&offset=9')).by_turn).toEqual({ conversations: 3, results: [] });
  });

  test('read interruptions, backchannels and pauses', async () => {
    const interjected = (kind: 'interruption' | 'backchannel', stopsAfter: number): SpokenTurnGiven => ({
      said: 'Hello there.',
      replied: 'Hello.',
      spoken: {
        from_ms: 0,
        to_ms: 3_000,
        pauses: [{ from_ms: 1_000, to_ms: 2_000, scripted_ms: 1_000 }],
        agent: [{ from_ms: 4_000, to_ms: 5_000 + stopsAfter }],
        interjection: { kind, from_ms: 5_000, to_ms: 5_400, reliable: true, agent_unfinished: true, words: 'Wait.' },
      },
    });
    const { id } = await storeSpokenRun(database, [
      ...Array.from({ length: 10 }, () => ({ turns: [interjected('interruption', 700)] })),
      ...Array.from({ length: 4 }, () => ({ turns: [interjected('backchannel', 300)] })),
      ...Array.from({ length: 6 }, () => ({ turns: [interjected('backchannel', 2_500)] })),
    ]);
    expect(await measuresOf(id)).toMatchObject({
      yield: { events: 10, p50_ms: { value: 700 }, max_ms: 700 },
      yielded_in_time: { events: 10, hits: 10, rate: { value: 1, high: 1 } },
      backchannels: { talked_through: 6, gave_up: 4 },
      false_yields: { events: 10, hits: 4, rate: { value: 0.4 } },
      pause_tolerance: { tolerated_ms: 1_000, pauses: [{ scripted_ms: 1_000, tolerated: { events: 20, hits: 20 } }] },
    });
  });

  test('are refused of what is no spoken run', async () => {
    const [scenario = ''] = await storeScenarios(database, ['In text']);
    const text = await storeGradedRun(database, [{ id: scenario, name: 'In text', outcomes: ['passed'] }]);
    expect(await api.get(`/api/v1/tests/${text}/speech`)).toMatchObject({
      status: 404,
      body: { error: 'The run was in text: nothing was spoken in it.' },
    });
    expect(await api.get('/api/v1/tests/none/speech')).toMatchObject({
      status: 404,
      body: { error: 'Test run not found' },
    });
    expect((await api.get(`/api/v1/tests/${text}/speech?by=word`)).status).toBe(400);
  });

  test('leave out what this release does not understand of a turn', async () => {
    const { id, scenarioRunIds } = await storeSpokenRun(database, [{ turns: turns(500, 600) }]);
    await database.query(
      `UPDATE turns SET metadata = '{"spoken": {"from_ms": "soon"}}' WHERE scenario_run_id = $1 AND turn = 1`,
      [scenarioRunIds[0]],
    );
    expect(await measuresOf(id)).toMatchObject({ turns: { spoken: 1 }, response_latency: { events: 1, max_ms: 600 } });
  });
});
