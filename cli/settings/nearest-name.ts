import { editDistance } from '../../src/domain';

/** A name with more changes than this counts as another word. */
const MOST_CHANGES = 3;

/** The known name that a misspelt one most resembles; null when none does. */
export function nearestName(given: string, known: readonly string[]): string | null {
  const ranked = known
    .map((name) => ({ name, changes: editDistance(given.toLowerCase().slice(0, 100), name) }))
    .filter(({ name, changes }) => changes <= Math.min(MOST_CHANGES, Math.ceil(name.length / 2)))
    .sort((one, other) => one.changes - other.changes);
  return ranked[0]?.name ?? null;
}
