import { useEffect, useState } from 'react';
import { durationText } from '../parts/time';

interface Props {
  /** By this browser's clock, in ms; null: since it is shown. */
  readonly since: number | null;
  /** Shorter times are not shown. */
  readonly fromMs: number;
}

/** For how long something has lasted, in whole seconds. To be kept out of what a screen reader reads out by itself. */
export function Elapsed({ since, fromMs }: Props) {
  const [now, setNow] = useState(() => Date.now());
  const [began] = useState(since ?? now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const ms = now - began;
  if (ms < fromMs) return null;
  return (
    <span className="quiet small number">for {durationText(Math.floor(ms / 1_000) * 1_000).replace('.0', '')}</span>
  );
}
