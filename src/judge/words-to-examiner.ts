import type { RubricCriterion } from '../../machines/rubric';
import { requirementOf } from './requirement';

/**
 * Whether a sentence proves a criterion also when it speaks to the examiner: an agent's fault is a fault whomever it is said to.
 * Nothing is earned by such words, and nothing that was left out is made up for by them.
 */
export function countsWhoeverIsAddressed(criterion: Pick<RubricCriterion, 'criterion' | 'points'>): boolean {
  return criterion.points < 0 && !requirementOf(criterion).expectsAbsence;
}
