import { answersTo } from './answers-to';
import { quoted } from './read-scenario';
import type { Rule } from './rule';

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
