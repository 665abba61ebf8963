import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition, StateValue } from 'xstate';
import { eventWords, nameOf, transitionsOf } from './transition-words';

/** A statechart as plain data, for code that draws it. States are named by their path: `active.grading.judging`. */
export interface ChartDefinition {
  readonly id: string;
  /** The outermost state in which an actor begins. */
  readonly initial: string;
  /** Parents before their children, in the order of the chart. */
  readonly states: readonly StateDefinition[];
  readonly transitions: readonly TransitionDefinition[];
}

export interface StateDefinition {
  readonly id: string;
  /** Null for the outermost states. */
  readonly parent: string | null;
  readonly type: 'atomic' | 'compound' | 'final';
  /** The child in which a compound state begins. */
  readonly initial: string | null;
  /** The effects that begin with the state and are aborted when it is left. */
  readonly invokes: readonly string[];
  /** The API statuses that the state corresponds to. */
  readonly tags: readonly string[];
}

export interface TransitionDefinition {
  readonly source: string;
  /** Null: the state is not left. */
  readonly target: string | null;
  /** In words: `connect done`, `run canceled`; empty where only the guard decides, at once. */
  readonly event: string;
  /** What must hold; of several candidates the first one is taken. */
  readonly guard: string | null;
  readonly actions: readonly string[];
}

export function defineChart(chart: AnyStateMachine): ChartDefinition {
  const nodes = descendantsOf(chart.root);
  const [initial] = chart.root.initial.target;
  if (initial === undefined) throw new Error('A chart begins in a state.');
  return {
    id: chart.id,
    initial: idOf(initial),
    states: nodes.map(defineState),
    transitions: nodes.flatMap((node) => transitionsOf(node).map((transition) => defineTransition(node, transition))),
  };
}

/** The innermost state of a value without parallel regions: `{ active: { grading: 'judging' } }` → `active.grading.judging`. */
export function statePath(value: StateValue): string {
  if (typeof value === 'string') return value;
  const [entry] = Object.entries(value);
  if (entry === undefined) return '';
  const [key, inner] = entry;
  return inner === undefined ? key : `${key}.${statePath(inner)}`;
}

function defineState(node: AnyStateNode): StateDefinition {
  const isCompound = node.type === 'compound';
  const [initial] = isCompound ? node.initial.target : [];
  return {
    id: idOf(node),
    parent: node.parent === undefined || node.parent.path.length === 0 ? null : idOf(node.parent),
    type: isCompound ? 'compound' : node.type === 'final' ? 'final' : 'atomic',
    initial: initial === undefined ? null : idOf(initial),
    invokes: node.invoke.map(({ id }) => id),
    tags: [...node.tags],
  };
}

function defineTransition(node: AnyStateNode, transition: AnyTransitionDefinition): TransitionDefinition {
  const [target] = transition.target ?? [];
  return {
    source: idOf(node),
    target: target === undefined ? null : idOf(target),
    event: eventWords(String(transition.eventType)),
    guard: transition.guard === undefined ? null : nameOf(transition.guard),
    actions: transition.actions.map(nameOf),
  };
}

function descendantsOf(node: AnyStateNode): readonly AnyStateNode[] {
  return Object.values(node.states).flatMap((child) => [child, ...descendantsOf(child)]);
}

function idOf(node: AnyStateNode): string {
  return node.path.join('.');
}
