import { MUST_PASS_TAG, type Decision, type RubricCriterion } from '../../machines/rubric';
import type { CriterionDecision } from './criterion-decision';

/**
 * Whether a decision is voted on: its criterion can decide the station alone (must_pass) or blames the agent, or there are no words to prove it.
 * @param isDoubtful somebody addressed the examiner, or the proof says nothing about the criterion: then no points are earned on a single opinion
 */
export function isDecisive(
  { points, tags }: RubricCriterion,
  { decision, absence }: CriterionDecision,
  isDoubtful: boolean,
): boolean {
  if (points < 0 || tags.includes(MUST_PASS_TAG) || absence) return true;
  return isDoubtful && decision !== 'NOT MET';
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
