interface Named {
  readonly scenario_id: string;
}

/** The flaky scenarios that a run does not show by itself: its own trials agree, and another run has the opposite verdict. */
export function flakyElsewhere<Flaky extends Named>({
  flaky_scenarios,
  unstable,
}: {
  readonly flaky_scenarios: readonly Flaky[];
  readonly unstable: readonly Named[];
}): Flaky[] {
  const shown = new Set(unstable.map(({ scenario_id }) => scenario_id));
  return flaky_scenarios.filter(({ scenario_id }) => !shown.has(scenario_id));
}
