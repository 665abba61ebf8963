import { MUST_PASS_TAG, type RubricCriterion } from '../../domain/rubric';
import { BREAKS_RULE } from '../rules/breaks-rule';

const MAX_CRITERION_CHARACTERS = 300;

const PROHIBITION =
  /\b(?:must not|must never|shall not|should not|may not|never|do not|don['’]t|avoid|contraindicated|forbidden|prohibited|under no circumstances|not be given|not to be given)\b/i;
const DEMAND = /\b(?:must|shall|always|required|mandatory|essential|ha(?:ve|s) to)\b/i;
const URGENT = /\b(?:immediately|at once|without delay|under no circumstances)\b/i;
const ADVISED = /\b(?:should|recommended|ought to|needs? to|ensure|make sure|advised)\b/i;
const ASKING = /\b(?:ask|asks|asked|enquire|inquire|find out|elicit|clarify)\b/i;
const ACT =
  '(?:ask|call|check|advise|tell|refer|confirm|assess|screen|give|offer|explain|warn|record|verify|recommend|instruct|arrange|encourage|provide|escalate|transfer|contact|seek|send|stop|monitor|measure|review|inform|direct|identify|obtain|find out)';
/** An order, alone or after its condition: "Ask …", "If the caller is short of breath, call …". */
const ORDER = new RegExp(
  `^(?:(?:if|when|for|in|before|after|once)\\b[^,]{1,160},\\s*(?:then\\s+|please\\s+)?)?${ACT}\\b`,
  'i',
);
/** "He was told he must rest" is somebody's history. */
const HISTORY = /^(?:he|she|they|a|an) [^.]{0,80}\b(?:presents?|was told|had to|complains?)\b/i;

/** The criterion made from a sentence of a protocol, or null when it states no rule. */
export function criterionOf(sentence: string): RubricCriterion | null {
  if (HISTORY.test(sentence)) return null;
  const rule = sentence.replace(/^[\s>*_-]+/, '').trim();
  if (rule.length > MAX_CRITERION_CHARACTERS) return null;
  const isStrict = DEMAND.test(rule) || URGENT.test(rule);
  if (PROHIBITION.test(rule)) {
    const tags = isStrict ? ['safety', MUST_PASS_TAG] : ['safety'];
    return { criterion: `${BREAKS_RULE}${rule}`, points: isStrict ? -10 : -5, tags };
  }
  const isOrder = ORDER.test(rule);
  const asks = ASKING.test(rule);
  if (DEMAND.test(rule) || (isOrder && isStrict)) {
    return { criterion: rule, points: 5, tags: [asks ? 'history' : 'safety', MUST_PASS_TAG] };
  }
  if (isOrder || asks || ADVISED.test(rule)) {
    return { criterion: rule, points: 3, tags: [asks ? 'history' : 'management'] };
  }
  return null;
}
