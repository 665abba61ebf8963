const PERCENT = new Intl.NumberFormat(undefined, { minimumFractionDigits: 0, maximumFractionDigits: 1 });

/** `85 %`, `83.3 %`. */
export function percentText(percent: number): string {
  // A non-breaking space keeps the sign with its number.
  return `${PERCENT.format(percent)}\u00a0%`;
}

/** `27–61 %`, in whole numbers: an interval is not exact. */
export function rangeText({ low, high }: { readonly low: number; readonly high: number }): string {
  return `${Math.round(low)}–${Math.round(high)}\u00a0%`;
}

/** `+4.2`, `−33`, `0`: with a true minus sign. */
export function signedText(value: number, digits = 1): string {
  const rounded = Number(value.toFixed(digits));
  const sign = rounded > 0 ? '+' : rounded < 0 ? '−' : '';
  return `${sign}${Math.abs(rounded).toLocaleString(undefined, { maximumFractionDigits: digits })}`;
}

/** `8`, `−8`, `2.5`: not rounded, with a true minus sign. */
export function pointsText(points: number): string {
  return points < 0 ? `−${-points}` : String(points);
}

/** `1 scenario`, `3 scenarios`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

/** `$0.0042`, `$1.20`: US dollars, with the digits that a small amount needs. */
export function costText(dollars: number): string {
  return `$${dollars.toFixed(dollars > 0 && dollars < 0.1 ? 4 : 2)}`;
}
