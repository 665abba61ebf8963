import { scenariosIn, type Cluster } from './clusters';

export interface PassHat {
  readonly k: number;
  /** 0..1; null when no scenario has so many graded trials. */
  readonly value: number | null;
  /** Scenarios that have. */
  readonly scenarios: number;
}

/**
 * pass^k: how likely it is that k trials of a scenario all pass, the mean over scenarios of C(yᵢ, k) / C(nᵢ, k), which is unbiased. With
 * k it falls as fast as the agent is unreliable; with k = 1 it is the mean pass share.
 *
 * Source: S. Yao et al., "τ-bench: a benchmark for tool-agent-user interaction in real-world domains" (2024), arXiv 2406.12045.
 *
 * @param k from 1
 */
export function passHat(clusters: readonly Cluster[], k: number): PassHat {
  const known = clusters.filter(({ graded }) => graded >= k);
  const scenarios = scenariosIn(known);
  if (scenarios === 0) return { k, value: null, scenarios };
  const sum = known.reduce(
    (total, { graded, passed, scenarios: alike = 1 }) => total + alike * shareOfDraws(passed, graded, k),
    0,
  );
  return { k, value: sum / scenarios, scenarios };
}

/** C(passed, k) / C(graded, k): that k trials drawn of those graded all passed. */
function shareOfDraws(passed: number, graded: number, k: number): number {
  if (passed < k) return 0;
  let share = 1;
  for (let drawn = 0; drawn < k; drawn += 1) share *= (passed - drawn) / (graded - drawn);
  return share;
}
