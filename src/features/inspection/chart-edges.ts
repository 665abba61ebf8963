import { defineChart, type ChartDefinition } from '../../../machines/chart-definition';
import { scenarioRunMachine } from '../../../machines/scenario-run.machine';
import { testRunMachine } from '../../../machines/test-run.machine';

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

/** One step of a path through a chart. */
export interface Step extends Edge {
  readonly to: string;
  readonly event: string;
}

/**
 * The shortest path from one innermost state to another on which every effect succeeds; null when there is none.
 */
export function findWay(chart: ChartDefinition, from: string, to: string): readonly Step[] | null {
  const ways = new Map<string, readonly Step[]>([[from, []]]);
  // A map may grow while it is iterated: states found on the way are visited too.
  for (const [state, way] of ways) {
    if (state === to) return way;
    for (const { source, target, event, guard, actions } of chart.transitions) {
      const next = innermost(chart, target);
      const isUsual = event === '' || event.endsWith(' done');
      if (next === null || !isUsual || !(state === source || state.startsWith(`${source}.`)) || ways.has(next))
        continue;
      ways.set(next, [...way, { to: next, event, guard, actions }]);
    }
  }
  return null;
}

/** Entering a compound state is entering the state in which it begins. */
function innermost({ states }: ChartDefinition, target: string | null): string | null {
  for (let id = target; ;) {
    const initial: string | null = states.find((state) => state.id === id)?.initial ?? null;
    if (initial === null) return id;
    id = initial;
  }
}
