import { spawnSync } from 'node:child_process';
import { bandPassed } from '../../../src/engine/audio/line';
import { toSamples, type Sound } from '../../../src/domain/sound/pcm';
import {
  decodeALaw,
  decodeMuLaw,
  encodeMuLaw,
  piecesOf,
  readWav,
  resampled,
  soundOfPiece,
  writeWav,
} from '../../../src/engine/audio';
import { describeWithProgram } from '../../setup/describe-with-program';
import { constructedSpeech } from './constructed-speech';

const RAW = ['-t', 'raw', '-e', 'signed', '-b', '16', '-L'];
const rawOf = (samples: Int16Array) => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
const samplesOf = (raw: Buffer) => Int16Array.from({ length: raw.length / 2 }, (_, at) => raw.readInt16LE(at * 2));
const EVERY_CODE = Uint8Array.from({ length: 256 }, (_, code) => code);

describeWithProgram('sox', 'beside SoX', () => {
  const { sound } = constructedSpeech(3, 24_000, 11);

  it('a recording that went through its pieces and a WAV file is the sound that it was', () => {
    const pieces = piecesOf(sound).map(soundOfPiece);
    const left = Int16Array.from(pieces.flatMap(({ samples }) => [...samples]));
    const right = left.map((sample) => -sample);
    const file = writeWav({ rate: sound.rate, channels: [left, right] });
    const read = samplesOf(sox(file, ['-t', 'wav'], RAW));
    expect(read.filter((_, at) => at % 2 === 0)).toEqual(sound.samples);
    expect(read.filter((_, at) => at % 2 === 1)).toEqual(right);
  });

  it.each<[string, readonly string[], number]>([
    ['8 bits', ['-b', '8'], 0],
    ['16 bits', ['-b', '16'], 0],
    ['24 bits', ['-b', '24'], 0],
    ['32 bits', ['-b', '32', '-e', 'signed'], 0],
    ['floating point', ['-b', '32', '-e', 'floating-point'], 1],
    ['µ-law', ['-e', 'mu-law'], 0],
    ['A-law', ['-e', 'a-law'], 0],
  ])('its WAV files of %s are read as it reads them', (_, encoding, tolerance) => {
    const from = [...RAW, '-r', String(sound.rate), '-c', '1'];
    const file = sox(rawOf(sound.samples), from, ['-t', 'wav', ...encoding]);
    const { rate, channels } = readWav(file, 60);
    expect(rate).toBe(sound.rate);
    const theirs = samplesOf(sox(file, ['-t', 'wav'], RAW));
    // In floating point either side of zero may be divided by its own number of steps.
    const most = channels[0]?.reduce((worst, sample, at) => Math.max(worst, Math.abs(sample - (theirs[at] ?? 0))), 0);
    expect(channels[0]).toHaveLength(theirs.length);
    expect(most).toBeLessThanOrEqual(tolerance);
  });

  it.each([
    ['mu-law', decodeMuLaw],
    ['a-law', decodeALaw],
  ])('each code of %s has the value that it has there', (encoding, decode) => {
    const theirs = sox(EVERY_CODE, ['-t', 'raw', '-e', encoding, '-b', '8', '-r', '8000', '-c', '1'], RAW);
    expect(decode(EVERY_CODE)).toEqual(samplesOf(theirs));
  });

  it('a sample has another code than there only where rounding to 14 bits first puts it beyond a decision value', () => {
    const every = Int16Array.from({ length: 65_536 }, (_, at) => at - 32_768);
    const from = [...RAW, '-r', '8000', '-c', '1'];
    const theirs = sox(rawOf(every), from, ['-t', 'raw', '-e', 'mu-law', '-b', '8']);
    const own = encodeMuLaw(every);
    const different = every.filter((_, at) => theirs[at] !== own[at]);
    for (const sample of different) {
      const rounded = toSamples(Float64Array.of(Math.round(sample / 4) * 4));
      expect(encodeMuLaw(rounded)[0]).not.toBe(own[sample + 32_768]);
    }
    expect(different.length).toBeLessThan(400);
  });

  it.each([16_000, 22_050, 24_000])('from %s Hz to 48,000 Hz the sound is the same within 60 dB', (rate) => {
    // What is near half the lower rate each filter weakens in its own way.
    const speech = bandPassed(constructedSpeech(2, rate, 4).sound, 50, 0.4 * rate);
    const own = resampled(speech, 48_000);
    const theirs = samplesOf(
      sox(rawOf(speech.samples), [...RAW, '-r', String(rate), '-c', '1'], [...RAW, '-r', '48000'], ['rate', '-v']),
    );
    expect(Math.abs(own.samples.length - theirs.length)).toBeLessThanOrEqual(1);
    expect(differenceInDecibels(own, theirs)).toBeLessThan(-60);
  });
});

/** The power of the difference against the power of the sound. */
function differenceInDecibels({ samples }: Sound, others: Int16Array): number {
  let [power, difference] = [0, 0];
  samples.forEach((sample, at) => {
    power += sample ** 2;
    difference += (sample - (others[at] ?? 0)) ** 2;
  });
  return 10 * Math.log10(difference / power);
}

/** What SoX writes for an input; without dither, so that each sample is decided. */
function sox(
  input: Uint8Array,
  from: readonly string[],
  to: readonly string[],
  effects: readonly string[] = [],
): Buffer {
  const { status, stdout, stderr } = spawnSync('sox', ['-D', ...from, '-', ...to, '-', ...effects], {
    input,
    maxBuffer: 50_000_000,
  });
  if (status !== 0) throw new Error(`SoX failed: ${stderr.toString()}`);
  return stdout;
}
