import type { Scenario } from './service-api';

/** The demo scenarios and the first one of type `full` in every category: about a dozen in all. */
export function chooseScenarios(scenarios: readonly Scenario[]): Scenario[] {
  const demos = scenarios.filter(({ scenario_type }) => scenario_type === 'demo');
  const full = new Map<string, Scenario>();
  for (const scenario of scenarios) {
    if (scenario.scenario_type === 'full' && !full.has(scenario.category)) full.set(scenario.category, scenario);
  }
  return [...demos, ...full.values()];
}
