import type { RubricCriterion } from '../../machines/rubric';
import { tokensOf, type Token } from '../tester/words';
import { BREAKS_RULE } from '../tester/breaks-rule';
import { isNegator } from './reply-index';

/** What a criterion asks of the agent's words, read from its sentence. */
export interface Requirement {
  /** Content terms, each once. */
  readonly terms: readonly string[];
  /** Whether they must stand in a question. */
  readonly asks: boolean;
  /** "Advises against …": they must stand under a negation. */
  readonly advisesAgainst: boolean;
  /** "Does not …": the criterion is met when nobody says it. */
  readonly expectsAbsence: boolean;
}

const MAX_TERMS = 24;

const SUBJECT =
  /^(?:the |this )?(?:agent|assistant|ai|bot|clinician|chatbot|response|reply|candidate|nurse|doctor|staff)(?:'s reply| response)?\s+/i;
const MODAL = /^(?:must|should|shall|needs to|has to|will|is (?:required|expected) to|always)\s+(?:always\s+)?/i;
const ABSENCE =
  /^(?:(?:does|do|did|must|should|shall|may|can|will|could|would) (?:not|never)|(?:doesn|don|didn|shouldn|mustn|won|couldn|wouldn)['’]t|cannot|can['’]t|never|not|no|avoids?|avoided|avoiding|refrains? from|fails? to|failed to|omits?|neglects? to|forgets? to)\s+/i;
const ASKING =
  /^(?:asks?|asking|enquires?|inquires?|explores?|elicits?|clarif(?:y|ies)|finds? out|checks? (?:whether|if|for)|screens? for|establish(?:es)?|takes? (?:a |the )?(?:\w+ )?history|confirms? (?:whether|if))\b/i;

/** What rubrics call the act of saying; agents seldom name it. */
const RUBRIC_WORDS = new Set(
  `tell tells telling told advise advises advising advice recommend recommends recommending recommendation instruct instructs
   state states mention mentions mentioning explain explains explaining ask asks asking enquire enquires inquire inquires
   offer offers provide provides encourage encourages suggest suggests suggesting inform informs direct directs urge urges warn
   warns warning acknowledge acknowledges show shows express expresses identify identifies recognise recognises recognize
   recognizes give gives giving explore explores elicit elicits clarify clarifies check checks confirm confirms include includes
   ensure ensures patient patients caller user person agent assistant say says saying whether least one clearly explicitly
   appropriately appropriate any about`.split(/\s+/),
);

export function requirementOf({ criterion }: RubricCriterion): Requirement {
  let text = criterion.trim();
  const isBreach = text.toLowerCase().startsWith(BREAKS_RULE.toLowerCase());
  if (isBreach) text = text.slice(BREAKS_RULE.length);
  text = text.replace(SUBJECT, '');
  let saysAbsence = ABSENCE.test(text);
  if (!saysAbsence) {
    text = text.replace(MODAL, '');
    saysAbsence = ABSENCE.test(text);
  }
  if (saysAbsence) text = text.replace(ABSENCE, '');
  const tokens = tokensOf(text);
  return {
    terms: contentTerms(tokens),
    asks: ASKING.test(text),
    advisesAgainst: tokens.some(({ word, term }) => isNegator(word) && term !== 'immediate'),
    // Breaking a rule that forbids is doing; breaking one that demands is leaving undone.
    expectsAbsence: isBreach ? !saysAbsence : saysAbsence,
  };
}

function contentTerms(tokens: readonly Token[]): string[] {
  const content = tokens.filter(({ word, term }) => term !== '' && !isNegator(word));
  const specific = content.filter(({ word }) => !RUBRIC_WORDS.has(word));
  const kept = specific.length > 0 ? specific : content;
  return [...new Set(kept.map(({ term }) => term))].slice(0, MAX_TERMS);
}
