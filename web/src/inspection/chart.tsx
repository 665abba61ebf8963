import { useMemo } from 'react';
import { words } from '../../../machines/transition-words';
import type { Transition } from '../api/inspection';
import type { Machine } from '../../../contract/inspection';
import { edgeOf, isWithin } from './chart-edges';
import { layOut, type Box, type Line } from './chart-layout';

interface Props {
  readonly machine: Machine;
  /** The innermost state that the actor is in; null before it began. */
  readonly state: string | null;
  /** The path so far, of the attempt that is shown. */
  readonly way: readonly Transition[];
}

/** A statechart with the actor's current states lit, and the path it took. */
export function Chart({ machine, state, way }: Props) {
  const layout = useMemo(() => layOut(machine), [machine]);
  const visits = new Map<string, number>();
  for (const { from, to } of way) if (from !== to) visits.set(to, (visits.get(to) ?? 0) + 1);
  const taken = new Set(way.map(({ from, to }) => edgeOf(layout.lines, from, to)?.id));
  const last = way.at(-1);
  const lastLine = last && edgeOf(layout.lines, last.from, last.to);
  const where = state === null ? 'it has not begun' : `it is in ${state.split('.').map(words).join(', ')}`;
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      width={layout.width}
      height={layout.height}
      role="img"
      aria-label={`Statechart of a ${machine.kind === 'test_run' ? 'test run' : 'scenario run'}: ${where}.`}
      data-state={state ?? ''}
    >
      <defs>
        <Arrow id="arrow" />
        <Arrow id="arrow-taken" />
        <Arrow id="arrow-last" />
      </defs>
      {layout.boxes.filter(isRegion).map((box) => (
        <Region key={box.id} box={box} isLit={state !== null && isWithin(state, box.id)} />
      ))}
      {[...layout.lines].sort(byImportance(taken, lastLine?.id)).map((line) => (
        <LineOf key={line.id} line={line} isTaken={taken.has(line.id)} isLast={line.id === lastLine?.id} />
      ))}
      {layout.boxes
        .filter((box) => !isRegion(box))
        .map((box) => (
          <State key={box.id} box={box} isLit={box.id === state} visits={visits.get(box.id) ?? 0} />
        ))}
    </svg>
  );
}

function isRegion({ type }: Box): boolean {
  return type === 'compound';
}

/** Transitions taken are drawn over the others. */
function byImportance(taken: ReadonlySet<string | undefined>, last: string | undefined) {
  const rank = ({ id }: Line) => (id === last ? 2 : taken.has(id) ? 1 : 0);
  return (one: Line, other: Line) => rank(one) - rank(other);
}

function Arrow({ id }: { id: string }) {
  return (
    <marker
      id={id}
      className={id}
      viewBox="0 0 6 6"
      refX="1"
      refY="3"
      markerUnits="userSpaceOnUse"
      markerWidth="7"
      markerHeight="7"
      orient="auto"
    >
      <path d="M0 0L6 3L0 6Z" />
    </marker>
  );
}

function Region({ box, isLit }: { box: Box; isLit: boolean }) {
  return (
    <g className={isLit ? 'region lit' : 'region'}>
      <rect x={box.x} y={box.y} width={box.width} height={box.height} rx="8" />
      <text x={box.x + 10} y={box.y + 16}>
        {box.label}
      </text>
    </g>
  );
}

function LineOf({ line, isTaken, isLast }: { line: Line; isTaken: boolean; isLast: boolean }) {
  const kind = isLast ? 'last' : isTaken ? 'taken' : '';
  return (
    <path className={`line ${kind}`} d={line.path} markerEnd={`url(#${kind === '' ? 'arrow' : `arrow-${kind}`})`}>
      <title>{line.reasons.join(' or ')}</title>
    </path>
  );
}

function State({ box, isLit, visits }: { box: Box; isLit: boolean; visits: number }) {
  const middle = box.y + box.height / 2;
  const marks = [box.type, visits > 0 ? 'visited' : '', isLit ? 'lit' : ''].filter((mark) => mark !== '');
  return (
    <g className={`state ${marks.join(' ')}`} data-id={box.id}>
      <title>{box.id.split('.').map(words).join(' › ')}</title>
      <rect x={box.x} y={box.y} width={box.width} height={box.height} rx={box.type === 'final' ? box.height / 2 : 6} />
      <text x={box.x + 12} y={middle} dominantBaseline="central">
        {box.label}
      </text>
      {visits > 1 && (
        <text className="visits" x={box.x + box.width - 10} y={middle} dominantBaseline="central" textAnchor="end">
          {visits}×
        </text>
      )}
    </g>
  );
}
