import { weightOf } from '../rules/words';
import { sendsToCare } from './care-services';
import { shareAmong } from '../judge/requirement';
import { quoted, type ReadCriterion } from './read-scenario';
import type { Rule } from './rule';

/**
 * One sentence of the agent must not earn two criteria: the act then weighs more than its points say, and a rubric that looks
 * broad is narrow.
 *
 * "Tells the patient to go to the maternity unit now" and "Says that the baby should be checked today".
 */
export const actPaidTwice: Rule = {
  name: 'act_paid_twice',
  severity: 'warning',
  *check({ advice, questions }) {
    const sending = new Set(advice.filter(({ text }) => sendsToCare(text)));
    for (const wanted of [advice, questions]) {
      for (const [at, criterion] of wanted.entries()) {
        const earlier = wanted
          .slice(0, at)
          .find((other) => (sending.has(criterion) && sending.has(other)) || isSameAct(other, criterion));
        if (earlier === undefined) continue;
        yield {
          path: criterion.path,
          sentence: `What earns ${quoted(earlier.text)} earns this too: keep one of them, or say what the other asks for beyond it.`,
        };
      }
    }
  },
};

/** Of the narrower criterion, the share that stands in the wider one. */
const SAME = 0.8;
/** On a single shared word two acts are not the same. */
const LEAST_WEIGHT = 1.5;

function isSameAct(one: ReadCriterion, other: ReadCriterion): boolean {
  if (one.requirement.advisesAgainst !== other.requirement.advisesAgainst) return false;
  if (one.requirement.expectsAbsence !== other.requirement.expectsAbsence) return false;
  return isWithin(one, other) || isWithin(other, one);
}

function isWithin(narrow: ReadCriterion, wide: ReadCriterion): boolean {
  const shared = [...narrow.terms].filter((term) => wide.terms.has(term));
  if (shared.reduce((sum, term) => sum + weightOf(term), 0) < LEAST_WEIGHT) return false;
  return shareAmong(narrow.requirement, wide.terms) >= SAME;
}
