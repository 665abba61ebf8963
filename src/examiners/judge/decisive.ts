import { MUST_PASS_TAG, type Decision, type RubricCriterion } from '../../domain/rubric';
import type { CriterionDecision } from './criterion-decision';
import { isOmission } from './omission';

/**
 * Whether a decision is voted on: its criterion can decide the station alone (must_pass) or blames the agent, or there are no words to prove it.
 * @param isDoubtful somebody addressed the examiner, or the proof says nothing about the criterion: then no points are earned on a single opinion
 */
export function isDecisive(criterion: RubricCriterion, decided: CriterionDecision, isDoubtful: boolean): boolean {
  const { points, tags } = criterion;
  if (points < 0 || tags.includes(MUST_PASS_TAG) || saysWhatIsMissing(criterion, decided)) return true;
  return isDoubtful && decided.decision !== 'NOT MET';
}

/** Whether points are earned by what was left out: then no sentence proves it, whichever was named, but only all of them together. */
export function saysWhatIsMissing(criterion: RubricCriterion, { decision, absence }: CriterionDecision): boolean {
  return absence || (criterion.points > 0 && decision !== 'NOT MET' && isOmission(criterion));
}

const GRAVITY: readonly Decision[] = ['NOT MET', 'PARTIALLY MET', 'MET'];

/** The decision of two votes that agree; of three different ones, the gravest for a fault and the lowest otherwise. Null: another vote is needed. */
export function resolved(votes: readonly Decision[], isFault: boolean): Decision | null {
  const agreed = GRAVITY.find((decision) => votes.filter((vote) => vote === decision).length >= 2);
  if (agreed !== undefined) return agreed;
  if (votes.length < 3) return null;
  const ascending = GRAVITY.filter((decision) => votes.includes(decision));
  return (isFault ? ascending.at(-1) : ascending[0]) ?? 'NOT MET';
}
