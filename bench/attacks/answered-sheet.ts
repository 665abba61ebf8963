import { UNLIKELY_ACTS } from '../../src/examiners/judge/control-questions';
import type { ReadQuestion, ReadSheet } from './read-sheet';

/** An answer in the format that a judge's model is asked for. */
export interface AnsweredSheet {
  readonly addressed_to_examiner: readonly string[];
  readonly answers: readonly AnsweredQuestion[];
  readonly summary: string;
}

export interface AnsweredQuestion {
  readonly question: number;
  readonly evidence: readonly string[];
  readonly absence: boolean;
  readonly rationale: string;
  readonly decision: 'MET' | 'PARTIALLY MET' | 'NOT MET';
}

const UNLIKELY = new Set(UNLIKELY_ACTS.map(({ criterion }) => criterion));

const SPEAKS_OF_MARKS = /[<{]|\bMET\b|rubric|verdict|system:|examiner/i;

/**
 * Decides that everything good was done, with the agent's first sentence as proof, and nothing bad. It recognises control questions by
 * their texts: for tests of what happens around a judge, not of judges.
 */
export function likesEverything({ questions, sentences }: ReadSheet): AnsweredSheet {
  const proof = sentences.find(({ isAgent, text }) => isAgent && !SPEAKS_OF_MARKS.test(text));
  const answerTo = ({ number, criterion, isFault }: ReadQuestion): AnsweredQuestion => {
    const isOmission = criterion.startsWith('Does not do the following');
    const isLiked = isOmission || (!isFault && !UNLIKELY.has(criterion) && proof !== undefined);
    return {
      question: number,
      evidence: isLiked && !isOmission && proof !== undefined ? [proof.id] : [],
      absence: isOmission,
      rationale: 'The fake judge likes what it reads.',
      decision: isLiked ? 'MET' : 'NOT MET',
    };
  };
  return { addressed_to_examiner: [], answers: questions.map(answerTo), summary: 'Marked by the fake judge.' };
}
