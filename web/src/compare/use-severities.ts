import { useMemo } from 'react';
import { gravityOf } from '../../../src/domain';
import type { TestRun } from '../api/runs';
import { useScenarioRuns } from '../runs/use-scenario-runs';

/** The severity that each scenario of a run has now. */
export interface Severities {
  readonly of: (scenarioId: string) => string | null;
  /** They are still being read. */
  readonly isPending: boolean;
}

export function useSeverities(run: TestRun): Severities {
  const { data, isPending } = useScenarioRuns(run);
  return useMemo(() => {
    const known = new Map(data?.results.map(({ scenario_id: id, scenario_severity: of }) => [id, of ?? null]));
    return { of: (id) => known.get(id) ?? null, isPending };
  }, [data, isPending]);
}

/** The gravest first; those of one severity stay in their order. */
export function gravestFirst<Item extends { readonly scenario_id: string }>(
  items: readonly Item[],
  { of }: Severities,
): readonly Item[] {
  return items.toSorted((one, other) => gravityOf(of(other.scenario_id)) - gravityOf(of(one.scenario_id)));
}
