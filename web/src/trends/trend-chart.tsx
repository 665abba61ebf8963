import type { HistoryPoint } from '../api/agent-history';
import { percentText, rangeText } from '../parts/numbers';
import { visibleText } from '../parts/visible-parts';
import { joinsOf } from './trends';

/** In units of the drawing; `below` the axis there is room for days and, in the large one, for versions. */
const SMALL = { width: 340, height: 128, below: 24 } as const;
const LARGE = { width: 900, height: 260, below: 44 } as const;
const LEFT = 44;
const RIGHT = 10;
const TOP = 12;
const LEVELS = [0, 50, 100] as const;
/** Letters of a version that are drawn, and how far apart two of them begin. */
const VERSION_LETTERS = 12;
const VERSION_ROOM = 80;

interface Props {
  /** The oldest first: two or more, or one when it is large. */
  readonly points: readonly HistoryPoint[];
  /** With versions on the axis, and the baseline as a line. */
  readonly isLarge?: boolean;
}

/**
 * Pass rates with their intervals, the oldest run first. Only runs over the same scenarios, trials and examiners are joined; a run
 * without a result is a cross on the axis, and an exclamation mark says that something must-pass was violated.
 */
export function TrendChart({ points, isLarge = false }: Props) {
  const { width, height, below } = isLarge ? LARGE : SMALL;
  const x = (place: number) => LEFT + 8 + (place / Math.max(1, points.length - 1)) * (width - LEFT - RIGHT - 16);
  const y = (percent: number) => TOP + (1 - percent / 100) * (height - TOP - below);
  const baseline = isLarge ? points.find((point) => point.baseline)?.graded_pass_rate : undefined;
  const joins = joinsOf(points);
  const [first, last] = [points[0], points.at(-1)];
  return (
    <svg
      className={isLarge ? 'trend-chart large' : 'trend-chart'}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={inWords(points)}
    >
      {LEVELS.map((level) => (
        <g key={level}>
          <line className="grid" x1={LEFT} x2={width - RIGHT} y1={y(level)} y2={y(level)} />
          <text x={LEFT - 6} y={y(level) + 4} textAnchor="end">
            {percentText(level)}
          </text>
        </g>
      ))}
      {baseline && (
        <line className="baseline" x1={LEFT} x2={width - RIGHT} y1={y(baseline.value)} y2={y(baseline.value)} />
      )}
      {joins.map(({ from, to }) => (
        <line
          key={to}
          className="join"
          x1={x(from)}
          x2={x(to)}
          y1={y(points[from]?.graded_pass_rate?.value ?? 0)}
          y2={y(points[to]?.graded_pass_rate?.value ?? 0)}
        />
      ))}
      {points.map((point, place) => (
        <Point key={point.test_run_id} of={point} x={x(place)} y={y} isLast={place === points.length - 1} />
      ))}
      {isLarge &&
        versionsOf(points, x).map(({ version, at }) => (
          <text key={at} x={at} y={height - 24} textAnchor={at > width - VERSION_ROOM ? 'end' : 'start'}>
            {visibleText(version)}
          </text>
        ))}
      {first !== undefined && (
        <text x={LEFT} y={height - 4}>
          {dayText(first.at)}
        </text>
      )}
      {last !== undefined && (
        <text x={width - RIGHT} y={height - 4} textAnchor="end">
          {dayText(last.at)}
        </text>
      )}
    </svg>
  );
}

interface PointProps {
  readonly of: HistoryPoint;
  readonly x: number;
  readonly y: (percent: number) => number;
  readonly isLast: boolean;
}

function Point({ of: { graded_pass_rate: rate, must_pass_violations: violations }, x, y, isLast }: PointProps) {
  if (rate === null) {
    const at = y(0);
    return <path className="no-result" d={`M${x - 3.5} ${at - 3.5}l7 7m0 -7l-7 7`} />;
  }
  return (
    <g>
      <line className="reach" x1={x} x2={x} y1={y(rate.low)} y2={y(rate.high)} />
      <circle cx={x} cy={y(rate.value)} r={isLast ? 4.5 : 3} />
      {violations !== null && violations > 0 && (
        <text className="violated" x={x} y={Math.max(TOP - 2, y(rate.high) - 3)} textAnchor="middle">
          !
        </text>
      )}
    </g>
  );
}

/** Each version where it is first examined; one that has no room is left out, and stands in the table. */
function versionsOf(points: readonly HistoryPoint[], x: (place: number) => number): { version: string; at: number }[] {
  const drawn: { version: string; at: number }[] = [];
  for (const [place, { agent_version: version }] of points.entries()) {
    const before = points[place - 1]?.agent_version ?? null;
    const last = drawn.at(-1);
    const hasRoom = last === undefined || x(place) >= last.at + VERSION_ROOM;
    if (version === null || version === before || !hasRoom) continue;
    const short = version.length > VERSION_LETTERS ? `${version.slice(0, VERSION_LETTERS - 1)}…` : version;
    drawn.push({ version: short, at: x(place) });
  }
  return drawn;
}

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

function dayText(at: string): string {
  return DAY.format(new Date(at));
}

/** A run by its name, else by its version. */
export function pointTitle({ name, agent_version: version, label }: HistoryPoint): string {
  return name ?? version ?? label;
}

function inWords(points: readonly HistoryPoint[]): string {
  const each = points.map(({ graded_pass_rate: rate, status }) =>
    rate === null ? (status === 'completed' ? 'no result' : status) : `${percentText(rate.value)} (${rangeText(rate)})`,
  );
  return `Pass rates with their 95 % intervals, the oldest first: ${each.join('; ')}. The table below says which are comparable.`;
}
