import { words } from '../../../machines/transition-words';
import type { Machine } from '../../../contract/inspection';

/** A line of the drawing: one for each pair of states, for all transitions between them. */
export interface Edge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  /** The transitions along it, shown on hover. */
  readonly reasons: readonly string[];
}

/**
 * The lines of a chart. A region whose own transition has the same target as one of its states' stands for both; and the transitions
 * by which an actor ends before it has begun, because its run is already over, would only cross the others.
 */
export function edgesOf({ states, transitions, initial }: Machine): readonly Edge[] {
  const parentOf = new Map(states.map(({ id, parent }) => [id, parent]));
  const finals = new Set(states.filter(({ type }) => type === 'final').map(({ id }) => id));
  const beginning = innermost(states, initial);
  const leads = new Set(transitions.map(({ source, target }) => pairOf(source, target ?? source)));
  const edges = new Map<string, Edge>();
  for (const { source, target, event, guard } of transitions) {
    if (target === null || (source === beginning && finals.has(target))) continue;
    let outermost = source;
    for (let region = parentOf.get(source) ?? null; region !== null; region = parentOf.get(region) ?? null) {
      if (event !== '' && leads.has(pairOf(region, target))) outermost = region;
    }
    const id = pairOf(outermost, target);
    const reason = [event, guard === null ? '' : `[${words(guard)}]`].filter((part) => part !== '').join(' ');
    const { reasons } = edges.get(id) ?? { reasons: [] };
    edges.set(id, { id, source: outermost, target, reasons: reason === '' ? reasons : [...reasons, reason] });
  }
  return [...edges.values()];
}

/** The line along which an actor went from one innermost state to another; undefined where none is drawn. */
export function edgeOf(edges: readonly Edge[], from: string, to: string): Edge | undefined {
  const candidates = edges.filter(({ source, target }) => isWithin(from, source) && isWithin(to, target));
  // The most specific one: the innermost source, then the innermost target.
  return candidates.sort((one, other) => depthOf(other) - depthOf(one))[0];
}

export function isWithin(state: string, region: string): boolean {
  return state === region || state.startsWith(`${region}.`);
}

/** Entering a region is entering the state in which it begins. */
export function innermost(states: Machine['states'], id: string): string {
  const initial = states.find((state) => state.id === id)?.initial ?? null;
  return initial === null ? id : innermost(states, initial);
}

function depthOf({ source, target }: Edge): number {
  return source.split('.').length * 10 + target.split('.').length;
}

function pairOf(source: string, target: string): string {
  return `${source} > ${target}`;
}
