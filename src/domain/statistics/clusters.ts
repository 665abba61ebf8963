import { wilsonInterval, type Interval } from './wilson';

/** The trials of one scenario: they share its difficulty, so each tells less than one of another scenario would. */
export interface Cluster {
  /** Trials with a verdict. */
  readonly graded: number;
  readonly passed: number;
  /** How many scenarios fared so; one when left out. A large run has few ways to fare and many scenarios. */
  readonly scenarios?: number;
}

/** A pass rate, and how far it can be trusted. Rates 0..1. */
export interface Rate extends Interval {
  readonly value: number;
  readonly method: 'wilson' | 'wilson_clustered';
  /** How many independent observations would tell as much. */
  readonly effectiveSize: number;
}

/**
 * Of n graded trials in m scenarios, as many as independent ones would tell the same: n* = p(1 − p) / v, at most n, where v is
 * the variance of the rate between the scenarios, v = m / (m − 1) · Σ (yᵢ − p·nᵢ)² / n². Where v says nothing (all or none passed, one
 * scenario, scenarios that all fared alike) it is m: trials that agree throughout are worth one each.
 *
 * Source: E. L. Korn and B. I. Graubard, "Confidence intervals for proportions with small expected number of positive counts
 * estimated from survey data", Survey Methodology 24 (1998) 193–201; E. Miller, "Adding error bars to evals" (2024), arXiv 2411.00640.
 *
 * @param clusters each with one graded trial at least
 */
export function effectiveSize(clusters: readonly Cluster[]): number {
  const scenarios = scenariosIn(clusters);
  const { graded, passed } = sumOf(clusters);
  const rate = passed / graded;
  if (passed === 0 || passed === graded || scenarios === 1) return scenarios;
  const scatter = clusters.reduce(
    (sum, { graded: n, passed: y, scenarios: alike = 1 }) => sum + alike * (y - rate * n) ** 2,
    0,
  );
  const variance = ((scenarios / (scenarios - 1)) * scatter) / graded ** 2;
  // What rounding leaves of a scatter of nothing is nothing.
  if (scatter <= ROUNDING * graded ** 2) return scenarios;
  return Math.min(graded, (rate * (1 - rate)) / variance);
}

const ROUNDING = 1e-20;

/**
 * The rate of all graded trials with its Wilson interval, on the effective size where any scenario has several. Null when nothing
 * was graded.
 * @param confidence 0..1, both excluded
 */
export function rateOf(clusters: readonly Cluster[], confidence: number): Rate | null {
  const known = clusters.filter(({ graded }) => graded > 0);
  if (known.length === 0) return null;
  const { graded, passed } = sumOf(known);
  const isClustered = known.some((one) => one.graded > 1);
  const size = isClustered ? effectiveSize(known) : graded;
  const value = passed / graded;
  return {
    value,
    ...wilsonInterval(value, size, confidence),
    method: isClustered ? 'wilson_clustered' : 'wilson',
    effectiveSize: size,
  };
}

/** Trials of all scenarios together. */
export function sumOf(clusters: readonly Cluster[]): { readonly graded: number; readonly passed: number } {
  let [graded, passed] = [0, 0];
  for (const one of clusters) {
    const { scenarios = 1 } = one;
    graded += scenarios * one.graded;
    passed += scenarios * one.passed;
  }
  return { graded, passed };
}

export function scenariosIn(clusters: readonly Cluster[]): number {
  return clusters.reduce((sum, { scenarios = 1 }) => sum + scenarios, 0);
}

/** Some graded trials of a scenario that are to be left out. */
export interface LeftOut {
  /** The scenario with all its trials. */
  readonly from: Cluster;
  readonly graded: number;
  readonly passed: number;
}

/** The scenarios as if those trials had not been graded. @param clusters all scenarios, those of `leftOut` among them */
export function without(clusters: readonly Cluster[], leftOut: readonly LeftOut[]): Cluster[] {
  const moved = leftOut.flatMap(({ from, graded, passed }) => [
    { ...from, scenarios: -1 },
    { graded: from.graded - graded, passed: from.passed - passed, scenarios: 1 },
  ]);
  const counts = new Map<string, Required<Cluster>>();
  for (const { graded, passed, scenarios = 1 } of [...clusters, ...moved]) {
    const key = `${graded} ${passed}`;
    counts.set(key, { graded, passed, scenarios: (counts.get(key)?.scenarios ?? 0) + scenarios });
  }
  return [...counts.values()].filter(({ scenarios }) => scenarios > 0);
}

/** Scenarios that have something in common, and how they fared. */
export interface Group {
  readonly name: string;
  readonly graded: number;
  readonly passed: number;
  /** Null when nothing of it was graded. */
  readonly rate: Rate | null;
}

/** How a scenario, or several alike, of the group with this name fared. */
interface Member extends Cluster {
  readonly name: string;
}

/** A rate for each group, in the order of their names. @param members a scenario of several groups is a member of each */
export function byGroup(members: readonly Member[], confidence: number): Group[] {
  const groups = new Map<string, Member[]>();
  for (const member of members) {
    const others = groups.get(member.name);
    if (others === undefined) groups.set(member.name, [member]);
    else others.push(member);
  }
  return [...groups]
    .sort(([one], [other]) => one.localeCompare(other, 'en'))
    .map(([name, group]) => ({ name, ...sumOf(group), rate: rateOf(group, confidence) }));
}

interface PassHat {
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
