import type { ActorKind, ActorTransition } from '../actors/inspection-messages';
import type { ActorDetail } from './inspection.views';
import { charts } from './chart-edges';

/** What the log tells up to where somebody began to look, and from there what was seen. */
export function combine(
  kind: ActorKind,
  stored: readonly ActorTransition[],
  seen: readonly ActorTransition[],
): ActorTransition[] {
  const [first] = seen;
  if (first === undefined) return [...stored];
  if (kind === 'test_run') {
    // The log tells few steps of a test run: where they belong is told by the time.
    return [...stored.filter(({ at }) => at < first.at), ...seen];
  }
  // Clocks of processes and database differ; the step itself is the same in both.
  const met = stored.findIndex((step) => isSame(step, first));
  const before = met === -1 ? stored : stored.slice(0, met);
  const after = stored.filter(({ attempt }) => attempt > first.attempt);
  return [...before.filter(({ attempt }) => attempt <= first.attempt), ...seen, ...after];
}

function isSame(one: ActorTransition, other: ActorTransition): boolean {
  return one.attempt === other.attempt && one.turn === other.turn && one.from === other.from && one.to === other.to;
}

type Attempt = ActorDetail['attempts'][number];

/** The attempts that a way through the chart is made of. @param isUnderWay whether the last one goes on */
export function attemptsOf(kind: ActorKind, transitions: readonly ActorTransition[], isUnderWay: boolean): Attempt[] {
  const numbers = [...new Set(transitions.map(({ attempt }) => attempt))].filter((attempt) => attempt > 0);
  return numbers.flatMap((attempt, index): Attempt[] => {
    const own = transitions.filter((transition) => transition.attempt === attempt);
    const [first] = own;
    const last = own.at(-1);
    if (first === undefined || last === undefined) return [];
    const started_at = first.at;
    if (isFinal(kind, last.to)) return [{ attempt, started_at, ended_at: last.at, outcome: last.to }];
    const goesOn = isUnderWay && index === numbers.length - 1;
    return [{ attempt, started_at, ended_at: null, outcome: goesOn ? null : 'interrupted' }];
  });
}

export function isFinal(kind: ActorKind, state: string): boolean {
  return charts[kind].states.some(({ id, type }) => id === state && type === 'final');
}
