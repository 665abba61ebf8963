import fc from 'fast-check';
import { decodeMuLaw, encodeMuLaw, keypadTones, overLine, resampled } from '../../../src/engine/audio';
import { keysHeardIn } from '../../setup/heard-keys';
import { amplitudeAt, decibels, tone } from './constructed-sound';

const KEYS = '0123456789*#ABCD';
const press = fc
  .array(fc.constantFrom(...KEYS, 'w'), { minLength: 0, maxLength: 31 })
  .chain((keys) => fc.constantFrom(...KEYS).map((last) => keys.join('') + last));

/** What a receiver is to hear of it: the pauses are none. */
const keysOf = (pressed: string): string => pressed.replaceAll('w', '');

describe('the tones of a keypad', () => {
  it.each([8_000, 16_000, 48_000])('are heard as the keys that were pressed, at %d samples a second', (rate) => {
    fc.assert(
      fc.property(press, (pressed) => {
        expect(keysHeardIn(keypadTones(pressed, rate).sound)).toBe(keysOf(pressed));
      }),
      { numRuns: 30 },
    );
  });

  it('are heard through a telephone line, and the µ-law of a stream behind it', () => {
    fc.assert(
      fc.property(press, (pressed) => {
        const sent = overLine(keypadTones(pressed, 48_000).sound, 'phone', 1);
        const { samples, rate } = resampled(sent, 8_000);
        const heard = decodeMuLaw(encodeMuLaw(samples));
        expect(keysHeardIn({ samples: heard, rate })).toBe(keysOf(pressed));
      }),
      { numRuns: 10 },
    );
  });

  it('last for 100 ms each, 100 ms apart, and 500 ms more for each w', () => {
    const { sound, keys } = keypadTones('w1#ww4', 48_000);
    const inMs = keys.map(({ key, from, to }) => [key, from / 48, to / 48]);
    expect(inMs).toEqual([
      ['1', 500, 600],
      ['#', 700, 800],
      ['4', 1_900, 2_000],
    ]);
    // Nothing follows the last tone: an answer is timed from there.
    expect(sound.samples).toHaveLength(2_000 * 48);
    expect(Math.max(...sound.samples.subarray(610 * 48, 690 * 48))).toBe(0);
  });

  it('are the two sines of the key, the high one 2 dB louder, and far from clipping', () => {
    const { sound } = keypadTones('6', 48_000);
    const [low, high] = [770, 1_477].map((hz) => amplitudeAt(sound, hz, 480, 4_320));
    expect(decibels((high ?? 0) / (low ?? 1))).toBeCloseTo(1.94, 1);
    expect(Math.max(...sound.samples)).toBeLessThan(11_000);
    for (const other of [697, 852, 941, 1_209, 1_336, 1_633]) {
      // A stretch of 80 ms leaks about so much from one row to the next.
      expect(amplitudeAt(sound, other, 480, 4_320)).toBeLessThan(0.1 * (low ?? 0));
    }
  });
});

it('what is no key is not heard as one', () => {
  expect(keysHeardIn(tone(770, 300, 8_000))).toBe('');
  expect(keypadTones('xyz', 8_000)).toMatchObject({ keys: [], sound: { samples: new Int16Array() } });
});
