import type { HeardPieces } from './known-agent-wire';
import type { TimedTurn } from './timing-check';

/** Absolute errors in ms. */
export interface ErrorSpread {
  readonly turns: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** How far the times that are measured on this machine can be trusted; ms. */
export interface TimingError {
  readonly turns: number;
  /** Turns whose times say nothing, because there was a hole in the sound. */
  readonly unreliable: number;
  /** Turns in which the agent was not heard at all. */
  readonly unheard: number;
  /** The way to the agent and back, which is part of every latency at the patient's ear. Null without a reliable turn. */
  readonly wayMs: number | null;
  /** What remains of the turns that the way was not taken from. */
  readonly latency: ErrorSpread | null;
  /** The same of how soon an interrupted agent fell silent. */
  readonly yields: ErrorSpread | null;
  /** Of the sound of all turns; null where sound has no place but its arrival. */
  readonly heardPieces: HeardPieces | null;
}

/**
 * The way is the median over every other turn, the errors are those of the others: a constant fits the turns that it was taken from better
 * than any other turn.
 * @param calls the turns of each call in their order
 */
export function timingErrorOf(calls: readonly (readonly (TimedTurn | null)[])[]): TimingError {
  const turns = calls.flat();
  const heard = calls.map((call) => call.filter((turn) => turn !== null));
  const reliable = heard.flatMap((call) => call.filter(({ isReliable }) => isReliable));
  const unheard = turns.length - heard.flat().length;
  const known = reliable.filter((_, place) => place % 2 === 0);
  const others = reliable.filter((_, place) => place % 2 === 1);
  const wayMs = medianOf(known.map(wayOf));
  const errorsOf = (ways: readonly number[]): ErrorSpread | null => (wayMs === null ? null : spreadOf(ways, wayMs));
  return {
    turns: turns.length,
    unreliable: turns.length - unheard - reliable.length,
    unheard,
    wayMs,
    latency: errorsOf(others.map(wayOf)),
    yields: errorsOf(reliable.flatMap(yieldWayOf)),
    heardPieces: sumOf(heard.flat().flatMap(({ heardPieces }) => heardPieces ?? [])),
  };
}

function sumOf(all: readonly HeardPieces[]): HeardPieces | null {
  if (all.length === 0) return null;
  return all.reduce((sum, { pieces, late }) => ({ pieces: sum.pieces + pieces, late: sum.late + late }));
}

const wayOf = ({ measuredMs, trueMs }: TimedTurn): number => measuredMs - trueMs;

function yieldWayOf({ yieldMs, trueYieldMs }: TimedTurn): number[] {
  return yieldMs === null || trueYieldMs === null ? [] : [yieldMs - trueYieldMs];
}

function spreadOf(ways: readonly number[], way: number): ErrorSpread | null {
  const errors = ways.map((one) => Math.abs(one - way)).toSorted((one, other) => one - other);
  const max = errors.at(-1);
  if (max === undefined) return null;
  return { turns: errors.length, p50: atShare(errors, 0.5), p95: atShare(errors, 0.95), max };
}

function medianOf(values: readonly number[]): number | null {
  return values.length === 0
    ? null
    : atShare(
        values.toSorted((one, other) => one - other),
        0.5,
      );
}

/** The least value that at least this share of them does not exceed. */
function atShare(ascending: readonly number[], share: number): number {
  return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? 0;
}
