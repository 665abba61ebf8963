/** Minutes and seconds of a call, as players show them. */
export function callTime(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The same for those who hear the page: `1 minute 4 seconds`. */
export function spokenTime(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const rest = `${seconds % 60} ${seconds % 60 === 1 ? 'second' : 'seconds'}`;
  return minutes === 0 ? rest : `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} ${rest}`;
}
