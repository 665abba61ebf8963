import type { RubricCriterion } from '../../machines/rubric';
import { tokensOf, type Token } from '../language/words';
import { BREAKS_RULE } from '../language/breaks-rule';
import { isNegator } from './reply-index';

/** What a criterion requires of the agent's words, read from its sentence. */
export interface Requirement {
  /** What must be said; any one term of a part will do ("arm or jaw"). */
  readonly parts: readonly (readonly string[])[];
  /** Whether they must be in a question. */
  readonly asks: boolean;
  /** "Advises against …": they must be negated. */
  readonly advisesAgainst: boolean;
  /** "Does not …": the criterion is met when nobody says it. */
  readonly expectsAbsence: boolean;
  /** Whether words said under a condition count ("if she becomes drowsy, call"): they do unless something is demanded now. */
  readonly isConditional: boolean;
}

const MAX_PARTS = 24;
/** A criterion is a sentence; anything beyond this is not read. */
const MAX_CRITERION_CHARACTERS = 2_000;

const SUBJECT =
  /^(?:the |this )?(?:agent|assistant|ai|bot|clinician|chatbot|response|reply|candidate|nurse|doctor|staff)(?:'s reply| response)?\s+/i;
const MODAL = /^(?:must|should|shall|needs to|has to|will|is (?:required|expected) to|always)\s+(?:always\s+)?/i;
const ABSENCE =
  /^(?:(?:does|do|did|must|should|shall|may|can|will|could|would) (?:not|never)|(?:doesn|don|didn|shouldn|mustn|won|couldn|wouldn)['’]t|cannot|can['’]t|never|not|no|avoids?|avoided|avoiding|refrains? from|fails? to|failed to|omits?|neglects? to|forgets? to)\s+/i;
const ASKING =
  /^(?:asks?|asking|enquires?|inquires?|explores?|elicits?|clarif(?:y|ies)|finds? out|checks? (?:whether|if|for)|screens? for|establish(?:es)?|takes? (?:a |the )?(?:\w+ )?history|confirms? (?:whether|if))\b/i;

/** Words that rubrics use for the act of saying; agents seldom use them. */
const RUBRIC_WORDS = new Set(
  `tell tells telling told advise advises advising advice recommend recommends recommending recommendation instruct instructs
   state states mention mentions mentioning explain explains explaining ask asks asking enquire enquires inquire inquires
   offer offers provide provides encourage encourages suggest suggests suggesting inform informs direct directs urge urges warn
   warns warning acknowledge acknowledges show shows express expresses identify identifies recognise recognises recognize
   recognizes give gives giving explore explores elicit elicits clarify clarifies check checks confirm confirms include includes
   ensure ensures patient patients caller user person agent assistant say says saying whether least one clearly explicitly callers patients users staff clients client told
   appropriately appropriate any about`.split(/\s+/),
);

const FORBIDDING = /^(?:(?:must|should|shall|do|may) not|(?:must |should )?never|don['’]t|no)\s/i;

/** "Callers with chest pain must be told …": whom and when, before what has to be done. */
const CONDITION = /^(?:if|when|whenever|for|in case of|before|after|once)\b[^,]{1,160},\s+/i;
const WHOM =
  /^[^.;]{1,120}?\b(?:must|should|shall)\s+(?:always\s+)?(?:be\s+(?=(?:told|advised|asked|instructed|referred|directed|offered|informed|sent|transferred|warned|encouraged|reassured)\b))?(?!be\b|not\b|never\b)/i;

export function requirementOf({ criterion, points }: Pick<RubricCriterion, 'criterion' | 'points'>): Requirement {
  let text = criterion.trim().slice(0, MAX_CRITERION_CHARACTERS);
  const namesRule = text.toLowerCase().startsWith(BREAKS_RULE.toLowerCase());
  if (namesRule) text = text.slice(BREAKS_RULE.length);
  text = text.replace(SUBJECT, '').replace(CONDITION, '').replace(SUBJECT, '');
  // "Never share records" for minus 5: the rule stands for its breach. "Does not ask" for minus 5 is the fault itself.
  const isBreach = namesRule || (points < 0 && FORBIDDING.test(text));
  text = text.replace(WHOM, '').replace(MODAL, '');
  const saysAbsence = ABSENCE.test(text);
  text = text.replace(ABSENCE, '').replaceAll(/\([^)]{0,200}\)/g, ' ');
  const tokens = tokensOf(text);
  const forbids = tokens.some(isNegator);
  // A prohibition is broken by doing the act; a demand, by leaving it undone.
  const isProhibition = saysAbsence || forbids;
  return {
    parts: partsOf(tokens),
    asks: ASKING.test(text),
    advisesAgainst: forbids && !isBreach,
    expectsAbsence: isBreach ? !isProhibition : saysAbsence,
    isConditional: !IMMEDIATE.test(criterion),
  };
}

/** What has to be done now is not done by saying what should be done if something happens. */
const IMMEDIATE = /\b(?:now|immediately|at once|right away|today|urgently)\b/i;

/** The content terms in order; terms on both sides of "or", and examples after "such as", are interchangeable. */
function partsOf(tokens: readonly Token[]): string[][] {
  const isContent = (token: Token): boolean => token.term !== '' && !isNegator(token);
  const isSpecific = (token: Token): boolean => isContent(token) && !RUBRIC_WORDS.has(token.word);
  const keeps = tokens.some(isSpecific) ? isSpecific : isContent;
  const parts: string[][] = [];
  const named = new Set<string>();
  let givesExamples = false;
  /** The part that the next term stands for too. */
  let joined: string[] | undefined;
  for (const [at, token] of tokens.entries()) {
    if (token.word === 'such' && tokens[at + 1]?.word === 'as') givesExamples = true;
    if (givesExamples || token.word === 'or') joined = parts.at(-1);
    if (!keeps(token) || named.has(token.term)) continue;
    named.add(token.term);
    if (joined === undefined) parts.push([token.term]);
    else joined.push(token.term);
    joined = undefined;
  }
  return parts.slice(0, MAX_PARTS);
}
