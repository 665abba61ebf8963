/** The colour of a number; neutral where there is nothing to judge it by. */
export type Tone = 'good' | 'warn' | 'bad' | 'neutral';

interface Judged {
  /** Percent; null without a result. */
  readonly rate: number | null;
  /** Percent: the points that a scenario needs, and the passed scenarios that a run needs, to look good. */
  readonly passThreshold: number;
  /** Scenario runs that failed by a must-pass criterion; null when it is not known. */
  readonly mustPassViolated: number | null;
  /** The verdict of the comparison with the agent's baseline; null where there is none. */
  readonly againstBaseline?: 'better' | 'worse' | 'mixed' | 'no_evidence' | 'cannot_tell' | null;
}

/** A high rate does not look good when a must-pass criterion was violated, or when the agent is worse than its baseline. */
export function toneOf({ rate, passThreshold, mustPassViolated, againstBaseline = null }: Judged): Tone {
  if (rate === null) return 'neutral';
  if (rate === 0 || rate < passThreshold || againstBaseline === 'worse' || againstBaseline === 'mixed') return 'bad';
  return mustPassViolated !== null && mustPassViolated > 0 ? 'warn' : 'good';
}
