import { charts, findWay } from './chart-walk';
import type { ActorKind, ActorTransition, ActorDetail } from '../../../contract/inspection';

/**
 * One path through the chart, from what was derived from the log and what a watch has seen: attempt by attempt, what came
 * before the watch, what it saw, and what came after it.
 */
export function combine(
  kind: ActorKind,
  derived: readonly ActorTransition[],
  seen: readonly ActorTransition[],
): ActorTransition[] {
  const attempts = [...new Set([...derived, ...seen].map(({ attempt }) => attempt))].sort((one, other) => one - other);
  return attempts.flatMap((attempt) => {
    const own = (transition: ActorTransition) => transition.attempt === attempt;
    return combineAttempt(kind, derived.filter(own), seen.filter(own));
  });
}

function combineAttempt(
  kind: ActorKind,
  derived: readonly ActorTransition[],
  seen: readonly ActorTransition[],
): readonly ActorTransition[] {
  const [first] = seen;
  const last = seen.at(-1);
  if (first === undefined || last === undefined) return derived;
  const begin = derived.findIndex((step) => isSame(step, first));
  const end = derived.findLastIndex((step) => isSame(step, last));
  // Clocks of processes and database differ: the time decides only where the steps do not. The log of a scenario run
  // holds all of its steps, so that one it does not hold yet is newer; that of a test run holds few.
  const isComplete = kind === 'scenario_run';
  const before =
    begin !== -1 ? derived.slice(0, begin) : isComplete ? derived : derived.filter(({ at }) => at < first.at);
  const isOver = isComplete || isFinal(kind, last.to);
  const after = end !== -1 ? derived.slice(end + 1) : isOver ? [] : derived.filter(({ at }) => at > last.at);
  return [...before, ...seen, ...after];
}

/** A step comes twice only in the actor of a test run; there the time distinguishes them. */
function isSame(one: ActorTransition, other: ActorTransition): boolean {
  const isLive = one.source === 'live' && other.source === 'live';
  return one.turn === other.turn && one.from === other.from && one.to === other.to && (!isLive || one.at === other.at);
}

/**
 * The path to the current state of a live actor: the log holds only what was recorded, and the actor may not have been watched.
 * @param since when it came there
 */
export function upToNow(
  kind: ActorKind,
  transitions: readonly ActorTransition[],
  state: string,
  since: string,
): ActorTransition[] {
  const last = transitions.at(-1);
  if (last === undefined || last.to === state) return [...transitions];
  let from = last.to;
  const missing = (findWay(charts[kind], from, state) ?? []).map(({ to, event, guard, actions }): ActorTransition => {
    const step = { from, to, event, guard, actions: [...actions] };
    from = to;
    return { at: since, attempt: last.attempt, ...step, turn: last.turn, source: 'inferred' };
  });
  return [...transitions, ...missing];
}

type Attempt = ActorDetail['attempts'][number];

/** The attempts that make up a path through the chart. @param isUnderWay whether the last one goes on */
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
