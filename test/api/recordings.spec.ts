import { Database } from '../../src/platform/database/database';
import { readWav } from '../../src/engine/audio';
import { ApiClient } from '../setup/api-client';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { constructedVoice, RATE, storeSpokenRun, type SpokenTurnGiven } from '../setup/stored-spoken-run';
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

const PATIENT = constructedVoice(25_000, 1);
/** Shorter than the patient's: what follows is silence. */
const AGENT = constructedVoice(17_500, 2);

const TURNS: readonly SpokenTurnGiven[] = [
  {
    said: 'My chest hurts.',
    replied: 'When did it start? Call 911 now.',
    spoken: {
      from_ms: 500,
      to_ms: 2_000,
      agent: [{ from_ms: 2_900, to_ms: 6_000 }],
      agent_sentences: [
        { id: 's1', from_ms: 2_900, to_ms: 4_000, certain: true },
        { id: 's2', from_ms: 4_000, to_ms: 6_000, certain: false },
      ],
      latency_ms: 900,
      own: 'When did it start? Call 911 now.',
      heard_by_agent: 'My chest hurts',
    },
  },
];

const recorded = async (given: { readonly status?: string } = {}): Promise<string> => {
  const { scenarioRunIds } = await storeSpokenRun(database, [
    { turns: TURNS, recording: { patient: PATIENT, agent: AGENT }, ...given },
  ]);
  return scenarioRunIds[0] ?? '';
};

