import type { TestRunStatus } from '../../../src/domain';
import { percentText, rangeText } from '../parts/numbers';

/** Percent. */
interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The number of a run's scenario runs in each status. */
export type Tally = Readonly<Record<'passed' | 'failed' | 'error' | 'canceled' | 'active' | 'total', number>>;

/** The headline number, and what to know before trusting it. */
export interface Standing {
  /** Null when no number would be meaningful. */
  readonly rate: number | null;
  readonly caption: string;
  /** Why the number says less than it seems to; null when it does not. */
  readonly caveat: string | null;
}

/**
 * The pass rate counts errors and cancellations as not passed (docs/grading.md), although they say nothing about the agent: so
 * where there are any, it is shown with a caveat.
 * @param status null while the run is in progress
 * @param interval of the rate of what was graded, 95 %; null when it is not known
 */
export function standingOf(tally: Tally, status: TestRunStatus | null, interval: Interval | null = null): Standing {
  const graded = tally.passed + tally.failed;
  const ofGraded =
    graded === 0
      ? 'None was graded.'
      : `Of the ${graded} graded, ${tally.passed} passed (${share(tally.passed, graded)}${interval === null ? '' : `; 95 % interval ${rangeText(interval)}`}).`;
  if (status === null) {
    if (graded === 0) return { rate: null, caption: 'none graded yet', caveat: null };
    return { rate: percent(tally.passed, graded), caption: `of ${graded} graded so far`, caveat: null };
  }
  if (status !== 'completed') {
    const what = status === 'canceled' ? 'The run was canceled' : 'The run could not be carried out';
    return {
      rate: null,
      caption: 'no result',
      caveat:
        graded === 0
          ? `${what}: it says nothing about the agent.`
          : `${what}: it says little about the agent. ${ofGraded}`,
    };
  }
  const ungraded = [
    ...(tally.error > 0 ? [`${tally.error} ended in error`] : []),
    ...(tally.canceled > 0 ? [`${tally.canceled} ${tally.canceled === 1 ? 'was' : 'were'} canceled`] : []),
  ].join(' and ');
  return {
    rate: percent(tally.passed, tally.total),
    caption: 'passed',
    caveat:
      ungraded === '' ? null : `${ungraded}: this says nothing about the agent, but counts as not passed. ${ofGraded}`,
  };
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : (part / whole) * 100;
}

function share(part: number, whole: number): string {
  return percentText(percent(part, whole));
}
