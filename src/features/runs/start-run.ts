/** `run_<14-digit UTC timestamp>_<short suffix>`. The suffix comes from the run's UUID. */
export function runLabel(id: string, at: Date): string {
  const digits = at.toISOString().replaceAll(/\D/g, '').slice(0, 14);
  return `run_${digits}_${id.replaceAll('-', '').slice(-8)}`;
}
