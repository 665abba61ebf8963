import type { RubricCriterion } from '../../domain/rubric';
import type { ScenarioContent } from '../../domain/scenario';

/** What is linted of a scenario; it need not be stored, nor complete: an empty field is not read. */
export interface LintedScenario {
  /** `low`, `medium`, `high` or `critical`; other words are taken for none of them. */
  readonly severity: string;
  readonly content: ScenarioContent;
  readonly rubricCriteria: readonly RubricCriterion[];
}
