import { shareAmong } from '../judge/requirement';
import { type ReadCriterion, type ReadScenario } from './read-scenario';

/** From here on a fact is taken for the answer to a question. */
const ANSWERS = 0.5;
/** From here on nothing of the question is left open. */
const ANSWERS_WHOLLY = 0.75;

/** What the patient has to say to a question that earns points. */
export interface Answers {
  /** Whether a fact answers it that is told only when asked. */
  readonly whenAsked: boolean;
  /** What the patient says by itself and answers it; null when asking brings more to light than that. */
  readonly unasked: string | null;
}

export function answersTo(criterion: ReadCriterion, scenario: ReadScenario): Answers {
  const { requirement, isMustPass } = criterion;
  let named = 0;
  let said = 0;
  for (const { answers, terms } of scenario.heldBack) {
    named = Math.max(named, shareAmong(requirement, answers));
    said = Math.max(said, shareAmong(requirement, terms));
  }
  const unasked = [
    // An opening names what the whole consultation is about: that alone answers nothing.
    ...scenario.opening.map((told) => ({ told, least: isMustPass ? said : named, isOpening: true })),
    ...scenario.volunteered.map((told) => ({ told, least: said, isOpening: false })),
  ].find(({ told, least, isOpening }) => {
    const share = shareAmong(requirement, told.terms);
    if (share < ANSWERS) return false;
    return share > least || (share === least && isMustPass) || (share >= ANSWERS_WHOLLY && !isOpening);
  });
  return { whenAsked: named >= ANSWERS, unasked: unasked?.told.speech ?? null };
}
