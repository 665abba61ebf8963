/** A bar and the gap after it, in px. */
const PITCH = 3;
/** What is very quiet throughout is not drawn as if it were loud. */
const LEAST_FULL_SCALE = 32;
/** Quiet speech stays visible beside loud speech. */
const CURVE = 0.7;

/**
 * The bars of a lane as one SVG path.
 * @param peaks 0 to 255, `perSecond` of them from the beginning of the call on
 * @param middle where the lane's middle is, and half its height, in px
 */
export function barsOf(
  peaks: readonly number[],
  {
    perSecond,
    lastsMs,
    width,
    middle,
    half,
  }: {
    readonly perSecond: number;
    readonly lastsMs: number;
    readonly width: number;
    readonly middle: number;
    readonly half: number;
  },
): string {
  const count = Math.floor(width / PITCH);
  const full = peaks.reduce((most, peak) => Math.max(most, peak), LEAST_FULL_SCALE);
  const perBar = ((lastsMs / 1_000) * perSecond) / count;
  let path = '';
  for (let bar = 0; bar < count; bar += 1) {
    let loudest = 0;
    const end = Math.max(Math.floor(bar * perBar) + 1, Math.floor((bar + 1) * perBar));
    for (let at = Math.floor(bar * perBar); at < end; at += 1) loudest = Math.max(loudest, peaks[at] ?? 0);
    const height = Math.max(0.5, (loudest / full) ** CURVE * half);
    path += `M${bar * PITCH + 1} ${(middle - height).toFixed(1)}V${(middle + height).toFixed(1)}`;
  }
  return path;
}
