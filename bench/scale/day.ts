import { Random } from '../simulation/random';
import { percentile } from '../statistics';
import type { Demand } from './needs';

export interface Day {
  /** Conversations under way, at most. */
  readonly mostLive: number;
  /** Seconds that scenario runs waited for a free place, beyond their own run's limit. */
  readonly waitP50: number;
  readonly waitP99: number;
}

/** Scenario runs that a run has under way at a time by default. */
const AT_ONCE = 6;
const DAY_SECONDS = 86_400;

/**
 * Simulates one day of runs that start at random, most around noon, each with six conversations at a time, on a number of places
 * (processes times MAX_ACTIVE_SCENARIOS). Conversations take half to one and a half times their average.
 */
export function simulateDay(demand: Demand, places: number, seed = 1): Day {
  const random = new Random(seed);
  const mean = demand.turns * demand.turnSeconds + demand.markingSeconds;
  const ends = Array.from({ length: Math.ceil(DAY_SECONDS * 2 + mean * 4) }, (): number[] => []);
  /** Lanes that wait for a place: scenario runs that they still have to hold, and since when they wait. */
  const waiting: { readonly left: number; readonly since: number }[] = [];
  let [head, live, mostLive] = [0, 0, 0];
  const waits: number[] = [];
  const lanes = Math.min(AT_ONCE, demand.scenariosARun);
  for (let second = 0; second < ends.length; second += 1) {
    for (const left of ends[second] ?? []) {
      live -= 1;
      if (left > 0) waiting.push({ left, since: second });
    }
    for (let run = arrivals(random, demand, second); run > 0; run -= 1) {
      for (let lane = 0; lane < lanes; lane += 1) {
        const left = Math.floor((demand.scenariosARun + lane) / lanes);
        waiting.push({ left, since: second });
      }
    }
    for (; live < places && head < waiting.length; head += 1) {
      const lane = waiting[head];
      if (lane === undefined) break;
      live += 1;
      waits.push(second - lane.since);
      const ended = second + Math.max(1, Math.round(mean * random.between(0.5, 1.5)));
      ends[ended]?.push(lane.left - 1);
    }
    mostLive = Math.max(mostLive, live);
    if (second > DAY_SECONDS && live === 0 && head === waiting.length) break;
  }
  return { mostLive, waitP50: percentile(waits, 50), waitP99: percentile(waits, 99) };
}

/** The random number of runs that begin in a second of the day: a wave with its peak at noon and its low at night. */
function arrivals(random: Random, demand: Demand, second: number): number {
  if (second >= DAY_SECONDS) return 0;
  const average = demand.scenarioRunsADay / demand.scenariosARun / DAY_SECONDS;
  const noon = (1 - Math.cos((2 * Math.PI * second) / DAY_SECONDS)) / 2;
  // The power makes the wave as narrow as its top is high, so that its mean stays 1: the integral of a power of a sine (Wallis).
  const width = demand.peak ** 2 / Math.PI - 1 / 4;
  const rate = average * demand.peak * noon ** width;
  const threshold = Math.exp(-rate);
  let runs = 0;
  for (let product = random.uniform(); product > threshold; product *= random.uniform()) runs += 1;
  return runs;
}
