import { words } from '../../../machines/transition-words';
import type { Machine } from '../../../contract/inspection';
import { edgesOf, type Edge } from './chart-edges';

/** Sizes in the units of the drawing, which is scaled to the available space. */
const STATE = { width: 190, height: 32, gap: 20 };
const FINAL = { height: 26, gap: 12 };
const REGION = { padding: 14, head: 24 };
const LANE = { width: 11, first: 16 };
const ARROW = 5;
const CORNER = 5;
const MARGIN = 6;

export interface Box {
  readonly id: string;
  readonly label: string;
  readonly type: 'atomic' | 'compound' | 'final';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Line extends Edge {
  /** SVG path, from the source to the point of the arrow. */
  readonly path: string;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Regions before what is inside them. */
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
}

/**
 * Draws a chart from top to bottom in its own order, which is the usual way through it: regions as boxes around their states,
 * final states below. A transition to the next state is a straight line; all others go along lanes beside the boxes, downwards on
 * the right and back upwards on the left, and transitions to the same state share a lane.
 */
export function layOut(machine: Machine): Layout {
  const boxes = placeBoxes(machine);
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const order = boxes.filter(({ type }) => type !== 'compound').map(({ id }) => id);
  const next = new Map(order.map((id, index) => [id, order[index + 1]]));
  const routes = edgesOf(machine).flatMap((edge): Route[] => {
    const source = byId.get(edge.source);
    const target = byId.get(edge.target);
    return source && target ? [{ edge, source, target, kind: kindOf(source, target, next, byId) }] : [];
  });
  const left = lanesOf(routes.filter(({ kind }) => kind === 'up'));
  const right = lanesOf(routes.filter(({ kind }) => kind === 'down'));
  const outer = Math.max(...boxes.map(({ x, width }) => x + width));
  const indent = left.count === 0 ? 0 : LANE.first + left.count * LANE.width;
  const laneX = ({ edge, kind }: Route): number =>
    kind === 'up'
      ? -LANE.first - (left.laneOf.get(edge.target) ?? 0) * LANE.width
      : outer + LANE.first + (right.laneOf.get(edge.target) ?? 0) * LANE.width;
  const shift = indent + MARGIN;
  return {
    width: shift + outer + LANE.first + right.count * LANE.width + MARGIN,
    height: Math.max(...boxes.map(({ y, height }) => y + height)) + MARGIN,
    boxes: boxes.map((box) => ({ ...box, x: box.x + shift })),
    lines: routes.map((route) => ({
      ...route.edge,
      path: route.kind === 'next' ? straight(route, shift) : aroundBy(route, laneX(route) + shift, shift),
    })),
  };
}

interface Route {
  readonly edge: Edge;
  readonly source: Box;
  readonly target: Box;
  readonly kind: 'next' | 'down' | 'up';
}

function placeBoxes({ states }: Machine): Box[] {
  const childrenOf = (parent: string | null) => states.filter((state) => state.parent === parent);
  const depthBelow = (id: string | null): number =>
    Math.max(0, ...childrenOf(id).map((child) => (child.type === 'compound' ? 1 + depthBelow(child.id) : 0)));
  const boxes: Box[] = [];
  /** Places the states of a region below y; returns where the last one ends. */
  const place = (parent: string | null, x: number, width: number, top: number): number => {
    let y = top;
    for (const { id, type } of childrenOf(parent)) {
      const label = words(id.slice(id.lastIndexOf('.') + 1));
      if (y > top) y += type === 'final' ? FINAL.gap : STATE.gap;
      if (type !== 'compound') {
        const height = type === 'final' ? FINAL.height : STATE.height;
        boxes.push({ id, label, type, x, y, width, height });
        y += height;
        continue;
      }
      const at = boxes.push({ id, label, type, x, y, width, height: 0 }) - 1;
      const { padding, head } = REGION;
      const end = place(id, x + padding, width - 2 * padding, y + head) + padding;
      const box = boxes[at];
      if (box) boxes[at] = { ...box, height: end - y };
      y = end;
    }
    return y;
  };
  place(null, 0, STATE.width + 2 * REGION.padding * depthBelow(null), MARGIN);
  return boxes;
}

function kindOf(
  source: Box,
  target: Box,
  next: ReadonlyMap<string, string | undefined>,
  byId: ReadonlyMap<string, Box>,
): Route['kind'] {
  const follower = byId.get(next.get(source.id) ?? '');
  const isNext = follower !== undefined && (follower.id === target.id || isFirstIn(follower, target));
  if (isNext) return 'next';
  return target.y > source.y || source.type === 'compound' ? 'down' : 'up';
}

/** Whether nothing lies between the upper edge of a region and the state. */
function isFirstIn(state: Box, region: Box): boolean {
  return region.type === 'compound' && state.id.startsWith(`${region.id}.`) && state.y - region.y < 2 * REGION.head + 2;
}

/** The heights at which lines leave a box and arrive at it: never the same. */
function leavesAt({ type, y, height }: Box): number {
  return type === 'compound' ? y + height - REGION.padding : y + height / 2 + 6;
}

function arrivesAt({ type, y, height }: Box): number {
  return type === 'compound' ? y + REGION.head / 2 : y + height / 2 - (type === 'final' ? 0 : 6);
}

/** Assigns lanes: short spans inside, long ones outside; two that do not overlap share one. */
function lanesOf(routes: readonly Route[]): { readonly count: number; readonly laneOf: ReadonlyMap<string, number> } {
  const spans = new Map<string, { from: number; to: number }>();
  for (const { source, target } of routes) {
    const ends = [leavesAt(source), arrivesAt(target)];
    const { from, to } = spans.get(target.id) ?? { from: Infinity, to: -Infinity };
    spans.set(target.id, { from: Math.min(from, ...ends), to: Math.max(to, ...ends) });
  }
  const lanes: { from: number; to: number }[][] = [];
  const laneOf = new Map<string, number>();
  const byLength = [...spans].sort(([, one], [, other]) => one.to - one.from - (other.to - other.from));
  for (const [target, span] of byLength) {
    const isFree = (lane: { from: number; to: number }[]) =>
      lane.every(({ from, to }) => span.to + CORNER < from || span.from - CORNER > to);
    const found = lanes.findIndex(isFree);
    const lane = found === -1 ? lanes.push([]) - 1 : found;
    lanes[lane]?.push(span);
    laneOf.set(target, lane);
  }
  return { count: lanes.length, laneOf };
}

function straight({ source, target }: Route, shift: number): string {
  const x = source.x + source.width / 2 + shift;
  return `M${x} ${source.y + source.height}V${target.y - ARROW}`;
}

function aroundBy({ source, target, kind }: Route, lane: number, shift: number): string {
  const isRight = kind === 'down';
  const side = ({ x, width }: Box) => x + shift + (isRight ? width : 0);
  const outward = isRight ? 1 : -1;
  const [from, to] = [leavesAt(source), arrivesAt(target)];
  const turn = Math.sign(to - from) * CORNER;
  return [
    `M${side(source)} ${from}`,
    `H${lane - outward * CORNER}`,
    `Q${lane} ${from} ${lane} ${from + turn}`,
    `V${to - turn}`,
    `Q${lane} ${to} ${lane - outward * CORNER} ${to}`,
    `H${side(target) + outward * ARROW}`,
  ].join('');
}
