import { keptSpokenTurn } from '../../../contract/spoken-turns';
import type { Reply, SpokenTurn } from '../../../src/agents/provider';
import type { SpokenRun } from '../../../src/domain';
import { soundOfPiece } from '../../../src/engine/audio';
import type { TrackPiece } from '../../../src/engine/audio/recording-pieces';
import { SpeechBench, type ControlResult } from '../../../src/engine/speech/speech-jobs';
import { requireEngines, SpokenCall } from '../../../src/engine/speech/spoken-call';
import { settingsFrom } from '../../../src/platform/config/settings';
import { describeWithProgram } from '../../setup/describe-with-program';
import { keysHeardIn } from '../../setup/heard-keys';
import { patientSoundOf } from '../../setup/patient-sound';
import { constructedSpeech } from '../audio/constructed-speech';

const never = new AbortController().signal;
const RATE = 16_000;

const SPOKEN: SpokenRun = {
  voice: null,
  rate: 1,
  line: 'phone',
  noise: null,
  sounds: [],
  seed: 7,
  ear: null,
  voice_engine: { engine: 'espeak-ng', version: '1.51', voice: 'en-us', rate: 1 },
  timing_error_ms: null,
  harness_version: '0.1.0',
};

const CONTROL: ControlResult = {
  clip: {
    sentence: 'Hello.',
    words: 'Hello.',
    durationMs: 800,
    voicedMs: 700,
    levelDbfs: -20.06,
    clippedShare: 0,
    heard: null,
  },
  voice: { engine: 'espeak-ng', version: '1.51', voice: 'en-us', rate: 1 },
  ear: null,
};

function open(spoken: Partial<SpokenRun> = {}) {
  const { speech, egress } = settingsFrom({});
  const bench = new SpeechBench({ speech, egress });
  const kept: TrackPiece[] = [];
  const call = new SpokenCall(
    {
      spoken: { ...SPOKEN, ...spoken },
      noise: null,
      language: 'en',
      scenarioId: 'a scenario',
      speech: {},
      attempt: 2,
      trial: 1,
    },
    {
      thread: { run: (name, request, signal) => bench.do(name, request, signal) },
      control: CONTROL,
      keep: (piece) => Promise.resolve(kept.push(piece) > 0),
      onGap: () => undefined,
    },
  );
  return { call, kept };
}

const replyOf = (spoken: Partial<SpokenTurn>, content = 'When did it begin?'): Reply => ({
  content,
  latencyMs: 0,
  continuation: null,
  metadata: {},
  spoken: {
    said: { from: 0, to: 0 },
    interjection: null,
    heard: [],
    echoes: [],
    latencyMs: null,
    isReliable: true,
    own: content,
    isBrokenOff: false,
    understood: 'my chest hurts',
    ...spoken,
  },
});

/** A second of silence after each second of the voice. */
const voice = constructedSpeech(2, RATE, 3).sound.samples;

