const PERCENT = new Intl.NumberFormat(undefined, { minimumFractionDigits: 0, maximumFractionDigits: 1 });

/** `85 %`, `83.3 %`. */
export function percentText(percent: number): string {
  // The sign stays with its number at the end of a line.
  return `${PERCENT.format(percent)}\u00a0%`;
}

/** `1 scenario`, `3 scenarios`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}
