/** Names listed in one sentence; more would only be cut by whoever shows it. */
const MOST_NAMED = 100;

/** `a, b and 3 more` */
export function namedAtMost(names: readonly string[]): string {
  const others = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}
