/**
 * Sound as samples, without any transport: their numbers, the code of telephone lines, and the same sound at another rate. Pure functions.
 */

export {
  type Sound,
  type Span,
  UnusableAudio,
  samplesIn,
  silence,
  toSamples,
  amplified,
  amplitudeOf,
  meanSquare,
  dbfsOf,
  joined,
  requireRate,
} from './pcm';
export { encodeMuLaw, decodeMuLaw, encodeALaw, decodeALaw } from './g711';
export { resampled, resampledPart, checkRate } from './resample';
export { kaiser, sinc } from './kaiser';
