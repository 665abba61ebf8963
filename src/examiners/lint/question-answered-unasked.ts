import { answersTo } from './answers-to';
import { quoted } from './read-scenario';
import type { Rule } from './rule';

/**
 * Who has been told need not ask: an agent that listens must never fail for a question that the patient has already answered.
 *
 * "Asks about thoughts of suicide" must be passed, and the script says "You think every day about ending your life." before
 * anybody asks.
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
