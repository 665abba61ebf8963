import type { ReactNode } from 'react';
import { signedText } from '../parts/numbers';
import type { Comparison } from '../api/statistics';

interface Props {
  readonly title: ReactNode;
  /** Texts with their units. */
  readonly before: string;
  readonly after: string;
  /** After − before; an interval around it. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** How far the scale goes to either side of 0. */
  readonly reach: number;
  readonly confidence: number;
  readonly direction: Comparison['verdict'];
  readonly isWhole?: boolean;
  /** True when more is worse: an increase is then drawn to the left. */
  readonly isHarm?: boolean;
  /** `points` by default. */
  readonly unit?: string;
  /** Decimals of the interval. */
  readonly digits?: number;
  readonly children?: ReactNode;
}

/** One line of a forest plot: a difference with its interval, worse to the left of 0 and better to the right. */
export function DifferenceRow(props: Props) {
  const { title, before, after, value, low, high, reach, confidence, direction } = props;
  const { isWhole = false, isHarm = false, unit = 'points', digits = 0, children } = props;
  const at = (given: number) => `${(((isHarm ? -given : given) + reach) / (2 * reach)) * 100}%`;
  const interval = `${signedText(low, digits)} to ${signedText(high, digits)}`;
  const change = signedText(value, Math.max(1, digits));
  return (
    <tr className={isWhole ? 'whole' : undefined}>
      <th scope="row">{title}</th>
      <td className="number" data-label="Before">
        {before}
      </td>
      <td className="number" data-label="After">
        {after}
      </td>
      <td className="plot">
        <svg className={direction} role="img" aria-label={`${change} ${unit}, ${confidence} % interval ${interval}`}>
          <line className="zero" x1="50%" x2="50%" y1="0" y2="100%" />
          <line className="whisker" x1={at(low)} x2={at(high)} y1="50%" y2="50%" />
          <line className="whisker" x1={at(low)} x2={at(low)} y1="30%" y2="70%" />
          <line className="whisker" x1={at(high)} x2={at(high)} y1="30%" y2="70%" />
          <circle className="point" cx={at(value)} cy="50%" r={isWhole ? 6 : 4} />
        </svg>
      </td>
      <td className="number figures" data-label="Difference">
        <strong>{change}</strong> <span className="quiet">{interval}</span>
        {children}
      </td>
    </tr>
  );
}

/** The head of such a table. @param ends labels of the ends of the scale */
export function DifferenceHead({ of, ends, confidence }: HeadProps) {
  return (
    <thead>
      <tr>
        <th scope="col">{of}</th>
        <th scope="col" className="number">
          Before
        </th>
        <th scope="col" className="number">
          After
        </th>
        <th scope="col" className="plot">
          <span className="scale" aria-hidden="true">
            <span>{ends[0]}</span>
            <span>0</span>
            <span>{ends[1]}</span>
          </span>
          <span className="unseen">Difference as a drawing</span>
        </th>
        <th scope="col">Difference, {confidence} % interval</th>
      </tr>
    </thead>
  );
}

interface HeadProps {
  readonly of: string;
  readonly ends: readonly [string, string];
  readonly confidence: number;
}

export function pText(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toFixed(p < 0.1 ? 3 : 2);
}
