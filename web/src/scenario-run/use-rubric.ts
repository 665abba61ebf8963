import { useQuery } from '@tanstack/react-query';
import type { ScenarioRunDetail } from '../api/scenario-runs';
import { listRevisions, scenarios, type Criterion } from '../api/scenarios';

/** The rubric that a conversation will be marked with, from the revision under examination; null until it is known. */
export function useRubric({ scenario_id, scenario_revision, criteria_results }: ScenarioRunDetail) {
  const revision = scenario_revision ?? null;
  const { data } = useQuery({
    queryKey: ['rubric', scenario_id, revision],
    queryFn: async ({ signal }): Promise<readonly Criterion[] | null> => {
      const scenario = await scenarios.get(scenario_id, signal);
      if (scenario.revision === revision) return scenario.rubric_criteria;
      // It was edited since the run began.
      const { revisions } = await listRevisions(scenario_id, signal);
      return revisions.find((one) => one.revision === revision)?.rubric_criteria ?? null;
    },
    enabled: criteria_results === null && revision !== null,
    staleTime: Infinity,
    retry: false,
  });
  return data ?? null;
}