const wav = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(`${service.url}/api/v1/scenario-runs/${path}`, { headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
};

const padded = (samples: Int16Array, length: number): Int16Array => {
  const all = new Int16Array(length);
  all.set(samples);
  return all;
};

describe('the recording of a spoken conversation', () => {
  test('is a WAV file with the patient on the left and the agent on the right, sample by sample', async () => {
    const id = await recorded();
    const { status, headers, bytes } = await wav(`${id}/recording.wav`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('audio/wav');
    expect(headers.get('content-length')).toBe(String(bytes.length));
    expect(headers.get('cache-control')).toContain('private');
    const { rate, channels } = readWav(bytes, 60);
    expect(rate).toBe(RATE);
    expect(channels).toEqual([PATIENT, padded(AGENT, PATIENT.length)]);
  });

  test('is cut at from and to, and one track of it is mono', async () => {
    const id = await recorded();
    const { bytes } = await wav(`${id}/recording.wav?track=agent&from=9500&to=12001`);
    const { channels } = readWav(bytes, 60);
    expect(channels).toEqual([AGENT.subarray(9_500 * 16, 12_001 * 16)]);
  });

  test('is sent in the bytes that Range asks for, and those are bytes of the whole', async () => {
    const id = await recorded();
    const whole = (await wav(`${id}/recording.wav`)).bytes;
    for (const [start, end] of [
      [0, 0],
      [0, 99],
      [40, 50],
      [44, 44],
      [45, 640_100],
      [639_990, 1_280_050],
      [whole.length - 3, whole.length - 1],
    ] as const) {
      const { status, headers, bytes } = await wav(`${id}/recording.wav`, { range: `bytes=${start}-${end}` });
      expect(status).toBe(206);
      expect(headers.get('content-range')).toBe(`bytes ${start}-${end}/${whole.length}`);
      expect(bytes.equals(whole.subarray(start, end + 1))).toBe(true);
    }
    const tail = await wav(`${id}/recording.wav`, { range: 'bytes=-7' });
    expect(tail.bytes.equals(whole.subarray(-7))).toBe(true);
  });

  test('has a range that begins behind its end refused, and sends the whole for one of another state', async () => {
    const id = await recorded();
    const beyond = await wav(`${id}/recording.wav`, { range: 'bytes=99999999-' });
    expect(beyond.status).toBe(416);
    expect(beyond.headers.get('content-range')).toMatch(/^bytes \*\/\d+$/);
    const other = await wav(`${id}/recording.wav`, { range: 'bytes=0-9', 'if-range': '"another"' });
    expect(other.status).toBe(200);
    const { headers } = await wav(`${id}/recording.wav`);
    const again = await wav(`${id}/recording.wav`, {
      'if-none-match': headers.get('etag') ?? '',
      'cache-control': 'max-age=0',
    });
    expect(again.status).toBe(304);
    const head = await fetch(`${service.url}/api/v1/scenario-runs/${id}/recording.wav`, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(headers.get('content-length'));
  });

  test('is refused with a sentence where a piece of it is damaged, and plays where that is left out', async () => {
    const id = await recorded();
    await database.query(
      `UPDATE recording_pieces SET bytes = set_byte(bytes, 40, get_byte(bytes, 40) # 1)
       WHERE scenario_run_id = $1 AND track = 'agent' AND first_sample = 160000`,
      [id],
    );
    const { status, body } = await api.get(`/api/v1/scenario-runs/${id}/recording.wav`);
    expect({ status, body }).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/the piece of the agent that begins at 10\.0 s is not what was recorded/) },
    });
    expect((await api.get(`/api/v1/scenario-runs/${id}/peaks`)).status).toBe(409);
    expect((await wav(`${id}/recording.wav?to=9000`)).status).toBe(200);
    expect((await wav(`${id}/recording.wav?track=patient`)).status).toBe(200);
  });

  test('is silent between pieces', async () => {
    const id = await recorded();
    await database.query(
      `DELETE FROM recording_pieces WHERE scenario_run_id = $1 AND track = 'patient' AND first_sample = 160000`,
      [id],
    );
    const { channels } = readWav((await wav(`${id}/recording.wav?track=patient`)).bytes, 60);
    const silent = PATIENT.slice();
    silent.fill(0, 160_000, 320_000);
    expect(channels).toEqual([silent]);
  });

  test.each([
    [
      'of a scenario run that is not there',
      () => '00000000-0000-4000-8000-000000000000',
      404,
      'Scenario run not found',
    ],
    ['of what is no id', () => 'none', 404, 'Scenario run not found'],
  ])('there is none %s', async (_what, idOf, status, error) => {
    const found = await api.get(`/api/v1/scenario-runs/${idOf()}/recording.wav`);
    expect(found).toMatchObject({ status, body: { error } });
  });

  test('there is none of a text run, and a sentence says so', async () => {
    const [scenario = ''] = await storeScenarios(database, ['In text']);
    const run = await storeGradedRun(database, [{ id: scenario, name: 'In text', outcomes: ['passed'] }]);
    const [row] = await database.query<{ id: string }>('SELECT id FROM scenario_runs WHERE test_run_id = $1', [run]);
    for (const what of ['recording.wav', 'peaks', 'speech']) {
      expect(await api.get(`/api/v1/scenario-runs/${row?.id}/${what}`)).toMatchObject({
        status: 404,
        body: { error: 'The conversation was held in text: nothing was spoken in it.' },
      });
    }
  });

  test('cannot be heard before the conversation is over', async () => {
    const id = await recorded({ status: 'running' });
    expect(await api.get(`/api/v1/scenario-runs/${id}/recording.wav`)).toMatchObject({
      status: 409,
      body: { error: 'The conversation is running: its recording can be heard when it has ended.' },
    });
    expect(await api.get(`/api/v1/scenario-runs/${id}/speech`)).toMatchObject({
      status: 200,
      body: { recording: { state: 'under_way' }, entries: [{ role: 'patient' }, { role: 'agent' }] },
    });
  });

  test('that is not kept any more says why', async () => {
    const { scenarioRunIds } = await storeSpokenRun(database, [
      { turns: TURNS },
      { turns: TURNS },
      { turns: TURNS, source: '7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34', carried: true },
      // Run again, as a retry does: its conversation is its own.
      { turns: TURNS, source: '7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34' },
    ]);
    const [nothing = '', old = '', carried = '', again = ''] = scenarioRunIds;
    await database.query(`UPDATE scenario_runs SET completed_at = now() - interval '31 days' WHERE id = $1`, [old]);
    for (const [id, error] of [
      [nothing, /nothing was recorded/],
      [old, /RECORDINGS_DAYS/],
      [carried, /7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34, whose recording it is/],
      [again, /nothing was recorded/],
    ] as const) {
      expect(await api.get(`/api/v1/scenario-runs/${id}/recording.wav`)).toMatchObject({
        status: 404,
        body: { error: expect.stringMatching(error) },
      });
    }
  });

  describe('is that of the attempt that held the turns which are kept', () => {
    /** Ends as this attempt, with turns that `heldBy` held in the conversation that the attempt `conversation` began. */
    const endsAs = async (
      id: string,
      {
        attempt,
        conversation,
        heldBy,
      }: { readonly attempt: number; readonly conversation: number; readonly heldBy: number },
    ) => {
      await database.query('UPDATE scenario_runs SET attempt = $2, conversation = $3 WHERE id = $1', [
        id,
        attempt,
        conversation,
      ]);
      await database.query(
        `UPDATE turns SET conversation = $2, metadata = jsonb_set(metadata::jsonb, '{spoken,attempt}', $3::jsonb)::json
         WHERE scenario_run_id = $1`,
        [id, conversation, String(heldBy)],
      );
    };
    const nothingIsHeardOf = async (id: string) => {
      for (const what of ['recording.wav', 'peaks']) {
        expect(await api.get(`/api/v1/scenario-runs/${id}/${what}`)).toMatchObject({
          status: 404,
          body: { error: expect.stringMatching(/nothing was recorded/) },
        });
      }
      expect((await api.get(`/api/v1/scenario-runs/${id}/speech`)).body).toMatchObject({
        recording: { state: 'none', ends_ms: null, kept: [] },
      });
    };

    test('where it was begun anew and nothing of it was recorded, there is none', async () => {
      const id = await recorded();
      await endsAs(id, { attempt: 2, conversation: 2, heldBy: 2 });
      await nothingIsHeardOf(id);
    });

    test('where an attempt before it was given back after the agent had greeted, there is none', async () => {
      const id = await recorded();
      await endsAs(id, { attempt: 2, conversation: 1, heldBy: 2 });
      await nothingIsHeardOf(id);
    });

    test('where it ended without a turn, there is none of an attempt before', async () => {
      const id = await recorded();
      await database.query(`UPDATE scenario_runs SET attempt = 2, turns = 0, conversation = 2 WHERE id = $1`, [id]);
      await nothingIsHeardOf(id);
    });

    test.each([
      ['where a later attempt went on to mark it', { attempt: 2, conversation: 1, heldBy: 1 }, [3], 1],
      ['where it was begun anew and recorded', { attempt: 2, conversation: 2, heldBy: 2 }, [2], 2],
      ['where both were recorded', { attempt: 3, conversation: 2, heldBy: 2 }, [2, 3], 2],
    ] as const)('%s, it is the right one', async (_when, ended, others, served) => {
      const id = await recorded();
      await endsAs(id, ended);
      for (const attempt of others) {
        // Begins later than the first, so that it can be told from it.
        await database.query(
          `INSERT INTO recording_pieces (scenario_run_id, attempt, track, first_sample, samples, sha256, bytes)
           SELECT scenario_run_id, $2, track, first_sample + $3, samples, sha256, bytes FROM recording_pieces
           WHERE scenario_run_id = $1 AND attempt = 1 AND first_sample = 0`,
          [id, attempt, attempt * 160_000],
        );
      }
      const ends_ms = served === 1 ? 25_000 : (served + 1) * 10_000;
      expect((await api.get(`/api/v1/scenario-runs/${id}/speech`)).body).toMatchObject({
        recording: { state: 'kept', ends_ms },
      });
      const { channels } = readWav((await wav(`${id}/recording.wav?track=patient`)).bytes, 60);
      expect(channels[0]?.length).toBe(ends_ms * 16);
      const at = served === 1 ? 0 : served * 160_000;
      expect(channels[0]?.subarray(at, at + 160_000)).toEqual(PATIENT.subarray(0, 160_000));
    });
  });

  test('goes with its run, at once', async () => {
    const { id, scenarioRunIds } = await storeSpokenRun(database, [
      { turns: TURNS, recording: { patient: PATIENT, agent: AGENT } },
    ]);
    expect((await api.delete(`/api/v1/tests/${id}`)).status).toBe(204);
    expect((await api.get(`/api/v1/scenario-runs/${scenarioRunIds[0]}/recording.wav`)).status).toBe(404);
    expect((await api.get(`/api/v1/scenario-runs/${scenarioRunIds[0]}/speech`)).status).toBe(404);
  });
});

