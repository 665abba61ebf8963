import { ECHO_RATE, EchoSearch, forComparison } from '../../../src/agents/voice/echo';
import { EchoWatch } from '../../../src/agents/voice/echo-watch';
import { SeededVoice } from '../../fakes/seeded-voice';

/** What is said is short here, so that the search is: `echo.spec.ts` has sentences. */
const SAID_AT = 10_000;
const MS = ECHO_RATE / 1_000;
const PATIENT = new SeededVoice(1).samples(500, ECHO_RATE);

/** A second from the moment that the patient began, with something in it. */
function heard(fromMs: number, samples: Int16Array, gain = 1) {
  const all = new Int16Array(1_400 * MS);
  all.set(
    samples.map((sample) => sample * gain),
    fromMs * MS,
  );
  return { at: SAID_AT, samples: all };
}

/** How much later the patient is heard in a stretch, in ms from the moment that it began; null: it is not. */
function delayIn(from: number, to: number, sound: ReturnType<typeof heard>, said = PATIENT): number | null {
  return new EchoSearch({ at: SAID_AT, samples: said }).delayOf({ from: SAID_AT + from, to: SAID_AT + to }, sound);
}

const near = (delay: number | null, wanted: number): boolean => delay !== null && Math.abs(delay - wanted) < 5;

test.each([
  ['at once', 0, 1],
  ['a little later', 60, 1],
  ['later and softer', 300, 0.1],
  ['turned upside down', 60, -1],
])('the patient’s own words that come back %s', (how, delay, gain) => {
  const found = delayIn(delay, delay + 500, heard(delay, PATIENT, gain));
  expect(near(found, delay)).toBe(how !== 'turned upside down');
});

test.each<[string, number, number, Int16Array]>([
  ['another voice', 60, 560, new SeededVoice(2).samples(500, ECHO_RATE)],
  ['the patient’s words from behind', 60, 560, PATIENT.slice().reverse()],
  ['silence', 60, 560, new Int16Array(0)],
  ['less than a word', 60, 339, PATIENT],
  ['what goes on after them', 60, 1_160, PATIENT],
])('%s is no echo', (_, from, to, samples) => {
  expect(delayIn(from, to, heard(60, samples))).toBeNull();
});

test('as much as a snippet with its uncertain edges is enough', () => {
  expect(near(delayIn(60, 340, heard(60, PATIENT)), 60)).toBe(true);
});

test('an echo with another voice behind it is none', () => {
  const sound = heard(60, PATIENT);
  sound.samples.set(new SeededVoice(2).samples(500, ECHO_RATE), 560 * MS);
  expect(delayIn(60, 1_060, sound)).toBeNull();
});

test('what was heard before anything was said is no echo, nor is what was not heard', () => {
  const early = { at: SAID_AT - 1_000, samples: new Int16Array(1_400 * MS) };
  early.samples.set(PATIENT, 100 * MS);
  expect(delayIn(-900, -400, early)).toBeNull();
  expect(delayIn(5_000, 5_500, heard(0, PATIENT))).toBeNull();
});

test('a part of what was said is found where it was said', () => {
  const said = new SeededVoice(3).samples(1_000, ECHO_RATE);
  const part = said.slice(400 * MS, 900 * MS);
  expect(near(delayIn(450, 950, heard(450, part), said), 50)).toBe(true);
});

test.each([
  [4_000, [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]],
  [8_000, [2, 4, 6, 9, 1], [3, 8]],
  [16_000, [1, 2, 3, 4, 8, 8, 8, 8], [3, 8]],
])('sound of %i samples a second is compared by the averages of neighbours', (rate, samples, expected) => {
  expect([...forComparison(Int16Array.from(samples), rate)]).toEqual(expected);
});

describe('In a turn', () => {
  const spoken = (seed: number, rate: number) => new SeededVoice(seed).samples(500, rate);

  /** The patient spoke from 1,000 on; another says this, from so many ms after that. */
  function watch(seed: number, from: number, ends = true): EchoWatch {
    const watching = new EchoWatch();
    const sound = new Int16Array(16_000 * 1.5);
    sound.set(spoken(seed, 16_000), (from * 16_000) / 1_000);
    for (let at = 0; at < sound.length; at += 1_600) {
      watching.heard('agent', { firstSample: at, at: 1_000 + at / 16, samples: sound.slice(at, at + 1_600) });
    }
    watching.uttered(1_000, spoken(1, 48_000));
    watching.voice('agent', true, 1_000 + from);
    if (ends) watching.voice('agent', false, 1_500 + from);
    return watching;
  }

  test.each([200, 900])('what came back after %i ms is told with its delay', (delay) => {
    const [echo, ...others] = watch(1, delay).echoes();
    expect(echo).toMatchObject({ from: 1_000 + delay, to: 1_500 + delay });
    expect(near(echo?.delayMs ?? null, delay)).toBe(true);
    expect(others).toEqual([]);
  });

  test('an answer is none, nor is a voice that goes on, or that nothing was heard of', () => {
    expect(watch(2, 200).echoes()).toEqual([]);
    expect(watch(1, 200, false).echoes()).toEqual([]);
    const deaf = new EchoWatch();
    deaf.uttered(1_000, spoken(1, 48_000));
    deaf.voice('agent', true, 1_200);
    deaf.voice('agent', false, 1_700);
    expect(deaf.echoes()).toEqual([]);
    expect(new EchoWatch().echoes()).toEqual([]);
  });

  test('what was heard before the patient spoke is not looked at', () => {
    const watching = watch(1, 200, false);
    watching.voice('agent', true, 900);
    watching.voice('agent', false, 1_700);
    expect(watching.echoes()).toEqual([]);
  });
});
