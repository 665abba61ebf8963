import type { CriterionDecision } from './criterion-decision';
import type { IndexedCriterion } from './mark-review';
import { isOmission } from './omission';
import type { SeededRandom } from './seeded-random';

const MOST_FOILS = 3;
/** A sentence may well show one more criterion than those it was named for, but hardly two that were proven by others, or not at all. */
export const FOILS_TO_BE_FOUND = 2;

/**
 * As at an identity parade: criteria of the same rubric that the sentences shown are not the proof of. A judge that finds them in
 * these sentences follows something other than the criteria. Unlike a control question, nothing tells a foil from what is asked.
 *
 * @param decided what was decided by the whole conversation, by index
 * @param shown ids of the agent's sentences in the marking request
 * @returns two or three criteria, those first that nothing in the conversation shows; none where there are not as many
 */
export function foilsFor(
  criteria: readonly IndexedCriterion[],
  decided: ReadonlyMap<number, CriterionDecision>,
  shown: ReadonlySet<string>,
  random: SeededRandom,
): IndexedCriterion[] {
  const fit = random.shuffled(criteria).filter((criterion) => {
    const { evidence = [], absence = true } = decided.get(criterion.index) ?? {};
    return criterion.points > 0 && !absence && !isOmission(criterion) && !evidence.some(({ id }) => shown.has(id));
  });
  const isUnshown = ({ index }: IndexedCriterion): boolean => decided.get(index)?.decision === 'NOT MET';
  const foils = [...fit.filter(isUnshown), ...fit.filter((one) => !isUnshown(one))].slice(0, MOST_FOILS);
  return foils.length < FOILS_TO_BE_FOUND ? [] : foils;
}
