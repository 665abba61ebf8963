import { createHash } from 'node:crypto';

/** A seed of 32 bits that depends on all parts and their order: of a run's seed, a scenario, a trial and a turn, for instance. */
export function seedOf(...parts: readonly (string | number)[]): number {
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUInt32BE(0);
}

/**
 * The random value at a place, −1 ≤ value < 1. It depends on the seed and the place alone and not on what was drawn before, so that a
 * longer sound begins as a shorter one does, and so that sounds made in another order stay the same.
 *
 * Both are mixed by the finaliser of Austin Appleby's MurmurHash3. No value is secret.
 */
export function valueAt(seed: number, place: number): number {
  return (bitsAt(seed, place) >>> 0) / 2 ** 31 - 1;
}

/** 0 ≤ n < below; `below` is a positive integer. */
export function integerAt(seed: number, place: number, below: number): number {
  return Math.floor(((bitsAt(seed, place) >>> 0) / 2 ** 32) * below);
}

/** Another seed, for a part of what the first one determines. */
export function branchOf(seed: number, branch: number): number {
  return bitsAt(seed, ~branch) >>> 0;
}

function bitsAt(seed: number, place: number): number {
  // The first mix keeps neighbouring seeds from giving the same values one place apart.
  return mixed(mixed(seed ^ 0x9e3779b9) + Math.imul(place, 0x9e3779b1));
}

function mixed(bits: number): number {
  let mix = bits ^ (bits >>> 16);
  mix = Math.imul(mix, 0x85ebca6b);
  mix ^= mix >>> 13;
  mix = Math.imul(mix, 0xc2b2ae35);
  return mix ^ (mix >>> 16);
}
