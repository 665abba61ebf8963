/** How a number looks at a glance; neutral where there is nothing to judge it by. */
export type Tone = 'good' | 'warn' | 'bad' | 'neutral';

interface Judged {
  /** Percent; null: there is no result. */
  readonly rate: number | null;
  /** Percent: what a scenario needs of its points, and a run of its scenarios, to look fine. */
  readonly passThreshold: number;
  /** Scenario runs that failed by a must-pass criterion; null when it is not known. */
  readonly mustPassViolated: number | null;
  /** The verdict measured by the agent's baseline; null where there is none. */
  readonly againstBaseline?: 'better' | 'worse' | 'mixed' | 'no_evidence' | 'cannot_tell' | null;
}

/** A high rate does not look fine while something that must pass did not, or while the agent is worse than it was. */
export function toneOf({ rate, passThreshold, mustPassViolated, againstBaseline = null }: Judged): Tone {
  if (rate === null) return 'neutral';
  if (rate === 0 || rate < passThreshold || againstBaseline === 'worse' || againstBaseline === 'mixed') return 'bad';
  return mustPassViolated !== null && mustPassViolated > 0 ? 'warn' : 'good';
}
