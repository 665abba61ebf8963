import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { reactionOf, reasonsOf, transitionsOf, words } from './transition-words';

/**
 * A statechart as a Mermaid state diagram (https://mermaid.js.org/syntax/stateDiagram.html), the same text for the same
 * chart. Names are written as words, guards in brackets, final states with a thick border. A state's id in the diagram is
 * its path joined by underscores (`diagramIdOf`), so that a page can find the states an actor is in.
 */
export function drawChart(chart: AnyStateMachine): string {
  const { root } = chart;
  const lines = [
    'direction TB',
    ...drawRegion(root),
    // Edges between regions come last and outside of them: inside, Mermaid would take their ends for new states.
    ...drawEdges(root, (source, target) => source.parent !== target.parent),
    ...drawFinals(root),
  ];
  return ['stateDiagram-v2', ...indented(lines), ''].join('\n');
}

/** The id of a state in the diagram, from its path: `['active', 'grading']` is `active_grading`. */
export function diagramIdOf(path: readonly string[]): string {
  return path.join('_');
}

/** The states of a region, each with what is inside it, and the edges between them. */
function drawRegion(region: AnyStateNode): readonly string[] {
  return [
    ...region.initial.target.map((target) => `[*] --> ${idOf(target)}`),
    ...Object.values(region.states).flatMap(drawState),
    ...drawEdges(region, (source, target) => source.parent === region && target.parent === region),
  ];
}

function drawState(node: AnyStateNode): readonly string[] {
  const reactions = transitionsOf(node).filter(({ target, actions }) => target === undefined && actions.length > 0);
  // The effect of a state without others inside it shows in its arrows; that of a region goes on beside its states.
  const meanwhile = isRegion(node) ? node.invoke.map(({ id }) => `meanwhile ${words(id)}`) : [];
  const name = `state "${[words(node.key), ...meanwhile, ...reactions.map(reactionOf)].join(', ')}" as ${idOf(node)}`;
  return isRegion(node) ? [`${name} {`, ...indented(drawRegion(node)), '}'] : [name];
}

/** One edge for each pair of states, whatever leads from the one to the other. */
function drawEdges(
  region: AnyStateNode,
  isWanted: (source: AnyStateNode, target: AnyStateNode) => boolean,
): readonly string[] {
  const edges = new Map<
    string,
    { source: AnyStateNode; target: AnyStateNode; transitions: AnyTransitionDefinition[] }
  >();
  for (const transition of descendantsOf(region).flatMap(transitionsOf)) {
    for (const target of transition.target ?? []) {
      const source = outermostSource(transition, target);
      if (!isWanted(source, target)) continue;
      const pair = `${idOf(source)} --> ${idOf(target)}`;
      const { transitions } = edges.get(pair) ?? { transitions: [] };
      edges.set(pair, { source, target, transitions: [...transitions, transition] });
    }
  }
  return [...edges].flatMap(([pair, { source, target, transitions }]) => {
    const reasons = reasonsOf(transitions);
    if (reasons.length === 0) return [pair];
    if (!isRegion(source)) return [`${pair} : ${reasons.join(' or ')}`];
    // An edge from a region is short and would hide under its label.
    return [pair, `note right of ${idOf(target)}`, ...indented(reasons), 'end note'];
  });
}

/**
 * The outermost region around a transition's source that leads to the same target: its edge stands for this one too,
 * which would only cross others. The effect named in the label still identifies the state.
 */
function outermostSource({ source, eventType }: AnyTransitionDefinition, target: AnyStateNode): AnyStateNode {
  if (eventType === '') return source;
  const leadsThere = (transition: AnyTransitionDefinition) => transition.target?.includes(target) === true;
  return ancestorsOf(source).findLast((region) => transitionsOf(region).some(leadsThere)) ?? source;
}

function drawFinals(root: AnyStateNode): readonly string[] {
  const finals = descendantsOf(root).filter((node) => node.type === 'final');
  return ['classDef final stroke-width:3px', `class ${finals.map(idOf).join()} final`];
}

function isRegion(node: AnyStateNode): boolean {
  return node.type === 'compound';
}

function descendantsOf(node: AnyStateNode): readonly AnyStateNode[] {
  return Object.values(node.states).flatMap((child) => [child, ...descendantsOf(child)]);
}

/** The ancestors of a state, from the inside out. */
function ancestorsOf({ parent }: AnyStateNode): readonly AnyStateNode[] {
  return parent === undefined ? [] : [parent, ...ancestorsOf(parent)];
}

function idOf(node: AnyStateNode): string {
  return diagramIdOf(node.path);
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}
