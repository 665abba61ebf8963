import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { samplesIn, type Sound, UnusableAudio } from '../../domain/sound';

/** A crash loses at most one piece. */
const MOST_PIECE_MS = 10_000;
/** The version of the format, the rate and the number of samples, before the compressed samples. */
const HEADER_BYTES = 9;
const VERSION = 1;
/** Far above what a piece of 10 s at 192 kHz holds. */
const MOST_SAMPLES = 4_000_000;

/** A part of a track as it is stored. */
export interface RecordingPiece {
  /** The place of its first sample in the track. */
  readonly firstSample: number;
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes in hexadecimal. */
  readonly hash: string;
}

/** A part of one of the two tracks of a call, at its place in the call. */
export interface TrackPiece {
  readonly track: 'patient' | 'agent';
  /** Since the call began, 16,000 a second. */
  readonly firstSample: number;
  readonly samples: number;
  readonly bytes: Uint8Array;
  /** Of the bytes, in hexadecimal. */
  readonly sha256: string;
}

/** The track in pieces of 10 s at most, in order: no sample twice and none missing. */
export function piecesOf({ samples, rate }: Sound): RecordingPiece[] {
  const length = samplesIn(MOST_PIECE_MS, rate);
  return Array.from({ length: Math.ceil(samples.length / length) }, (_, index) => {
    const firstSample = index * length;
    const bytes = packed({ samples: samples.subarray(firstSample, firstSample + length), rate });
    return { firstSample, bytes, hash: hashOf(bytes) };
  });
}

/**
 * The samples of a piece.
 * @throws UnusableAudio where the bytes are not those whose hash was stored, or are no piece
 */
export function soundOfPiece({ bytes, hash }: Pick<RecordingPiece, 'bytes' | 'hash'>): Sound {
  if (hashOf(bytes) !== hash)
    throw new UnusableAudio('A piece of the recording is not what was recorded: its hash differs.');
  return unpacked(bytes);
}

/**
 * Second differences of the samples, their upper and lower bytes apart, deflated. Neighbouring samples of a voice lie nearly on a line, so
 * that most upper bytes are 0 or 255; silence takes almost nothing.
 */
export function packed({ samples, rate }: Sound): Uint8Array {
  const count = samples.length;
  const planes = Buffer.alloc(2 * count);
  let [previous, slope] = [0, 0];
  for (let at = 0; at < count; at += 1) {
    const sample = samples[at] ?? 0;
    // Modulo 2^16, as the sums of the decoder are.
    const bend = (sample - previous - slope) & 0xffff;
    planes[at] = bend >> 8;
    planes[count + at] = bend & 0xff;
    slope = sample - previous;
    previous = sample;
  }
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(VERSION, 0);
  header.writeUInt32LE(rate, 1);
  header.writeUInt32LE(count, 5);
  return Buffer.concat([header, deflateRawSync(planes)]);
}

/** @throws UnusableAudio where the bytes are not what `packed` returns */
export function unpacked(bytes: Uint8Array): Sound {
  const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (piece.length < HEADER_BYTES || piece.readUInt8(0) !== VERSION) {
    throw new UnusableAudio('The bytes are no piece of a recording.');
  }
  const [rate, count] = [piece.readUInt32LE(1), piece.readUInt32LE(5)];
  const planes = count > MOST_SAMPLES ? null : inflated(piece.subarray(HEADER_BYTES), 2 * count);
  if (planes?.length !== 2 * count) throw new UnusableAudio('A piece of the recording is damaged.');
  const samples = new Int16Array(count);
  let [previous, slope] = [0, 0];
  for (let at = 0; at < count; at += 1) {
    const bend = ((planes[at] ?? 0) << 8) | (planes[count + at] ?? 0);
    samples[at] = previous + slope + bend;
    const sample = samples[at] ?? 0;
    slope = sample - previous;
    previous = sample;
  }
  return { samples, rate };
}

/** Null where the bytes are no deflated data of at most this length. */
function inflated(bytes: Buffer, length: number): Buffer | null {
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, length) });
  } catch {
    return null;
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
