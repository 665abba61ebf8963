import { KnownSentences } from '../../demo/known-sentences';
import { decodeMuLaw, encodeMuLaw, resampled, silence, type Sound } from '../../src/engine/audio';
import { joined } from '../../src/domain/sound';
import { speechSound } from '../fakes/speech-server';

/** The ear of the spoken demonstration: no recogniser, and no oracle either. */
const RATE = 24_000;
const soundOf = (seed: number): Sound => ({ samples: speechSound(RATE, seed), rate: RATE });
const pause = silence(300, RATE);
const ear = new KnownSentences([3, 4, 5].map((seed) => ({ text: `Sentence ${seed}.`, sound: soundOf(seed) })));

/** As a telephone line carries it, and quieter. */
function overTelephone(sound: Sound): Sound {
  const { samples } = resampled(sound, 8_000);
  return { samples: decodeMuLaw(encodeMuLaw(samples.map((sample) => sample / 3))), rate: 8_000 };
}

test('sentences are found in the order in which they are said, over a telephone too', () => {
  const said = joined([pause, soundOf(5), pause, soundOf(3), pause], RATE);
  expect(ear.in(said)).toEqual(['Sentence 5.', 'Sentence 3.']);
  expect(ear.in(resampled(overTelephone(said), 16_000))).toEqual(['Sentence 5.', 'Sentence 3.']);
});

test('what does not sound, sounds otherwise or breaks off is not found', () => {
  const whole = soundOf(4);
  const half = { ...whole, samples: whole.samples.subarray(0, whole.samples.length / 2) };
  for (const sound of [silence(5_000, RATE), soundOf(17), joined([pause, half, pause], RATE)]) {
    expect(ear.in(sound)).toEqual([]);
  }
});
