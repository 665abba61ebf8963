import { defineChart, type ChartDefinition } from '../../machines/chart-definition';
import { scenarioRunMachine } from '../../machines/scenario-run.machine';
import { testRunMachine } from '../../machines/test-run.machine';

export const charts = {
  scenario_run: defineChart(scenarioRunMachine),
  test_run: defineChart(testRunMachine),
} as const;

/** What a transition of the chart is guarded by and does. */
export interface Edge {
  readonly guard: string | null;
  readonly actions: readonly string[];
}

/** The transition that an event makes from one innermost state to another; null when the chart has none. */
export function findEdge(chart: ChartDefinition, from: string, to: string, event: string): Edge | null {
  const found = chart.transitions.find(
    ({ source, target, event: cause }) =>
      cause === event && (source === from || from.startsWith(`${source}.`)) && innermost(chart, target) === to,
  );
  return found ?? null;
}

/** Entering a compound state is entering the state in which it begins. */
function innermost({ states }: ChartDefinition, target: string | null): string | null {
  for (let id = target; ;) {
    const initial: string | null = states.find((state) => state.id === id)?.initial ?? null;
    if (initial === null) return id;
    id = initial;
  }
}
