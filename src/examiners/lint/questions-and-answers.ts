import { shareAmong } from '../judge/requirement';
import { type ReadCriterion, type ReadScenario, quoted, type Rule } from './read-scenario';

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

/**
 * An agent that has been told need not ask: one that listens must never fail for a question that the patient has already
 * answered.
 *
 * "Asks about thoughts of suicide" must be passed, and the script says "You think every day about ending your life." before any
 * question.
 */
export const questionAnsweredUnasked: Rule = {
  name: 'question_answered_unasked',
  severity: 'error',
  *check(scenario) {
    for (const criterion of scenario.questions) {
      if (!criterion.isMustPass) continue;
      const { unasked } = answersTo(criterion, scenario);
      if (unasked === null) continue;
      yield {
        path: criterion.path,
        sentence: `It must be passed, and the patient answers it unasked: ${quoted(unasked)} Move that fact behind "If asked about …:", or take must_pass away.`,
      };
    }
  },
};

/**
 * A question earns its points by bringing something to light. When the patient says it unasked, a good listener has no need to
 * ask and loses the points; when the script has no answer, the patient can only say that it does not know.
 *
 * "Asks about sweating" with the script "You are sweating." wants "If asked about sweating: you are sweating."
 */
export const questionWithoutAnswer: Rule = {
  name: 'question_without_answer',
  severity: 'warning',
  *check(scenario) {
    for (const criterion of scenario.questions) {
      const { whenAsked, unasked } = answersTo(criterion, scenario);
      // Of criteria that must be passed `question_answered_unasked` says more.
      if (unasked !== null && criterion.isMustPass) continue;
      if (unasked !== null) {
        yield {
          path: criterion.path,
          sentence: `The patient says this unasked: ${quoted(unasked)} Move it behind "If asked about …:" in the script, so that asking is what earns the points.`,
        };
      } else if (!whenAsked) {
        yield {
          path: criterion.path,
          sentence:
            'No fact of the script answers this question: add one as "If asked about …: …", in the words of the criterion.',
        };
      }
    }
  },
};