describeWithProgram('espeak-ng', 'a call', () => {
  it('keeps with its turn when each thing was said, and records it there', async () => {
    const { call, kept } = open();
    const message = 'My chest hurts. It began two hours ago.';
    await call.prepare(1, message, never);
    const { samples, interjection } = await call.patient.utter(message, never);
    expect(interjection).toBeNull();
    const from = 3_000.02;
    const saidMs = samples.length / 48;
    call.patient.onUttered('turn', { from, to: from + saidMs });
    const began = from + saidMs + 500;
    call.patient.onSound({ firstSample: 0, from: began, samples: voice });
    const { content, notes } = await call.reply(replyOf({}), never);
    expect(content).toBe('When did it begin?');
    expect(notes).toMatchObject({
      from_ms: 3_000,
      own: 'When did it begin?',
      heard: null,
      heard_doubtful: false,
      heard_by_agent: 'my chest hurts',
      attempt: 2,
      inaudible: false,
      timing_reliable: true,
      pauses: [],
      disturbances: [],
      interjection: null,
      sentences: [
        { id: 'p1', from_ms: 3_000, words: 'My chest hurts.' },
        { id: 'p2', words: 'It began two hours ago.' },
      ],
      agent_sentences: [{ id: 's1', certain: true }],
    });
    const facts = await call.finish();
    expect(facts).toMatchObject({ metrics_version: 1, recording: { complete: true, pieces: 2 } });
    const patient = kept.find(({ track }) => track === 'patient');
    expect(patient?.firstSample).toBe(3_000 * 16);
    const sound = soundOfPiece({ bytes: patient?.bytes ?? new Uint8Array(), hash: patient?.sha256 ?? '' });
    const again = await patientSoundOf(message, { scenario_id: 'a scenario', turn: 1, seed: 7 });
    expect(sound.samples).toEqual(again);
  });

  it('presses keys in place of speaking, and times the answer from the last tone', async () => {
    const { call, kept } = open();
    await call.prepare(1, { keys: '1w5' }, never);
    const { samples, keys } = await call.patient.utter('[presses 1 5]', never);
    expect(keys).toEqual([
      { key: '1', afterMs: 100 },
      { key: '5', afterMs: 800 },
    ]);
    expect(samples).toHaveLength(800 * 48);
    call.patient.onUttered('turn', { from: 3_000, to: 3_800 });
    call.patient.onSound({ firstSample: 0, from: 4_300, samples: voice });
    const { notes } = await call.reply(replyOf({}), never);
    expect(notes).toMatchObject({ from_ms: 3_000, to_ms: 3_800, keys: '1w5', sentences: [], disturbances: [] });
    const [first] = keptSpokenTurn.parse(notes).agent;
    expect(notes['latency_ms']).toBeCloseTo((first?.from_ms ?? 0) - 3_800, 3);
    await call.finish();
    const patient = kept.find(({ track }) => track === 'patient');
    const sound = soundOfPiece({ bytes: patient?.bytes ?? new Uint8Array(), hash: patient?.sha256 ?? '' });
    expect(keysHeardIn(sound)).toBe('15');
  });

  it('marks nothing of words without a voice', async () => {
    const { call } = open();
    await call.prepare(1, 'Hello there.', never);
    call.patient.onUttered('turn', { from: 0, to: 900 });
    call.patient.onSound({ firstSample: 0, from: 900, samples: new Int16Array(3 * RATE) });
    const { content, notes } = await call.reply(replyOf({}, 'Please call an ambulance now.'), never);
    expect(content).toBe('');
    expect(notes).toMatchObject({ inaudible: true, own: 'Please call an ambulance now.', agent: [], latency_ms: null });
  });

  it('does not take the patient’s own voice that comes back for the agent’s', async () => {
    const { call, kept } = open();
    await call.prepare(1, 'Hello there.', never);
    call.patient.onUttered('turn', { from: 0, to: 900 });
    call.patient.onSound({ firstSample: 0, from: 900, samples: voice });
    const echoes = [{ from: 900, to: 900 + voice.length / 16 }];
    const { content, notes } = await call.reply(replyOf({ echoes }, 'Please call an ambulance now.'), never);
    expect(content).toBe('');
    expect(notes).toMatchObject({ inaudible: true, agent: [] });
    // It stays in the recording.
    await call.finish();
    const agent = kept.find(({ track }) => track === 'agent');
    const { samples } = soundOfPiece({ bytes: agent?.bytes ?? new Uint8Array(), hash: agent?.sha256 ?? '' });
    expect(samples).toEqual(voice.subarray(0, samples.length));
  });

  it('takes what was said before the first turn for a greeting', async () => {
    const { call } = open();
    call.patient.onSound({ firstSample: 0, from: 100, samples: voice });
    expect(await call.greeting('Good morning.', never)).toBe('Good morning.');
    await call.prepare(1, 'Hello there.', never);
    call.patient.onSound({
      firstSample: voice.length,
      from: 100 + voice.length / 16,
      samples: new Int16Array(3 * RATE),
    });
    expect((await call.reply(replyOf({}), never)).content).toBe('');
  });

  it('of a hushed utterance only what was said is recorded', async () => {
    const { call, kept } = open();
    await call.prepare(1, 'A long complaint, which goes on and on.', never);
    call.patient.onUttered('turn', { from: 1_000, to: 1_500 });
    await call.finish();
    expect(kept.map(({ samples }) => samples)).toEqual([RATE / 2]);
  });

  it('needs a message to say', async () => {
    await expect(open().call.patient.utter('Hello', never)).rejects.toThrow('nothing to say');
  });
});

it.each([
  ['another voice', { voice_engine: { ...SPOKEN.voice_engine, version: '1.52' } }, 'engine_missing'],
  ['an ear that is not there', { ear: { engine: 'ear.example', model: 'whisper-1' } }, 'model_unknown'],
])('a run made with %s is not held with others', (_, spoken, kind) => {
  expect(() => requireEngines({ ...SPOKEN, ...spoken }, CONTROL)).toThrow(expect.objectContaining({ kind }));
  expect(() => requireEngines(SPOKEN, CONTROL)).not.toThrow();
});
