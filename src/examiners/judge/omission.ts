import type { RubricCriterion } from '../../domain/rubric';
import { requirementOf } from './requirement';

/**
 * Whether a criterion says that something is left out or not said. Any other criterion needs something to be said: absence cannot
 * prove it.
 */
export function isOmission(criterion: Pick<RubricCriterion, 'criterion' | 'points'>): boolean {
  return OMISSION.test(criterion.criterion.trim()) || requirementOf(criterion).expectsAbsence;
}

const SUBJECT = `(?:the |this )?(?:(?:ai )?(?:agent|assistant|candidate|chatbot|model|response|reply|answer|conversation)(?:['’]s (?:response|reply|answer))?|it)`;
const DENIED = `(?:does|did|do|is|are|was|were|has|have|had|can|could|will|would|should) (?:not|never)|(?:does|did|do|is|are|was|were|has|have|had|ca|could|wo|would|should)n['’]t|cannot|never|no|neither|without`;
const LEFT_OUT = `(?:completely |entirely |also |simply )?(?:fail(?:s|ed)? to|omit(?:s|ted)?|neglect(?:s|ed)? to|forgets? to|lack(?:s|ed)?|lacking|lack of|absence of|leaves? out|miss(?:es|ed)?|missing|overlook(?:s|ed)?|ignor(?:es|ed)|skip(?:s|ped)?|exclud(?:es|ed)|avoids?|refrains? from)`;
const NONE_OF = `(?:there (?:is|are)|asks|contains|expresses|gives|has|includes|makes|mentions|names|offers|provides|shows|takes|uses) (?:no|none|neither|nothing)`;

const OMISSION = new RegExp(`^(?:${SUBJECT} )?(?:${DENIED}|${LEFT_OUT}|${NONE_OF})\\b`, 'i');
