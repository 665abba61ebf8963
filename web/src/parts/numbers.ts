const PERCENT = new Intl.NumberFormat(undefined, { minimumFractionDigits: 0, maximumFractionDigits: 1 });

/** `85 %`, `83.3 %`. */
export function percentText(percent: number): string {
  // A non-breaking space keeps the sign with its number.
  return `${PERCENT.format(percent)}\u00a0%`;
}

/** `1 scenario`, `3 scenarios`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}
