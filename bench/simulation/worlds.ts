import type { Cluster } from '../../src/domain/statistics/clusters';
import type { Random } from './random';

/** An agent and a population of scenarios of every difficulty, from which a run draws a few. */
export interface World {
  /** The probability that a conversation passes, over all scenarios: a run estimates it. */
  readonly rate: number;
  readonly trials: number;
  /** The probability that each of the run's scenarios is passed. */
  readonly eases: readonly number[];
}

export interface WorldLimits {
  readonly scenarios: readonly [least: number, most: number];
  readonly trials: readonly [least: number, most: number];
  readonly rate: readonly [least: number, most: number];
}

/** Usual suites: 20 to 60 scenarios at 1 to 5 trials, from an agent that fails most to one that passes nearly all. */
export const USUAL: WorldLimits = { scenarios: [20, 60], trials: [1, 5], rate: [0.3, 0.95] };

/**
 * Difficulties are Beta distributed about the rate, from all equal to nearly all-or-nothing, where an agent passes some scenarios
 * always and others never.
 */
export function drawWorld(random: Random, limits: WorldLimits = USUAL): World {
  const rate = random.between(...limits.rate);
  const concentration = 10 ** random.between(-0.3, 1.5);
  const scenarios = random.integer(...limits.scenarios);
  const eases = Array.from({ length: scenarios }, () => random.beta(rate * concentration, (1 - rate) * concentration));
  return { rate, trials: random.integer(...limits.trials), eases };
}

/** A run of the world: the outcomes of each scenario's trials. */
export function runOf({ eases, trials }: World, random: Random): Cluster[] {
  return eases.map((ease) => {
    let passed = 0;
    for (let trial = 0; trial < trials; trial += 1) if (random.uniform() < ease) passed += 1;
    return { graded: trials, passed };
  });
}

/** The same scenarios with an agent that passes fewer of them, each in proportion. @param drop 0..1, at most the rate */
export function worsened(world: World, drop: number): World {
  const part = (world.rate - drop) / world.rate;
  return { ...world, rate: world.rate - drop, eases: world.eases.map((ease) => ease * part) };
}
