import { percentText, rangeText } from './numbers';
import type { Tone } from './tone';

/** Percent. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

interface Props {
  /** 0..100 */
  readonly rate: number;
  readonly settled: boolean;
  /** The interval of this rate; null where there is none, or where it belongs to another rate. */
  readonly interval?: Interval | null;
  readonly tone?: Tone;
}

/** A pass rate as a small bar and as a number. The bar is solid up to the low end of the interval, and pale up to the high end. */
export function PassBar({ rate, settled, interval = null, tone = 'neutral' }: Props) {
  return (
    <span className={`pass-bar ${settled ? tone : 'live'}`}>
      <svg aria-hidden="true">
        <rect className="ground" width="100%" height="100%" />
        {interval === null ? (
          <rect className="filled" width={`${rate}%`} height="100%" />
        ) : (
          <Reach value={rate} {...interval} />
        )}
      </svg>
      <span className="number">{percentText(rate)}</span>
      {interval !== null && (
        <span className="range number">
          <span className="unseen">95 % interval </span>
          {rangeText(interval)}
        </span>
      )}
    </span>
  );
}

interface IntervalProps extends Interval {
  readonly value: number;
  readonly confidence: number;
  readonly tone: Tone;
}

/** The interval of a rate on a scale from 0 to 100 %, with its ends written below them. */
export function IntervalBar({ value, low, high, confidence, tone }: IntervalProps) {
  const label = `${percentText(value)}; ${confidence} % interval ${rangeText({ low, high })}`;
  return (
    <div className={`interval ${tone}`}>
      <svg role="img" aria-label={label}>
        <rect className="ground" width="100%" height="100%" />
        <Reach value={value} low={low} high={high} />
      </svg>
      <div className="ends number" aria-hidden="true">
        <span style={{ insetInlineStart: `${low}%` }}>{Math.round(low)}</span>
        <span style={{ insetInlineStart: `${high}%` }}>{Math.round(high)}</span>
      </div>
    </div>
  );
}

function Reach({ value, low, high }: { readonly value: number } & Interval) {
  return (
    <>
      <rect className="filled" width={`${low}%`} height="100%" />
      <rect className="reach" x={`${low}%`} width={`${high - low}%`} height="100%" />
      <rect className="value" x={`${value}%`} width="2" height="100%" transform="translate(-1 0)" />
    </>
  );
}
