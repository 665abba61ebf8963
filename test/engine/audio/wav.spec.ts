import fc from 'fast-check';
import { encodeALaw, encodeMuLaw } from '../../../src/domain/sound/g711';
import { UnusableAudio } from '../../../src/domain/sound/pcm';
import { monoOf, readWav, writeWav } from '../../../src/engine/audio/wav';

const samplesOf = (minLength = 0) =>
  fc
    .array(fc.integer({ min: -32_768, max: 32_767 }), { minLength, maxLength: 400 })
    .map((values) => Int16Array.from(values));

/** A WAV file with a data chunk of these bytes, and of another declared length where one is given. */
function wavWith(
  data: Uint8Array,
  { code = 1, channels = 1, rate = 16_000, bits = 16, declared = data.length, before = Buffer.alloc(0) } = {},
): Buffer {
  const header = Buffer.alloc(36);
  header.write('RIFF....WAVEfmt ', 0, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(code, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE((rate * channels * bits) / 8, 28);
  header.writeUInt16LE((channels * bits) / 8, 32);
  header.writeUInt16LE(bits, 34);
  const chunk = Buffer.alloc(8);
  chunk.write('data', 0, 'latin1');
  chunk.writeUInt32LE(declared, 4);
  return Buffer.concat([header, before, chunk, data]);
}

it('reads what it wrote, sample by sample', () => {
  fc.assert(
    fc.property(samplesOf(1), fc.constantFrom(8_000, 16_000, 22_050, 48_000), (samples, rate) => {
      expect(readWav(writeWav({ rate, channels: [samples] }), 60)).toEqual({ rate, channels: [samples] });
      const stereo = [samples, samples.toReversed()];
      expect(readWav(writeWav({ rate, channels: stereo }), 60)).toEqual({ rate, channels: stereo });
    }),
  );
});

it('writes the header that players expect', () => {
  const file = Buffer.from(writeWav({ rate: 16_000, channels: [Int16Array.of(1, 2), Int16Array.of(-1, -2)] }));
  expect(file.toString('hex')).toBe(
    '524946462c00000057415645666d74201000000001000200803e000000fa0000040010006461746108000000' + '0100ffff0200feff',
  );
});

describe('reads', () => {
  it.each([
    ['8 bits', { bits: 8 }, Buffer.from([0, 128, 255])],
    ['24 bits', { bits: 24 }, Buffer.from([9, 0, 0x80, 9, 0, 0, 9, 0, 0x7f])],
    ['32 bits', { bits: 32 }, Buffer.from([9, 9, 0, 0x80, 9, 9, 0, 0, 9, 9, 0, 0x7f])],
  ])('%s', (_, header, data) => {
    expect([...(readWav(wavWith(data, header), 1).channels[0] ?? [])]).toEqual([-32_768, 0, 0x7f00]);
  });

  it('floating point, with values beyond 1 clipped and NaN as silence', () => {
    const data = Buffer.alloc(20);
    [0.5, -1, 7, Number.NaN, -Infinity].forEach((value, at) => data.writeFloatLE(value, at * 4));
    const [samples = []] = readWav(wavWith(data, { code: 3, bits: 32 }), 1).channels;
    expect([...samples]).toEqual([16_384, -32_767, 32_767, 0, -32_768]);
  });

  it('the codes of telephones', () => {
    const samples = Int16Array.of(0, 1_000, -20_000);
    const near = (values: Int16Array = new Int16Array()) => [...values].map((value) => Math.round(value / 1_000));
    expect(near(readWav(wavWith(encodeMuLaw(samples), { code: 7, bits: 8 }), 1).channels[0])).toEqual([0, 1, -20]);
    expect(near(readWav(wavWith(encodeALaw(samples), { code: 6, bits: 8 }), 1).channels[0])).toEqual([0, 1, -20]);
  });

  it('to the end, where the writer did not know the length', () => {
    const data = Buffer.from([1, 0, 2, 0]);
    for (const declared of [0x7fff_f000, 0xffff_ffff]) {
      expect(readWav(wavWith(data, { declared }), 1).channels).toEqual([Int16Array.of(1, 2)]);
    }
  });

  it('past other chunks, of odd length too, and drops half a sample at the end', () => {
    const before = Buffer.from('LIST\x03\x00\x00\x00abc\x00', 'latin1');
    expect(readWav(wavWith(Buffer.from([1, 0, 2, 0, 3]), { before }), 1).channels).toEqual([Int16Array.of(1, 2)]);
  });

  it('a view into a larger buffer', () => {
    const file = writeWav({ rate: 8_000, channels: [Int16Array.of(5)] });
    const large = Buffer.concat([Buffer.alloc(13), file, Buffer.alloc(9)]);
    expect(readWav(large.subarray(13, 13 + file.length), 1).channels).toEqual([Int16Array.of(5)]);
  });
});

describe('says what is wrong:', () => {
  const silent = Buffer.alloc(40);
  it.each<[string, Uint8Array, RegExp]>([
    ['nothing', new Uint8Array(), /empty: 0 bytes/],
    ['an MP3 file', Buffer.concat([Buffer.from('ID3'), silent]), /43 bytes that look like an MP3 file/],
    ['an MP3 file without tags', Buffer.from([0xff, 0xfb, 0x90, 0]), /look like an MP3 file/],
    ['AAC', Buffer.from([0xff, 0xf1, 0x50, 0x80]), /look like AAC/],
    ['Ogg', Buffer.concat([Buffer.from('OggS'), silent]), /look like an Ogg file/],
    ['FLAC', Buffer.concat([Buffer.from('fLaC'), silent]), /look like a FLAC file/],
    ['a web page', Buffer.from('\n<!DOCTYPE html><html>'), /look like a web page/],
    ['JSON', Buffer.from('{"error":{"message":"no such voice"}}'), /look like JSON/],
    ['text', Buffer.from('Internal Server Error'), /look like text/],
    ['noise', Buffer.from([1, 2, 3, 4]), /look like of an unknown format|unknown format/],
    ['a header alone', wavWith(new Uint8Array()), /holds no samples/],
    ['half a file', wavWith(silent, { declared: 80 }), /cut off: 40 of 80 bytes/],
    ['no data chunk', wavWith(silent).subarray(0, 36), /data chunk is missing/],
    ['half a header', wavWith(silent).subarray(0, 30), /cut off in its header/],
    [
      'samples before their format',
      Buffer.from('RIFF....WAVEdata\x02\x00\x00\x00aa', 'latin1'),
      /does not say their format/,
    ],
    ['ADPCM', wavWith(silent, { code: 2, bits: 4 }), /format 2 with 4 bits/],
    ['64 bits', wavWith(silent, { code: 3, bits: 64 }), /format 3 with 64 bits/],
    ['no channel', wavWith(silent, { channels: 0 }), /0 channels/],
    ['a rate of 0', wavWith(silent, { rate: 0 }), /rate of 0 Hz/],
    ['ten minutes', wavWith(Buffer.alloc(16_000 * 2 * 61)), /lasts 61 s; at most 60 s/],
  ])('%s', (_, bytes, message) => {
    expect(() => readWav(bytes, 60)).toThrow(message);
    expect(() => readWav(bytes, 60)).toThrow(UnusableAudio);
  });

  it('any damage is read or refused, and nothing else happens', () => {
    const whole = writeWav({ rate: 16_000, channels: [Int16Array.from({ length: 50 }, (_, at) => at * 100)] });
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, byte, length) => {
        const damaged = Uint8Array.from(whole).slice(0, length);
        if (at < length) damaged[at] = byte;
        try {
          readWav(damaged, 60);
        } catch (error) {
          expect(error).toBeInstanceOf(UnusableAudio);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

it('several channels become one by their mean', () => {
  const sound = monoOf({ rate: 8_000, channels: [Int16Array.of(32_767, 10), Int16Array.of(32_767, -20)] });
  expect(sound).toEqual({ rate: 8_000, samples: Int16Array.of(32_767, -5) });
});
