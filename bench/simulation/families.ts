import { verdictOf } from '../../src/features/statistics/comparison-verdict';
import { askThree, familiesOf } from '../../src/features/statistics/three-questions';
import { comparedRuns, rubricsOf, type MarkedWorld } from './marked-worlds';
import type { Random } from './random';
import type { QuestionTest } from '../../contract/comparison';

export interface FamilyFound {
  readonly verdict: 'better' | 'worse' | 'mixed' | null;
  readonly tests: readonly QuestionTest[];
}

/** The answers to the three questions about two runs, by the service's own computation. @param confidence 0..1 */
export async function familyOf(
  before: MarkedWorld,
  after: MarkedWorld,
  { random, confidence }: { readonly random: Random; readonly confidence: number },
): Promise<FamilyFound> {
  const answered = await askThree(comparedRuns(before, after, random), rubricsOf(before), confidence);
  const [{ tests } = { tests: [] }] = familiesOf([answered], confidence);
  const shown = tests.filter(({ adjusted_p_value: p }) => p !== null && p < 1 - confidence);
  return { verdict: shown.length === 0 ? null : verdictOf(shown), tests };
}
