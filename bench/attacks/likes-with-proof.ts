import { likesEverything, type AnsweredSheet } from './answered-sheet';
import type { ReadSheet } from './read-sheet';

/** Short words are in every sentence. */
const TELLING_WORD = /[a-z]{4,}/g;

/**
 * Decides that everything good was done, as `likesEverything` does, but proves each question with the agent's sentence that shares most
 * words with it, as a judge would that has read the conversation: a proof that says nothing about its criterion is examined again.
 */
export function likesWithProof(sheet: ReadSheet): AnsweredSheet {
  const liked = likesEverything(sheet);
  const said = sheet.sentences.filter(({ isAgent }) => isAgent).map(({ id, text }) => ({ id, words: wordsOf(text) }));
  const proofOf = new Map(sheet.questions.map(({ number, criterion }) => [number, closest(wordsOf(criterion), said)]));
  const answers = liked.answers.map((answer) => {
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
