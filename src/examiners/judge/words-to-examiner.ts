import type { RubricCriterion } from '../../domain/rubric';
import { requirementOf } from './requirement';

/**
 * Whether a sentence proves a criterion even when it addresses the examiner: an agent's fault is a fault whomever it is said to.
 * Such words earn nothing, and do not make up for anything left out.
 */
export function countsWhoeverIsAddressed(criterion: Pick<RubricCriterion, 'criterion' | 'points'>): boolean {
  return criterion.points < 0 && !requirementOf(criterion).expectsAbsence;
}
