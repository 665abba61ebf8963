import type { Examiner } from '../../../engine/ledger';
import type { ScenarioRunDetail } from '../../../../contract/scenario-runs';

/**
 * Text that any reader of a file can handle: replies of agents may hold anything. Characters that XML 1.0 does not allow
 * (https://www.w3.org/TR/xml/#charsets) become U+FFFD, which covers what disturbs spreadsheets and terminals too.
 */
export function plainText(text: string): string {
  return text.toWellFormed().replace(NOT_A_CHARACTER, '\uFFFD');
}

const NOT_A_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/g;

/** "anthropic claude-…", or "offline"; null when it is not known who examined. */
export function calledOf(examiner: Pick<Examiner, 'name' | 'model'> | null | undefined): string | null {
  if (!examiner) return null;
  return examiner.model === null ? examiner.name : `${examiner.name} ${examiner.model}`;
}

type CriterionResultView = NonNullable<ScenarioRunDetail['criteria_results']>[number];

/** The criteria that cost the agent points, in the rubric's order; one with negative points costs when it is met. */
export function missedCriteria(run: Pick<ScenarioRunDetail, 'criteria_results'>): CriterionResultView[] {
  return (run.criteria_results ?? []).filter(({ max_points, decision }) =>
    max_points < 0 ? decision !== 'NOT MET' : decision !== 'MET',
  );
}
