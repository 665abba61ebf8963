import { percentText } from './numbers';

interface Props {
  /** 0..100 */
  readonly rate: number;
  readonly settled: boolean;
}

/** A pass rate as a small bar and as a number. */
export function PassBar({ rate, settled }: Props) {
  return (
    <span className={settled ? 'pass-bar' : 'pass-bar live'}>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect className="ground" width="100" height="8" />
        <rect className="filled" width={rate} height="8" />
      </svg>
      <span className="number">{percentText(rate)}</span>
    </span>
  );
}
