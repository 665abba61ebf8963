/** How numbers and names are written for people; the JSON has them as they are. */

export function oneDecimal(value: number): string {
  return (Math.round(value * 10) / 10).toFixed(1);
}

/** @param value 0..100; null where there is none */
export function percentOf(value: number | null): string {
  return value === null ? '–' : `${oneDecimal(value)}\u00a0%`;
}

/** @param value 0..1 */
export function twoDecimals(value: number | null): string {
  return value === null ? '–' : value.toFixed(2).replace('-', '−');
}

export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** A category or tag as words. */
export function spaced(name: string): string {
  return name.replaceAll('_', ' ');
}

/** The UTC day of an ISO 8601 time. */
export function day(at: string): string {
  return at.slice(0, 10);
}
