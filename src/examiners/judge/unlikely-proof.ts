import { plainText } from '../rules/plain-text';
import { isStopWord, termsOf, wordsOf } from '../rules/words';
import type { RubricCriterion } from '../../domain/rubric';
import type { CriterionDecision } from './criterion-decision';
import { requirementOf, shareAmong, termsIn } from './requirement';
import type { NumberedSentence } from './marking-request';

/** The share of a criterion's words, synonyms counted, that its proof should contain. */
const LEAST_SHARE = 0.25;
/** Every third word or so of English is a stop word. */
const ENGLISH_SHARE = 0.15;

/**
 * Finds proofs that say nothing about what they are to prove: a judge that was talked into a mark names any sentence. This is a reason
 * for a second examination, no more: most things can be said in other words. Words can be compared only where the agent speaks English.
 */
export function unlikelyProof(
  sentences: readonly NumberedSentence[],
): (criterion: Pick<RubricCriterion, 'criterion' | 'points'>, decision: CriterionDecision) => boolean {
  const isEnglish = speaksEnglish(sentences);
  return (criterion, { decision, absence, evidence }) => {
    if (!isEnglish || decision === 'NOT MET' || absence) return false;
    const requirement = requirementOf(criterion);
    const said = new Set(evidence.flatMap(({ text }) => termsOf(plainText(text))));
    return termsIn(requirement).size > 0 && shareAmong(requirement, said) < LEAST_SHARE;
  };
}

/** Enough to know a language by. */
const SENTENCES_READ = 100;

function speaksEnglish(sentences: readonly NumberedSentence[]): boolean {
  const said = sentences.filter(({ speaker }) => speaker === 'agent').slice(0, SENTENCES_READ);
  const words = said.flatMap(({ text }) => wordsOf(text));
  return words.filter(isStopWord).length >= words.length * ENGLISH_SHARE;
}
