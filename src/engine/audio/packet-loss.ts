import { samplesIn, type Sound } from '../../domain/sound';
import { valueAt } from './seeded-values';

/** A packet of a telephone call holds 20 ms. */
const PACKET_MS = 20;

export interface LossRate {
  /** Of packets, 0 to below 1. */
  readonly share: number;
  /** Packets lost in a row on average, at least 1, and at least share / (1 − share). */
  readonly meanBurst: number;
}

/**
 * Which of so many packets are lost: a chain of two states, in one of which all packets arrive and in the other none. Source:
 * E. N. Gilbert, "Capacity of a burst-noise channel", Bell System Technical Journal 39 (1960) 1253–1265. The chain begins in its
 * stationary state, so that the first packet is lost as often as any other.
 */
export function lossPattern(packets: number, { share, meanBurst }: LossRate, seed: number): boolean[] {
  const recovery = 1 / meanBurst;
  const outage = (recovery * share) / (1 - share);
  const pattern: boolean[] = [];
  let isLost = probabilityAt(seed, 0) < share;
  for (let packet = 0; packet < packets; packet += 1) {
    pattern.push(isLost);
    const draw = probabilityAt(seed, packet + 1);
    isLost = isLost ? draw >= recovery : draw < outage;
  }
  return pattern;
}

/** Lost packets are silent, as with a receiver that conceals nothing; all other samples stay where and what they are. */
export function withLosses({ samples, rate }: Sound, patternOf: (packets: number) => readonly boolean[]): Sound {
  const length = samplesIn(PACKET_MS, rate);
  const received = samples.slice();
  patternOf(Math.ceil(samples.length / length)).forEach((isLost, packet) => {
    if (isLost) received.fill(0, packet * length, (packet + 1) * length);
  });
  return { samples: received, rate };
}

function probabilityAt(seed: number, place: number): number {
  return (valueAt(seed, place) + 1) / 2;
}
