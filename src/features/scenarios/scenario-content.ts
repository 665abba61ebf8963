import type { RubricCriterion } from '../../domain/rubric';
import { canonicalHash } from '../../domain/fingerprint/canonical-hash';
import { toStorableJson } from '../../platform/database/storable-text';

/** What an examination with a scenario depends on. */
export interface ScenarioContent {
  readonly content: Readonly<Record<string, unknown>>;
  readonly rubricCriteria: readonly RubricCriterion[];
}

/** The hash by which results name what was examined: of `{ content, rubric_criteria }` as a row holds them. */
export function contentHashOf({ content, rubricCriteria }: ScenarioContent): string {
  const stored: unknown = JSON.parse(toStorableJson({ content, rubric_criteria: rubricCriteria }));
  if (typeof stored !== 'object' || stored === null) throw new Error('A scenario is a document.');
  return canonicalHash(stored);
}
