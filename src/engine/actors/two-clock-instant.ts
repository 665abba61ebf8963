/**
 * An instant of this process by two clocks. The steady one never jumps, but on Linux it stands still while the machine is
 * suspended; the wall clock keeps running meanwhile, but is adjusted now and then.
 */
export interface TwoClockInstant {
  readonly steadyMs: number;
  readonly wallMs: number;
}

export function instantNow(): TwoClockInstant {
  return { steadyMs: performance.now(), wallMs: Date.now() };
}

/** The longer of what the two clocks say; infinite when the wall clock was set back, since then the time passed is unknown. In milliseconds. */
export function elapsedMs(since: TwoClockInstant, now: TwoClockInstant): number {
  const byWall = now.wallMs - since.wallMs;
  return byWall < 0 ? Infinity : Math.max(now.steadyMs - since.steadyMs, byWall);
}
