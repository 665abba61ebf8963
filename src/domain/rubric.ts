import type { Check } from './check';

/** Rubric arithmetic (docs/grading.md). Pure: the judge decides, the evidence check filters, this adds up. */
export const DECISIONS = ['MET', 'PARTIALLY MET', 'NOT MET'] as const;
export type Decision = (typeof DECISIONS)[number];

export interface RubricCriterion {
  readonly criterion: string;
  /** Negative points mark something the agent must not do: they are subtracted when MET. */
  readonly points: number;
  readonly tags: readonly string[];
  /** The turn (from 1) by which it has to be done to be MET. A fault ignores it. */
  readonly by_turn?: number;
  /** Decides it by a rule, in place of the judge; as it was stored. */
  readonly check?: Check;
}

/** A quote that occurs word for word in the transcript at that turn, or a tool call of the agent. */
export interface Evidence {
  readonly turn: number;
  readonly quote: string;
  /** The quote is the call at this place among those of its turn, from 1; absent for words. */
  readonly call?: number;
}

export interface CriterionResult {
  readonly criterion: string;
  readonly tags: readonly string[];
  readonly decision: Decision;
  /** Points earned; negative when a criterion with negative points was MET. */
  readonly points: number;
  /** Points the criterion carries in the rubric. */
  readonly maxPoints: number;
  readonly rationale: string;
  /** The agent's own words. */
  readonly evidence: readonly Evidence[];
  /** The decision is proven by what no reply says, in place of quotes. */
  readonly absence: boolean;
  /** How many replies were read for it; only with `absence`. */
  readonly repliesRead?: number;
  /** The decisions of all examinations in their order; only for a criterion that was voted on. */
  readonly votes?: readonly Decision[];
  /** The votes were not unanimous. */
  readonly disputed: boolean;
  /** The kind of the check that decided it; only where no judge was asked. */
  readonly check?: string;
}

export interface Verdict {
  readonly passed: boolean;
  /** 0..100, one decimal. */
  readonly scorePercent: number;
  readonly totalPoints: number;
  /** Sum of the positive points. */
  readonly maxPoints: number;
  readonly summary: string;
  readonly criteria: readonly CriterionResult[];
}

/** A criterion with this tag fails the scenario when it is violated, whatever the score (`violatesMustPass`). */
export const MUST_PASS_TAG = 'must_pass';

/** What `violatesMustPass` decides, in words. */
export const MUST_PASS_RULE =
  'one with points is violated when NOT MET, one with negative points when MET or PARTIALLY MET';
export const DEFAULT_PASS_THRESHOLD = 50;

const HALVES_EARNED: Record<Decision, number> = { MET: 2, 'PARTIALLY MET': 1, 'NOT MET': 0 };

/** As the decisions of many scenario runs are stored, where they are read together. */
const LETTERS = { MET: 'M', 'PARTIALLY MET': 'P', 'NOT MET': 'N' } as const satisfies Record<Decision, string>;

/** A letter each, in their order. */
export function decisionLetters(decisions: readonly Decision[]): string {
  return decisions.map((decision) => LETTERS[decision]).join('');
}

/** What the letters stand for. */
export function decisionsOf(letters: string): Decision[] {
  return Array.from(letters, (letter) => DECISIONS.find((decision) => LETTERS[decision] === letter) ?? 'NOT MET');
}

export function pointsEarned(points: number, decision: Decision): number {
  // `+ 0` turns -0 (a negative criterion NOT MET) into 0.
  return points * (HALVES_EARNED[decision] / 2) + 0;
}

/** `must_pass` is violated when what earns points is left undone, and when what costs points is done, even in part (ADR 5). */
export function violatesMustPass(decision: string, points: number, tags: readonly string[]): boolean {
  if (!tags.includes(MUST_PASS_TAG)) return false;
  return points < 0 ? decision !== 'NOT MET' : decision === 'NOT MET';
}

export interface RubricScore {
  readonly totalPoints: number;
  readonly maxPoints: number;
  readonly scorePercent: number;
  readonly passed: boolean;
}

/**
 * score = earned / sum of positive points, at least 0 %; passed when score ≥ threshold and no `must_pass`
 * criterion is violated.
 *
 * A rubric of negative points only starts from a full score: the agent keeps 100 % unless a criterion is MET, even in part.
 *
 * The sums and the comparison with the threshold are exact in decimals; only the percentage shown is rounded.
 *
 * @throws RangeError when points or threshold are not finite.
 */
export function scoreRubric(
  results: readonly Pick<CriterionResult, 'decision' | 'maxPoints' | 'tags'>[],
  passThreshold: number,
): RubricScore {
  const points = toScaled(results.map((result) => result.maxPoints));
  const threshold = toScaled([passThreshold]);
  // Counted in half points, since PARTIALLY MET earns half.
  let earned = 0n;
  let positive = 0n;
  let violated = false;
  results.forEach(({ decision, maxPoints, tags }, index) => {
    const worth = points.integers[index] ?? 0n;
    earned += worth * BigInt(HALVES_EARNED[decision]);
    if (worth > 0n) positive += worth * 2n;
    violated ||= violatesMustPass(decision, maxPoints, tags);
  });
  const [share, whole] = positive > 0n ? [earned < 0n ? 0n : earned, positive] : [earned < 0n ? 0n : 1n, 1n];
  const needed = (threshold.integers[0] ?? 0n) * whole;
  return {
    totalPoints: fromScaled(earned * 5n, points.decimals + 1),
    maxPoints: fromScaled(positive * 5n, points.decimals + 1),
    scorePercent: fromScaled((share * 2000n + whole) / (whole * 2n), 1),
    passed: share * 100n * 10n ** BigInt(threshold.decimals) >= needed && !violated,
  };
}

/** Numbers as the decimals people wrote, all multiplied by ten to the power of `decimals`: 0.1 + 0.2 is exactly 0.3. */
interface Scaled {
  readonly integers: readonly bigint[];
  readonly decimals: number;
}

/** @throws RangeError for NaN and infinities. */
function toScaled(values: readonly number[]): Scaled {
  const parsed = values.map(parseDecimal);
  const decimals = parsed.reduce((most, part) => Math.max(most, part.decimals), 0);
  return { integers: parsed.map((part) => part.digits * 10n ** BigInt(decimals - part.decimals)), decimals };
}

/** The number nearest to `integer` divided by ten to the power of `decimals`. */
function fromScaled(integer: bigint, decimals: number): number {
  return Number(`${integer}e-${decimals}`);
}

/** Reads the shortest decimal that stands for a number: digits, and how many of them follow the point (may be negative). */
function parseDecimal(value: number): { digits: bigint; decimals: number } {
  if (!Number.isFinite(value)) throw new RangeError('Only finite numbers have a decimal form.');
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), decimals: fraction.length - Number(exponent) };
}

/** How grave it is when an agent gets a scenario wrong, the least grave first. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;

/** For sorting: the graver the higher; -1 for a severity that this version does not know, and for none. */
export function gravityOf(severity: string | null): number {
  return SEVERITIES.findIndex((known) => known === severity);
}
