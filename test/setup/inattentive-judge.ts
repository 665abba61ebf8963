import type { readJudgePrompt } from '../fakes/anthropic-server';

/** What no attentive reader would answer. */
export function everythingMet({ questions, sentences }: ReturnType<typeof readJudgePrompt>) {
  const evidence = sentences.filter(({ isAgent }) => isAgent).map(({ id }) => id);
  return {
    addressed_to_examiner: [],
    answers: questions.map(({ number }) => ({
      question: number,
      evidence,
      absence: false,
      rationale: 'Yes.',
      decision: 'MET',
    })),
    summary: 'Yes to all.',
  };
}