describe('its peaks', () => {
  test('are the greatest amplitude of each interval', async () => {
    const id = await recorded();
    const { status, body } = await api.get(`/api/v1/scenario-runs/${id}/peaks?per_second=10&from=1000&to=2500`);
    expect({ status, body }).toMatchObject({ status: 200, body: { from_ms: 1_000, to_ms: 2_500, per_second: 10 } });
    const greatest = (samples: Int16Array, place: number) => {
      const part = samples.subarray(16_000 + place * 1_600, 16_000 + (place + 1) * 1_600);
      return Math.floor(Math.max(...part.map((sample) => Math.abs(sample))) / 128);
    };
    expect(body.patient).toEqual(Array.from({ length: 15 }, (_, place) => greatest(PATIENT, place)));
    expect(body.agent).toEqual(Array.from({ length: 15 }, (_, place) => greatest(AGENT, place)));
  });

  test.each(['from=2000&to=1000', 'from=9999999', 'per_second=0', 'per_second=1000', 'from=-1'])(
    'are refused for %s',
    async (query) => {
      expect((await api.get(`/api/v1/scenario-runs/${await recorded()}/peaks?${query}`)).status).toBe(400);
    },
  );
});

describe('its timeline', () => {
  test('says who said what when, and what of it can be heard', async () => {
    const id = await recorded();
    expect((await api.get(`/api/v1/scenario-runs/${id}/speech`)).body).toMatchObject({
      scenario_run_id: id,
      modality: 'spoken',
      start_ms: 0,
      timing_error_ms: 20,
      recording: { state: 'kept', ends_ms: 25_000, kept: [{ from_ms: 0, to_ms: 25_000 }], note: null },
      entries: [
        {
          turn: 1,
          role: 'patient',
          spoken: { from_ms: 500, to_ms: 2_000, heard_by_agent: 'My chest hurts', timing_reliable: true },
        },
        {
          turn: 1,
          role: 'agent',
          spoken: { from_ms: 2_900, to_ms: 6_000, latency_ms: 900, segments: [{ from_ms: 2_900, to_ms: 6_000 }] },
        },
      ],
    });
  });

  test('tells the words of each sentence, what happened at a moment, and where own account and sound differ', async () => {
    const { scenarioRunIds } = await storeSpokenRun(database, [
      {
        content: { red_flags: ['crushing pain'] },
        turns: [
          {
            said: 'Hello. I have a crushing pain.',
            replied: 'Take fifty milligrams. Call 911 now.',
            spoken: {
              ...{ from_ms: 1_000, to_ms: 4_000, agent: [{ from_ms: 5_000, to_ms: 8_500 }] },
              sentences: [
                { id: 'p1', from_ms: 1_000, to_ms: 1_600 },
                { id: 'p2', from_ms: 2_000, to_ms: 4_000 },
              ],
              agent_sentences: [
                { id: 's1', from_ms: 5_000, to_ms: 6_500, certain: true },
                { id: 's2', from_ms: 6_700, to_ms: 8_500, certain: false },
              ],
              own: 'Take 50 mg. Call 112 now, please.',
              heard: 'Take fifty milligrams. Call 911 now.',
              interjection: {
                ...{ kind: 'backchannel', from_ms: 6_000, to_ms: 6_300, reliable: true, agent_unfinished: false },
                words: 'Mm-hm.',
              },
            },
          },
          {
            said: 'And then?',
            replied: '',
            spoken: {
              ...{ from_ms: 16_000, to_ms: 18_000, agent: [{ from_ms: 17_000, to_ms: 18_500 }] },
              ...{ own: 'Rest.', inaudible: true },
            },
          },
          {
            said: 'Yes?',
            replied: 'Hm.',
            spoken: {
              ...{ from_ms: 25_000, to_ms: 26_000, agent: [{ from_ms: 31_000, to_ms: 32_000 }] },
              // An ear that is not believed proves nothing against the account.
              ...{ own: 'Yes, thank you.', heard: 'Hm.', heard_doubtful: 'repeated' },
            },
          },
        ],
      },
    ]);
    const { body } = await api.get(`/api/v1/scenario-runs/${scenarioRunIds[0]}/speech`);
    const [patient, agent, , unheard] = body.entries;
    expect(patient.sentences).toMatchObject([
      { id: 'p1', text: 'Hello.', from_ms: 1_000 },
      { id: 'p2', text: 'I have a crushing pain.', from_ms: 2_000, to_ms: 4_000 },
    ]);
    expect(patient.account).toBeNull();
    expect(agent.sentences).toMatchObject([
      { id: 's1', text: 'Take fifty milligrams.', certain: true },
      { id: 's2', text: 'Call 911 now.', certain: false },
    ]);
    expect(agent.account.filter(({ same }: { same: boolean }) => !same)).toEqual([
      { own: '112 ', sound: '911 ', same: false },
      { own: 'please.', sound: '', same: false },
    ]);
    expect(agent.account.map(({ own }: { own: string }) => own).join('')).toBe('Take 50 mg. Call 112 now, please.');
    expect(unheard.account).toEqual([{ own: 'Rest.', sound: '', same: false }]);
    expect(body.entries[5].account).toBeNull();
    expect(body.marks).toEqual([
      { kind: 'red_flag', turn: 1, from_ms: 2_000, to_ms: 4_000, outcome: null, after_ms: null },
      { kind: 'backchannel', turn: 1, from_ms: 6_000, to_ms: 6_300, outcome: 'talked_through', after_ms: 2_500 },
      { kind: 'premature_start', turn: 2, from_ms: 17_000, to_ms: 18_000, outcome: null, after_ms: null },
      { kind: 'dead_air', turn: 3, from_ms: 26_000, to_ms: 31_000, outcome: null, after_ms: null },
    ]);
  });

  test('as labels for Audacity has one line a label, whatever was said', async () => {
    const hostile = 'Ow\t1\t2\nforged\u2028label\u001b[31m\u202e';
    const { scenarioRunIds } = await storeSpokenRun(database, [
      {
        turns: [
          {
            said: hostile,
            replied: 'Yes.',
            spoken: { from_ms: 1_000, to_ms: 1_500, agent: [{ from_ms: 2_000, to_ms: 2_500 }], timing_reliable: false },
          },
        ],
      },
    ]);
    const { status, headers, bytes } = await wav(`${scenarioRunIds[0]}/speech?format=audacity`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/plain');
    expect(bytes.toString()).toBe(
      '1.000000\t1.500000\t1 patient (timing unreliable): Ow 1 2 forged label [31m\n' +
        '2.000000\t2.500000\t1 agent (timing unreliable): Yes.\n',
    );
  });
});
