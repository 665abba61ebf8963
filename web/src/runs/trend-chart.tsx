import type { HistoryPoint } from '../api/agent-history';
import { percentText, rangeText } from '../parts/numbers';
import { joinsOf } from './trends';

const WIDTH = 340;
const HEIGHT = 128;
const LEFT = 44;
const RIGHT = 10;
const TOP = 12;
const BOTTOM = 24;
const LEVELS = [0, 50, 100] as const;

interface Props {
  /** The oldest first: two or more. */
  readonly points: readonly HistoryPoint[];
}

/**
 * Pass rates with their intervals, the oldest run first. Only runs over the same scenarios, trials and examiners are joined; a run
 * without a result is a cross on the axis, and an exclamation mark says that something must-pass was violated.
 */
export function TrendChart({ points }: Props) {
  const x = (place: number) => LEFT + 8 + (place / Math.max(1, points.length - 1)) * (WIDTH - LEFT - RIGHT - 16);
  const y = (percent: number) => TOP + (1 - percent / 100) * (HEIGHT - TOP - BOTTOM);
  const joins = joinsOf(points);
  const [first, last] = [points[0], points.at(-1)];
  return (
    <svg className="trend-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={inWords(points)}>
      {LEVELS.map((level) => (
        <g key={level}>
          <line className="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(level)} y2={y(level)} />
          <text x={LEFT - 6} y={y(level) + 4} textAnchor="end">
            {percentText(level)}
          </text>
        </g>
      ))}
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
      {first !== undefined && (
        <text x={LEFT} y={HEIGHT - 4}>
          {dayText(first.at)}
        </text>
      )}
      {last !== undefined && (
        <text x={WIDTH - RIGHT} y={HEIGHT - 4} textAnchor="end">
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

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

function dayText(at: string): string {
  return DAY.format(new Date(at));
}

function inWords(points: readonly HistoryPoint[]): string {
  const each = points.map(({ graded_pass_rate: rate, status }) =>
    rate === null ? (status === 'completed' ? 'no result' : status) : `${percentText(rate.value)} (${rangeText(rate)})`,
  );
  return `Pass rates with their 95 % intervals, the oldest first: ${each.join('; ')}. The table below says which are comparable.`;
}
