import { RECORDING_RATE } from '../../../contract/recordings';
import { windowsOf } from './decoded-recording';
import type { Recording, RecordingsStore, Track } from './recordings.store';

const HEADER_BYTES = 44;
const BYTES_A_SAMPLE = 2;
/** A WAV file says its length in 32 bits. */
export const MOST_WAV_BYTES = 0xffff_ffff;

/** A WAV file of a part of a call, which is never whole in memory. */
export interface WavFile {
  readonly recording: Recording;
  /** In the order of its channels. */
  readonly tracks: readonly Track[];
  /** Samples since the call began; `to` is the first after it. */
  readonly from: number;
  readonly to: number;
}

export function lengthOfWav({ tracks, from, to }: WavFile): number {
  return HEADER_BYTES + (to - from) * tracks.length * BYTES_A_SAMPLE;
}

/** The samples that bytes of the file are made from. */
export function samplesUnder(
  { tracks, from }: WavFile,
  bytes: ByteRange,
): { readonly from: number; readonly to: number } {
  const frame = tracks.length * BYTES_A_SAMPLE;
  const first = Math.floor(Math.max(0, bytes.start - HEADER_BYTES) / frame);
  const last = Math.ceil(Math.max(0, bytes.end + 1 - HEADER_BYTES) / frame);
  return { from: from + first, to: from + last };
}

/** Both ends are in it, as in a Content-Range. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Bytes of the file, in chunks of some hundred kilobytes.
 * @throws DamagedRecording
 */
export async function* bytesOfWav(
  store: Pick<RecordingsStore, 'bytesOf'>,
  file: WavFile,
  range: ByteRange,
): AsyncGenerator<Buffer> {
  if (range.start < HEADER_BYTES) yield headerOf(file).subarray(range.start, Math.min(HEADER_BYTES, range.end + 1));
  const part = samplesUnder(file, range);
  const frame = file.tracks.length * BYTES_A_SAMPLE;
  for await (const { from, tracks } of windowsOf(store, file.recording, file.tracks, part)) {
    const samples = interleaved(file.tracks.map((track) => tracks[track]));
    const bytes = littleEndian(samples);
    const place = HEADER_BYTES + (from - file.from) * frame;
    yield bytes.subarray(Math.max(0, range.start - place), Math.min(bytes.length, range.end + 1 - place));
  }
}

function interleaved(channels: readonly Int16Array[]): Int16Array {
  const [only, ...others] = channels;
  if (only === undefined || others.length === 0) return only ?? new Int16Array();
  const samples = new Int16Array(only.length * channels.length);
  channels.forEach((channel, place) => {
    for (let at = 0, to = place; at < channel.length; at += 1, to += channels.length) samples[to] = channel[at] ?? 0;
  });
  return samples;
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

function littleEndian(samples: Int16Array): Buffer {
  const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return IS_LITTLE_ENDIAN ? bytes : bytes.swap16();
}

/** Source: Microsoft and IBM, "Multimedia Programming Interface and Data Specifications 1.0" (1991), RIFF WAVE. */
function headerOf(file: WavFile): Buffer {
  const [length, frame] = [lengthOfWav(file), file.tracks.length * BYTES_A_SAMPLE];
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(length - 8, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(file.tracks.length, 22);
  header.writeUInt32LE(RECORDING_RATE, 24);
  header.writeUInt32LE(RECORDING_RATE * frame, 28);
  header.writeUInt16LE(frame, 32);
  header.writeUInt16LE(8 * BYTES_A_SAMPLE, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(length - HEADER_BYTES, 40);
  return header;
}
