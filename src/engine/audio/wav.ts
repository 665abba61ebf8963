import { checkRate, decodeALaw, decodeMuLaw, type Sound, UnusableAudio } from '../../domain/sound';

/** What a WAV file holds: one array of equal length for each channel. */
export interface WavAudio {
  readonly rate: number;
  readonly channels: readonly Int16Array[];
}

const HEADER_BYTES = 44;
const MOST_CHANNELS = 8;
/** The formats of a `fmt ` chunk. Source: Microsoft, "Multiple Channel Audio Data and WAVE Files" (2007), and RFC 2361. */
const FORMAT = { pcm: 1, float: 3, aLaw: 6, muLaw: 7, extensible: 0xfffe } as const;
/** A writer that cannot go back to its header leaves a length at least this large: espeak-ng 0x7ffff000, others 0xffffffff. */
const UNKNOWN_LENGTH = 0x7fff_0000;

/** The beginnings of what a speech server may answer instead of a WAV file. */
const OTHER_FORMATS: readonly (readonly [name: string, beginning: RegExp])[] = [
  ['an MP3 file', /^(?:ID3|\xff[\xe2-\xe7\xf2-\xf7\xfa\xfb])/],
  ['AAC audio', /^\xff[\xf0\xf1\xf8\xf9]/],
  ['an Ogg file (Opus or Vorbis)', /^OggS/],
  ['a FLAC file', /^fLaC/],
  ['an MP4 file', /^.{4}ftyp/s],
  ['a big-endian WAV file', /^(?:RIFX|FORM)/],
  ['a web page', /^\s*<(?:!doctype|html|\?xml|head|body)/i],
  ['JSON', /^\s*[{[]/],
  ['text', /^[\t\n\r\x20-\x7e]{12,}/],
];

/** A stereo file has its first channel on the left. 16 bits, little-endian. */
export function writeWav({ rate, channels }: WavAudio): Uint8Array {
  const frames = channels[0]?.length ?? 0;
  const bytesAFrame = channels.length * 2;
  const file = Buffer.alloc(HEADER_BYTES + frames * bytesAFrame);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(FORMAT.pcm, 20);
  file.writeUInt16LE(channels.length, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * bytesAFrame, 28);
  file.writeUInt16LE(bytesAFrame, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(file.length - HEADER_BYTES, 40);
  channels.forEach((samples, channel) => {
    for (let frame = 0; frame < frames; frame += 1) {
      file.writeInt16LE(samples[frame] ?? 0, HEADER_BYTES + frame * bytesAFrame + channel * 2);
    }
  });
  return file;
}

/**
 * Reads PCM of 8, 16, 24 and 32 bits, floating point of 32 bits, A-law and µ-law, with up to 8 channels, as 16-bit samples. A data chunk
 * whose writer did not know its length extends to the end of the file.
 *
 * @param longestSeconds longer sounds are refused before any sample is read
 * @throws UnusableAudio with a sentence that says what the bytes are instead
 */
export function readWav(bytes: Uint8Array, longestSeconds: number): WavAudio {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  requireRiff(file);
  const { format, data } = chunksOf(file);
  const { rate, channels: count, bytesASample } = format;
  const frames = Math.floor(data.length / (bytesASample * count));
  if (frames === 0) throw new UnusableAudio('The WAV file holds no samples.');
  if (frames > longestSeconds * rate) {
    const seconds = Math.round(frames / rate);
    throw new UnusableAudio(`The WAV file lasts ${seconds} s; at most ${longestSeconds} s are read.`);
  }
  const samples = decoded(format, data.subarray(0, frames * count * bytesASample));
  return { rate, channels: channelsOf(samples, count) };
}

/** Frames hold a sample of each channel. In a plain loop: a function for each sample takes fifteen times as long. */
function channelsOf(samples: Int16Array, count: number): Int16Array[] {
  if (count === 1) return [samples];
  return Array.from({ length: count }, (_, channel) => {
    const own = new Int16Array(samples.length / count);
    for (let frame = 0; frame < own.length; frame += 1) own[frame] = samples[frame * count + channel] ?? 0;
    return own;
  });
}

/** One channel; of several their mean. */
export function monoOf({ rate, channels }: WavAudio): Sound {
  const [first = new Int16Array()] = channels;
  if (channels.length < 2) return { samples: first, rate };
  const samples = first.map((_, at) =>
    Math.round(channels.reduce((sum, channel) => sum + (channel[at] ?? 0), 0) / channels.length),
  );
  return { samples, rate };
}

function requireRiff(file: Buffer): void {
  if (file.length === 0) throw new UnusableAudio('The audio is empty: 0 bytes.');
  const beginning = file.toString('latin1', 0, 64);
  if (/^RIFF.{4}WAVE/s.test(beginning)) return;
  const other = OTHER_FORMATS.find(([, pattern]) => pattern.test(beginning))?.[0] ?? 'of an unknown format';
  throw new UnusableAudio(`The audio is no WAV file: ${file.length} bytes that look like ${other}.`);
}

interface SampleFormat {
  readonly code: number;
  readonly channels: number;
  readonly rate: number;
  readonly bytesASample: number;
}

/** A chunk has a name of four letters, its length, and padding to an even length. */
function chunksOf(file: Buffer): { readonly format: SampleFormat; readonly data: Buffer } {
  let format: SampleFormat | null = null;
  for (let at = 12; at + 8 <= file.length;) {
    const name = file.toString('latin1', at, at + 4);
    const length = file.readUInt32LE(at + 4);
    const body = file.subarray(at + 8, at + 8 + length);
    if (name === 'fmt ') format = formatOf(body);
    if (name === 'data') {
      if (format === null) throw new UnusableAudio('The WAV file has samples but does not say their format.');
      if (body.length < length && length < UNKNOWN_LENGTH) {
        throw new UnusableAudio(`The WAV file is cut off: ${body.length} of ${length} bytes of samples are there.`);
      }
      return { format, data: body };
    }
    at += 8 + length + (length % 2);
  }
  throw new UnusableAudio('The WAV file has no samples: its data chunk is missing.');
}

function formatOf(chunk: Buffer): SampleFormat {
  if (chunk.length < 16) throw new UnusableAudio('The WAV file is cut off in its header.');
  const written = chunk.readUInt16LE(0);
  const bits = chunk.readUInt16LE(14);
  // An extensible header has the format in the first bytes of a GUID.
  const code = written === FORMAT.extensible && chunk.length >= 26 ? chunk.readUInt16LE(24) : written;
  const format = { code, channels: chunk.readUInt16LE(2), rate: chunk.readUInt32LE(4), bytesASample: bits / 8 };
  if (!isReadable(code, bits)) {
    throw new UnusableAudio(`The WAV file has samples of format ${code} with ${bits} bits, which cannot be read.`);
  }
  if (format.channels < 1 || format.channels > MOST_CHANNELS) {
    throw new UnusableAudio(`The WAV file has ${format.channels} channels; 1 to ${MOST_CHANNELS} can be read.`);
  }
  checkRate(format.rate);
  return format;
}

function isReadable(code: number, bits: number): boolean {
  if (code === FORMAT.pcm) return [8, 16, 24, 32].includes(bits);
  if (code === FORMAT.float) return bits === 32;
  return (code === FORMAT.aLaw || code === FORMAT.muLaw) && bits === 8;
}

function decoded({ code, bytesASample }: SampleFormat, data: Buffer): Int16Array {
  if (code === FORMAT.muLaw) return decodeMuLaw(data);
  if (code === FORMAT.aLaw) return decodeALaw(data);
  const samples = new Int16Array(data.length / bytesASample);
  const sampleAt = code === FORMAT.float ? floatSample : PCM_SAMPLE[bytesASample];
  if (sampleAt === undefined) return samples;
  for (let at = 0; at < samples.length; at += 1) samples[at] = sampleAt(data, at * bytesASample);
  return samples;
}

/** By bytes a sample. Samples of 8 bits are unsigned; of longer ones the upper 16 bits are kept. */
const PCM_SAMPLE: Readonly<Record<number, (data: Buffer, at: number) => number>> = {
  1: (data, at) => (data.readUInt8(at) - 128) << 8,
  2: (data, at) => data.readInt16LE(at),
  3: (data, at) => data.readInt16LE(at + 1),
  4: (data, at) => data.readInt16LE(at + 2),
};

/** −1 to 1; values beyond are clipped, and what is no number is silence. */
function floatSample(data: Buffer, at: number): number {
  const value = Math.round(data.readFloatLE(at) * 32_767);
  return Number.isNaN(value) ? 0 : Math.max(-32_768, Math.min(32_767, value));
}
