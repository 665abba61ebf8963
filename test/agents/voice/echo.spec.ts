import { EchoSearch, ECHO_RATE, forComparison } from '../../../src/agents/voice/echo';
import { EchoWatch } from '../../../src/agents/voice/echo-watch';
import { SeededVoice } from '../../fakes/seeded-voice';

const SAID_AT = 10_000;
const PATIENT = new SeededVoice(1).samples(3_000, ECHO_RATE);
const search = new EchoSearch({ at: SAID_AT, samples: PATIENT });

/** Silence of 6 s from the moment that the patient began, with something in it. */
function heard(...parts: { readonly fromMs: number; readonly samples: Int16Array; readonly gain: number }[]) {
  const samples = new Int16Array((6_000 * ECHO_RATE) / 1_000);
  for (const { fromMs, samples: part, gain } of parts) {
    part.forEach((sample, at) => {
      const place = (fromMs * ECHO_RATE) / 1_000 + at;
      samples[place] = (samples[place] ?? 0) + sample * gain;
    });
  }
  return { at: SAID_AT, samples };
}

test.each([40, 240, 1_100])('what the patient said, %i ms later and softer, is its echo', (delay) => {
  const stretch = { from: SAID_AT + delay, to: SAID_AT + delay + 3_000 };
  const noise = new SeededVoice(9).noise(6_000, ECHO_RATE);
  const sound = heard({ fromMs: delay, samples: PATIENT, gain: 0.2 }, { fromMs: 0, samples: noise, gain: 0.01 });
  const found = search.delayOf(stretch, sound);
  expect(found).not.toBeNull();
  expect(Math.abs((found ?? 0) - delay)).toBeLessThan(5);
});

test('another voice is none, at whatever time, nor is the patient’s echo with an answer behind it', () => {
  const answer = new SeededVoice(2).samples(3_000, ECHO_RATE);
  for (const fromMs of [0, 500, 1_000, 2_900]) {
    const stretch = { from: SAID_AT + fromMs, to: SAID_AT + fromMs + 3_000 };
    expect(search.delayOf(stretch, heard({ fromMs, samples: answer, gain: 1 }))).toBeNull();
  }
  const both = heard({ fromMs: 200, samples: PATIENT, gain: 0.5 }, { fromMs: 3_200, samples: answer, gain: 1 });
  expect(search.delayOf({ from: SAID_AT + 200, to: SAID_AT + 6_000 }, both)).toBeNull();
});

test('what is too short, too late or silent tells nothing', () => {
  const sound = heard({ fromMs: 100, samples: PATIENT, gain: 1 });
  expect(search.delayOf({ from: SAID_AT + 100, to: SAID_AT + 300 }, sound)).toBeNull();
  const late = heard({ fromMs: 2_000, samples: PATIENT, gain: 1 });
  expect(search.delayOf({ from: SAID_AT + 2_000, to: SAID_AT + 5_000 }, late)).toBeNull();
  expect(search.delayOf({ from: SAID_AT + 100, to: SAID_AT + 3_100 }, heard())).toBeNull();
});

test('sound is brought to the rate of comparison', () => {
  const samples = Int16Array.from({ length: 48 }, (_, at) => (at < 24 ? 120 : -120));
  expect([...forComparison(samples, 48_000)]).toEqual([120, 120, -120, -120]);
});

test('in a turn, what came back is told apart from the answer', () => {
  const watch = new EchoWatch();
  const heardSound = new Int16Array(16_000 * 6);
  heardSound.set(new SeededVoice(1).samples(2_000, 16_000), 16_000 * 0.3);
  heardSound.set(new SeededVoice(2).samples(2_000, 16_000), 16_000 * 3);
  for (let from = 0; from < heardSound.length; from += 800) {
    const piece = { firstSample: from, at: 1_000 + from / 16, samples: heardSound.slice(from, from + 800) };
    watch.heard('agent', piece);
  }
  watch.uttered(1_000, new SeededVoice(1).samples(2_000, 48_000));
  for (const from of [1_300, 4_000]) {
    watch.voice('agent', true, from);
    watch.voice('agent', false, from + 2_000);
  }
  expect(watch.echoes()).toEqual([{ from: 1_300, to: 3_300, delayMs: expect.any(Number) }]);
  expect(Math.abs((watch.echoes()[0]?.delayMs ?? 0) - 300)).toBeLessThan(5);
});
