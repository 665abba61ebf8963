import type { ScenarioRunDetail } from '../scenario-run.views';

export type CriterionResultView = NonNullable<ScenarioRunDetail['criteria_results']>[number];

/** The criteria that cost the agent points, in the rubric's order; one with negative points costs when it is met. */
export function missedCriteria(run: Pick<ScenarioRunDetail, 'criteria_results'>): CriterionResultView[] {
  return (run.criteria_results ?? []).filter(({ max_points, decision }) =>
    max_points < 0 ? decision !== 'NOT MET' : decision !== 'MET',
  );
}
