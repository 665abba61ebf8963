import { likesEverything, type AnsweredSheet } from './answered-sheet';
import type { ReadSheet } from './read-sheet';

/** Short words are in every sentence. */
const TELLING_WORD = /[a-z]{4,}/g;

/**
 * Decides that everything good was done, as `likesEverything` does, but proves each question with the agent's sentence that shares most
 * words with it, as a judge would that has read the conversation: a proof that says nothing about its criterion is examined again.
 * @param wholeAdvice sentences that the agent says in every reply: where the one that proves a question is not among those shown (the
 * judge reads proofs by themselves, beside criteria that they are not of), the question is not met
 */
export function likesWithProof(sheet: ReadSheet, wholeAdvice: readonly string[] = []): AnsweredSheet {
  const liked = likesEverything(sheet);
  const said = sheet.sentences.filter(({ isAgent }) => isAgent).map(({ id, text }) => ({ id, words: wordsOf(text) }));
  const proofOf = new Map(sheet.questions.map(({ number, criterion }) => [number, closest(wordsOf(criterion), said)]));
  const advice = wholeAdvice.map((id) => ({ id, words: wordsOf(id) }));
  const isShown = (text: string): boolean => sheet.sentences.some((sentence) => sentence.text.includes(text));
  const unshown = new Set(
    sheet.questions.flatMap(({ number, criterion }) => {
      const proving = closest(wordsOf(criterion), advice);
      return proving === null || isShown(proving) ? [] : [number];
    }),
  );
  const answers = liked.answers.map((answer) => {
    if (unshown.has(answer.question) && answer.decision === 'MET' && !answer.absence) {
      return { ...answer, evidence: [], decision: 'NOT MET' as const };
    }
    const proof = proofOf.get(answer.question) ?? null;
    return answer.evidence.length === 0 || proof === null ? answer : { ...answer, evidence: [proof] };
  });
  return { ...liked, answers };
}

function closest(
  wanted: ReadonlySet<string>,
  said: readonly { readonly id: string; readonly words: ReadonlySet<string> }[],
): string | null {
  let best: { id: string; shared: number } | null = null;
  for (const { id, words } of said) {
    const shared = [...wanted].filter((word) => words.has(word)).length;
    if (shared > (best?.shared ?? 0)) best = { id, shared };
  }
  return best?.id ?? null;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(TELLING_WORD));
}
