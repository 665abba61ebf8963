import type { Statistics } from '../api/statistics';

/** The flaky scenarios that a run does not show by itself: its own trials agree, and another run has the opposite verdict. */
export function flakyElsewhere({
  flaky_scenarios,
  unstable,
}: Pick<Statistics, 'flaky_scenarios' | 'unstable'>): Statistics['flaky_scenarios'] {
  const shown = new Set(unstable.map(({ scenario_id }) => scenario_id));
  return flaky_scenarios.filter(({ scenario_id }) => !shown.has(scenario_id));
}
