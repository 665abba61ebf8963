import { soundOfPiece } from '../../../src/engine/audio';
import { piecesOf } from '../../../src/engine/audio/recording-pieces';
import type { TrackPiece } from '../../../src/engine/audio/recording-pieces';
import { CallRecording, type RecordingParts } from '../../../src/engine/speech/call-recording';
import { HeardAgent } from '../../../src/engine/speech/heard-agent';

const RATE = 16_000;

function ramp(length: number, from = 0): Int16Array {
  const samples = new Int16Array(length);
  for (let at = 0; at < length; at += 1) samples[at] = ((from + at) % 20_000) + 1_000;
  return samples;
}

function recorder(parts: Partial<RecordingParts> = {}, endMs?: number) {
  const kept: TrackPiece[] = [];
  const gaps: unknown[] = [];
  const recording = new CallRecording(
    {
      pack: (samples) => Promise.resolve(piecesOf({ samples, rate: RATE })),
      keep: async (piece) => {
        kept.push(piece);
        return true;
      },
      onGap: (error) => gaps.push(error),
      ...parts,
    },
    endMs,
  );
  return { recording, kept, gaps };
}

function trackOf(pieces: readonly TrackPiece[], track: TrackPiece['track'], length: number): Int16Array {
  const whole = new Int16Array(length);
  for (const { firstSample, samples, bytes, sha256: hash } of pieces.filter((piece) => piece.track === track)) {
    const sound = soundOfPiece({ bytes, hash });
    expect(sound.samples).toHaveLength(samples);
    whole.set(sound.samples, firstSample);
  }
  return whole;
}

describe('a recording', () => {
  it('has both tracks, each sample once at its place, in pieces of 10 s at most', async () => {
    const { recording, kept } = recorder();
    for (let second = 0; second < 25; second += 1) {
      recording.addAgent({ firstSample: second * RATE, samples: ramp(RATE, second * RATE) });
      // What is there already can be lost no more: a crash now loses less than a piece.
      await new Promise((resolve) => setImmediate(resolve));
      const lasting = kept.reduce((sum, { samples }) => sum + samples, 0);
      expect((second + 1) * RATE - lasting).toBeLessThan(10 * RATE);
    }
    recording.addPatient(30 * RATE + 7, ramp(12 * RATE));
    expect(await recording.finish()).toEqual({ complete: true, pieces: 5, lost_ms: 0 });
    expect(trackOf(kept, 'agent', 25 * RATE)).toEqual(ramp(25 * RATE));
    expect(trackOf(kept, 'patient', 42 * RATE + 7).slice(30 * RATE + 7)).toEqual(ramp(12 * RATE));
    for (const { samples } of kept) expect(samples).toBeLessThanOrEqual(10 * RATE);
  });

  it('leaves a hole where nothing was heard', async () => {
    const { recording, kept } = recorder();
    recording.addAgent({ firstSample: 0, samples: ramp(RATE) });
    recording.addAgent({ firstSample: 3 * RATE, samples: ramp(RATE) });
    await recording.finish();
    expect(kept.map(({ firstSample, samples }) => [firstSample, samples])).toEqual([
      [0, RATE],
      [3 * RATE, RATE],
    ]);
  });

  it('says what could not be kept, once, and goes on', async () => {
    let calls = 0;
    const { recording, gaps } = recorder({
      keep: () => {
        calls += 1;
        return calls <= 3
          ? Promise.reject(new Error('could not extend file: No space left on device'))
          : Promise.resolve(true);
      },
    });
    recording.addPatient(0, ramp(RATE));
    recording.addPatient(RATE, ramp(2 * RATE));
    expect(await recording.finish()).toEqual({ complete: false, pieces: 1, lost_ms: 1_000 });
    expect(gaps).toHaveLength(1);
  });

  it('holds two minutes at most while nothing can be kept', async () => {
    const { recording } = recorder({ keep: () => new Promise(() => undefined) });
    for (let minute = 0; minute < 10; minute += 1) recording.addPatient(minute * 60 * RATE, ramp(60 * RATE));
    expect(Reflect.get(recording, 'waiting')).toBe(120 * RATE);
  });

  it('counts as lost what was not kept by the end of a call, and nothing that was', async () => {
    const keep: RecordingParts['keep'] = ({ firstSample }) =>
      firstSample === 0 ? Promise.resolve(true) : new Promise(() => undefined);
    const { recording } = recorder({ keep }, 200);
    recording.addPatient(0, ramp(25 * RATE));
    expect(await recording.finish()).toEqual({ complete: false, pieces: 1, lost_ms: 15_000 });
  });

  it('is incomplete when its attempt is over', async () => {
    const { recording } = recorder({ keep: () => Promise.resolve(false) });
    recording.addPatient(0, ramp(RATE));
    expect(await recording.finish()).toMatchObject({ complete: false, lost_ms: 1_000 });
  });
});

describe('the sound of the agent', () => {
  it('stays without a seam where the clock wavers, and follows it where it does not', () => {
    const agent = new HeardAgent();
    const loud = ramp(RATE);
    expect(agent.add({ firstSample: 0, from: 100, samples: loud })?.firstSample).toBe(1_600);
    // 5 ms late, in the middle of a word.
    expect(agent.add({ firstSample: RATE, from: 1_105, samples: loud })?.firstSample).toBe(17_600);
    // 90 ms of frames were lost.
    expect(agent.add({ firstSample: 2 * RATE, from: 2_190, samples: loud })?.firstSample).toBe(35_040);
    // In silence the clock is followed at once: 2 ms early.
    const early = agent.add({ firstSample: 3 * RATE, from: 3_188, samples: new Int16Array(RATE) });
    expect([early?.firstSample, early?.samples.length]).toEqual([51_040, RATE - 32]);
  });

  it('is handed out turn by turn, with a little of what was before', () => {
    const agent = new HeardAgent();
    for (let second = 0; second < 5; second += 1) {
      agent.add({ firstSample: second * RATE, from: second * 1_000, samples: ramp(RATE, second * RATE) });
    }
    const first = agent.takeTurn();
    expect([first.firstSample, first.turnFrom, first.samples.length]).toEqual([0, 0, 5 * RATE]);
    expect(first.samples).toEqual(ramp(5 * RATE));
    agent.add({ firstSample: 5 * RATE, from: 5_000, samples: ramp(RATE, 5 * RATE) });
    const second = agent.takeTurn();
    expect([second.firstSample, second.turnFrom]).toEqual([3 * RATE, 5 * RATE]);
    expect(second.samples).toEqual(ramp(3 * RATE, 3 * RATE));
  });

  it('is held for five minutes at most', () => {
    const agent = new HeardAgent();
    for (let minute = 0; minute < 20; minute += 1) {
      agent.add({ firstSample: minute * 60 * RATE, from: minute * 60_000, samples: ramp(60 * RATE) });
    }
    expect(agent.takeTurn().samples.length).toBeLessThanOrEqual(300 * RATE);
  });
});
