import type { Line } from '../../domain';
import { decodeMuLaw, encodeMuLaw, kaiser, resampled, sinc, type Sound, toSamples } from '../../domain/sound';
import { lossPattern, withLosses, type LossRate } from './packet-loss';

/** The band of a telephone in Hz. Source: ITU-T Recommendation G.712 (11/2001), channels at 4-wire analogue ports. */
const PHONE_BAND = { low: 300, high: 3_400 };
const PHONE_RATE = 8_000;
/** Where a band's edge turns from kept to removed, in Hz. */
const TRANSITION = 200;
const WINDOW_SHAPE = 6;
/** Taps a transition of one radian needs with this window: (63 dB − 7.95) / 2.285, by Kaiser's formula. */
const TAPS_A_RADIAN = 24.1;

/** A bad mobile connection on which one can still talk: every twentieth packet is lost, three in a row on average. Chosen, not measured. */
const MOBILE_LOSSES: LossRate = { share: 0.05, meanBurst: 3 };

/**
 * The sound as it leaves a line, of the same length and rate. `phone` is 300 to 3400 Hz in G.711 µ-law at 8 kHz; `mobile_bad` is a phone
 * with lost packets. No line adds delay: times in the sound stay as they are.
 *
 * @param seed of the losses
 * @throws UnusableAudio where the rate cannot be converted to 8 kHz
 */
export function overLine(sound: Sound, line: Line, seed: number): Sound {
  switch (line) {
    case 'wideband':
      return sound;
    case 'phone':
      return cutTo(resampled(onPhone(sound), sound.rate), sound.samples.length);
    case 'mobile_bad': {
      const sent = onPhone(sound);
      const received = withLosses(sent, (frames) => lossPattern(frames, MOBILE_LOSSES, seed));
      return cutTo(resampled(received, sound.rate), sound.samples.length);
    }
  }
}

function onPhone(sound: Sound): Sound {
  const { samples, rate } = bandPassed(resampled(sound, PHONE_RATE), PHONE_BAND.low, PHONE_BAND.high);
  return { samples: decodeMuLaw(encodeMuLaw(samples)), rate };
}

/** Conversions to 8 kHz and back round the length up. */
function cutTo({ samples, rate }: Sound, length: number): Sound {
  return { samples: samples.slice(0, length), rate };
}

/**
 * Keeps the band between two frequencies in Hz by a symmetric filter, which adds no delay; −6 dB at the edges, −55 dB from 100 Hz
 * beyond them.
 */
export function bandPassed({ samples, rate }: Sound, low: number, high: number): Sound {
  const half = Math.ceil((TAPS_A_RADIAN * rate) / (2 * Math.PI * TRANSITION) / 2);
  const lowPass = (edge: number, distance: number) => ((2 * edge) / rate) * sinc(((2 * edge) / rate) * distance);
  const taps = Float64Array.from({ length: 2 * half + 1 }, (_, tap) => {
    const distance = tap - half;
    return (lowPass(high, distance) - lowPass(low, distance)) * kaiser(distance / half, WINDOW_SHAPE);
  });
  const values = new Float64Array(samples.length);
  // With silence around it the filter does not reach beyond it.
  const padded = new Float64Array(samples.length + 2 * half);
  padded.set(samples, half);
  for (let at = 0; at < values.length; at += 1) {
    let sum = 0;
    for (let tap = 0; tap < taps.length; tap += 1) sum += (taps[tap] ?? 0) * (padded[at + tap] ?? 0);
    values[at] = sum;
  }
  return { samples: toSamples(values), rate };
}
