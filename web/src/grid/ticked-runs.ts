/** More columns than that are not read at a glance: the most that the service sets beside each other, too. */
export const RUNS_AT_MOST = 8;

/** A run that is ticked, also when the list shows another page by now. */
export interface TickedRun {
  readonly id: string;
  readonly at: string;
}

/** Ticks a run, or takes its tick away: at most as many as one grid shows, so that the first tick is dropped for a ninth. */
export function toggled(ticked: readonly TickedRun[], run: TickedRun): readonly TickedRun[] {
  return isTicked(ticked, run.id) ? ticked.filter(({ id }) => id !== run.id) : [...ticked, run].slice(-RUNS_AT_MOST);
}

export function isTicked(ticked: readonly TickedRun[], id: string): boolean {
  return ticked.some((run) => run.id === id);
}

/** The ids in the order of a comparison: the oldest run first, whatever was ticked first. */
export function oldestFirst(ticked: readonly TickedRun[]): string[] {
  return [...ticked].sort((one, other) => one.at.localeCompare(other.at)).map(({ id }) => id);
}
