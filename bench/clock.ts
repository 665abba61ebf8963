/** Milliseconds of the system's monotonic clock: the same clock in every process of this machine. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
