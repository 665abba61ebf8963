import type { Statistics } from '../api/statistics';
import { percentText } from '../parts/numbers';

type Point = { readonly k: number; readonly value: number };

const WIDTH = 300;
const HEIGHT = 116;
const LEFT = 44;
const RIGHT = 8;
/** Between the axis and the first point, and the last point and the edge. */
const INSET = 14;
const TOP = 18;
const BOTTOM = 22;

/** With this many points or more, only the first and the last are labelled. */
const CROWDED = 8;

/** The chance that k conversations of one scenario all pass: the curve falls where the agent is unreliable. */
export function PassCurve({ passHat }: { readonly passHat: Statistics['pass_hat'] }) {
  const points = passHat.flatMap(({ k, value }) => (value === null ? [] : [{ k, value }]));
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 2) return null;
  const x = (k: number) => LEFT + INSET + ((k - first.k) / (last.k - first.k)) * (WIDTH - LEFT - RIGHT - 2 * INSET);
  const y = (value: number) => TOP + (1 - value / 100) * (HEIGHT - TOP - BOTTOM);
  const line = points.map(({ k, value }) => `${x(k)},${y(value)}`).join(' ');
  return (
    <figure className="pass-curve">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={sentenceOf(points)}>
        {[0, 50, 100].map((percent) => (
          <g key={percent}>
            <line className="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(percent)} y2={y(percent)} />
            <text className="axis" x={LEFT - 6} y={y(percent) + 4} textAnchor="end">
              {percent} %
            </text>
          </g>
        ))}
        <polyline className="curve" points={line} />
        {points.map(({ k, value }) => (
          <g key={k}>
            <circle className="point" cx={x(k)} cy={y(value)} r="3.5" />
            <text className="axis" x={x(k)} y={HEIGHT - 5} textAnchor="middle">
              {k}
            </text>
            {(points.length < CROWDED || k === first.k || k === last.k) && (
              <text className="figure" x={x(k)} y={y(value) - 8} textAnchor="middle">
                {Number(value.toFixed(1))}
              </text>
            )}
          </g>
        ))}
      </svg>
      <figcaption className="quiet small">Chance that 1 to {last.k} trials of a scenario all pass (pass^k)</figcaption>
    </figure>
  );
}

/** The same in words. */
function sentenceOf(points: readonly Point[]): string {
  const figures = points.map(({ k, value }) => `${k === 1 ? 'one trial' : `${k} trials`} ${percentText(value)}`);
  return `Chance that all pass: ${figures.join(', ')}`;
}
