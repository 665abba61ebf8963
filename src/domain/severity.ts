/** How grave it is when an agent gets a scenario wrong, the least grave first. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;

/** For sorting: the graver the higher; -1 for a severity that this version does not know, and for none. */
export function gravityOf(severity: string | null): number {
  return SEVERITIES.findIndex((known) => known === severity);
}
