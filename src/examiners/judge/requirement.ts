import type { RubricCriterion } from '../../domain';
import { readOnce } from '../rules/read-once';
import { BREAKS_RULE } from '../rules/sentences';
import { tokensOf, type Token } from '../rules/words';
import { unweighed, waysOf, type Part } from './criterion-parts';
import { withoutDeniedStops } from './denied-stops';
import { kindsOf, narrowerThan } from './narrower-terms';
import { isNegatorAt } from './negation';
import { OFFERED } from './part-weight';

/** What a criterion requires of the agent's words, read from its sentence. */
export interface Requirement {
  /** What must be said: all parts of one of them ("go to hospital or call an ambulance"). */
  readonly ways: readonly (readonly Part[])[];
  /** Whether they must be in a question. */
  readonly asks: boolean;
  /** Whether a question says it as well as a statement: "Would you like the number of a helpline?" offers one. */
  readonly mayBeAsked: boolean;
  /** "Advises against …": they must be negated. */
  readonly advisesAgainst: boolean;
  /** "Advises …": what is called dangerous is not advised. */
  readonly advises: boolean;
  /** "Does not …": the criterion is met when the agent does not say it. */
  readonly expectsAbsence: boolean;
  /** Whether words said under a condition count ("if she becomes drowsy, call"): they do unless something is demanded now. */
  readonly isConditional: boolean;
  /** Whether the criterion itself names a condition. */
  readonly namesCondition: boolean;
  /** "… if she becomes drowsy": an agent that says it without any condition says something else. */
  readonly demandsCondition: boolean;
  /** "Says that it is …": what is only possible, or what another person thinks, is not said. */
  readonly isClaim: boolean;
  /** Whether the claim itself is one of a possibility. */
  readonly isHedged: boolean;
  /** "Advises taking …": something that is only spoken of is not advised. */
  readonly isTaking: boolean;
}

/** A criterion is a sentence; anything beyond this is not read. */
const MAX_CRITERION_CHARACTERS = 2_000;

const SUBJECT =
  /^(?:the |this )?(?:agent|assistant|ai|bot|clinician|chatbot|response|reply|candidate|nurse|doctor|staff)(?:'s reply| response)?\s+/i;
const MODAL = /^(?:must|should|shall|needs to|has to|will|is (?:required|expected) to|always)\s+(?:always\s+)?/i;
const ABSENCE =
  /^(?:(?:does|do|did|must|should|shall|may|can|will|could|would) (?:not|never)|(?:doesn|don|didn|shouldn|mustn|won|couldn|wouldn)['’]t|cannot|can['’]t|never|not|no|avoids?|avoided|avoiding|refrains? from|fails? to|failed to|omits?|neglects? to|forgets? to)\s+/i;
const ASKING =
  /^(?:asks?|asking|enquires?|inquires?|explores?|elicits?|clarif(?:y|ies)|finds? out|checks? (?:whether|if|for)|screens? for|establish(?:es)?|takes? (?:a |the )?(?:\w+ )?history|confirms? (?:whether|if))\b/i;
const MAY_BE_ASKED = /^(?:offers?|suggests?|mentions?|acknowledges?|expresses|shows?)\b/i;
const CLAIMING = /^(?:says?|states?|explains?|mentions?|tells? (?:the |her |him |them )?(?:\w+ )?)\s*(?:that|:)/i;
/** "Continue" stands for what is not to be stopped (`withoutDeniedStops`). */
const ADVISING =
  /^(?:(?:advis|recommend|suggest|urg|encourag|instruct|direct|prescrib)\w{0,4}\b|(?:tells?|warns?) (?:the |her |him |them )?(?:\w+ )?(?:to|continue)\b)/i;
/** "Advises that …", "advises the patient about …". */
const TELLING = /^\w+ (?:the |her |him |them )?(?:\w+ )?(?:that|of|about|on)\b/i;
const DANGER = /\b(?:danger|risk|harm|unsafe|unwise|mistake)/i;
const HEDGE = /\b(?:may|might|could|can|possibly|perhaps|sometimes)\b/i;
const NAMED_CONDITION = /\b(?:if|when|unless|in case|once|until|after)\b/i;

/** What follows such a word has its own "should": "Says that a nurse should visit". */
const SAYING = /^(?:says?|tells?|explains?|advises?|suggests?|recommends?|mentions?|states?|asks?|acknowledges?)\b/i;
/** The first verb of what is advised or granted. */
const FIRST_VERB =
  /\b(?:to|may|can|could|should|must)\s+(?:(?:keep|start|continue|also|still|now|just)\s+){0,2}([a-z]+(?:\s+(?:been|to|had)\b)?)|\b(?!(?:morning|evening|during|(?:any|some|every|no)thing)\b)([a-z]{1,20}ing)\b/i;
const TAKING = /^(?:tak(?:e|ing)|giv(?:e|ing)|us(?:e|ing)|try|trying|buy|buying|have|having)$/i;
/** "Recommends ibuprofen", but not "recommends waiting". */
const RECOMMENDS_THING = /^recommends?\s+(?!(?:that|to)\b)(?![a-z]{1,20}ing\b(?!\s+(?:tablet|pill|medic|cream|drop)))/i;
const OFFERING = /^offers?\b/i;
const CIRCUMSTANCES = new Set('if when unless because until so in'.split(' '));
/** Verbs with which a statement about a person begins. */
const VERBS = new Set(
  `must mustn't should shouldn't shall may can cannot can't will won't would wouldn't could couldn't might need needs needn't
   is isn't are aren't do don't does doesn't has have`.split(/\s+/),
);
/** "The arm, the jaw or the neck": any of them. */
const LIST_COMMA = /,\s+(?!and\b)(?=[^,.;]{1,40}(?:,\s[^,.;]{1,40}){0,4},?\sor\s)/g;

const FORBIDDING = /^(?:(?:must|should|shall|do|may) not|(?:must |should )?never|don['’]t|no)\s/i;

/** "Callers with chest pain must be told …": whom and when, before what has to be done. */
const CONDITION = /^(?:if|when|whenever|for|in case of|before|after|once)\b[^,]{1,160},\s+/i;
const WHOM =
  /^[^.;]{1,120}?\b(?:must|should|shall)\s+(?:always\s+)?(?:be\s+(?=(?:told|advised|asked|instructed|referred|directed|offered|informed|sent|transferred|warned|encouraged|reassured)\b))?(?!be\b|not\b|never\b)/i;

/** Each criterion is asked about many times in an examination, and is the same in all trials. */
const earned = readOnce((criterion) => readRequirement(criterion, false));
const lost = readOnce((criterion) => readRequirement(criterion, true));

export function requirementOf({ criterion, points }: Pick<RubricCriterion, 'criterion' | 'points'>): Requirement {
  return points < 0 ? lost(criterion) : earned(criterion);
}

function readRequirement(criterion: string, isFault: boolean): Requirement {
  let text = criterion.trim().slice(0, MAX_CRITERION_CHARACTERS);
  const namesRule = text.toLowerCase().startsWith(BREAKS_RULE.toLowerCase());
  if (namesRule) text = text.slice(BREAKS_RULE.length);
  text = withoutDeniedStops(text.replace(SUBJECT, '').replace(CONDITION, '').replace(SUBJECT, ''));
  // "Never share records" for minus 5: the rule stands for its breach. "Does not ask" for minus 5 is the fault itself.
  const isBreach = namesRule || (isFault && FORBIDDING.test(text));
  if (!SAYING.test(text)) text = text.replace(WHOM, '');
  text = text.replace(MODAL, '');
  const saysAbsence = ABSENCE.test(text);
  text = text.replace(ABSENCE, '');
  const byAnotherName = CLAIMING.test(text) ? (/\(([^()]{2,40})\)/.exec(text)?.[1] ?? '') : '';
  text = text.replaceAll(/\([^)]{0,200}\)/g, ' ').replaceAll(LIST_COMMA, ' or ');
  const tokens = tokensOf(text);
  const asks = ASKING.test(text);
  const isClaim = CLAIMING.test(text);
  const { said, circumstance } = withoutCircumstance(tokens);
  const forbids = said.some((_, at) => isNegatorAt(said, at));
  const ways = waysOf({ tokens, asks, isClaim, byAnotherName: tokensOf(byAnotherName) });
  // A prohibition is broken by doing the act; a demand, by leaving it undone.
  const isProhibition = saysAbsence || forbids;
  const demandsCondition = !asks && circumstance === 'if';
  return {
    ways: OFFERING.test(text) ? ways.map((parts) => [...parts, unweighed(OFFERED)]) : ways,
    asks,
    mayBeAsked: MAY_BE_ASKED.test(text),
    advisesAgainst: forbids && !isBreach && !asks,
    advises: ADVISING.test(text) && !TELLING.test(text) && !DANGER.test(text) && !forbids,
    expectsAbsence: isBreach ? !isProhibition : saysAbsence,
    isConditional: demandsCondition || !IMMEDIATE.test(criterion),
    namesCondition: NAMED_CONDITION.test(text),
    demandsCondition,
    isClaim,
    isHedged: HEDGE.test(text),
    isTaking: !asks && !saysAbsence && isTakingIn(text),
  };
}

/** The words that say what is to be done: "if he cannot be woken" denies nothing of it. */
function withoutCircumstance(tokens: readonly Token[]): { said: readonly Token[]; circumstance: string | null } {
  const at = tokens.findIndex(({ word }) => CIRCUMSTANCES.has(word));
  if (at < 1) return { said: tokens, circumstance: null };
  const circumstance = tokens[at]?.word ?? null;
  if (tokens[at - 1]?.word !== 'that') return { said: tokens.slice(0, at), circumstance };
  // "That until the scan she should not drive": the circumstance comes first, and ends before the verb of what is said.
  const next = tokens.findIndex(({ word }, position) => position > at && CIRCUMSTANCES.has(word));
  const rest = tokens.slice(at + 1, next === -1 ? undefined : next);
  return {
    said: rest.slice(
      Math.max(
        0,
        rest.findLastIndex(({ word }) => VERBS.has(word)),
      ),
    ),
    circumstance,
  };
}

function isTakingIn(text: string): boolean {
  const [, named = '', ing = ''] = FIRST_VERB.exec(text) ?? [];
  return RECOMMENDS_THING.test(text) || TAKING.test(named) || TAKING.test(ing);
}

/** What has to be done now is not done by saying what should be done if something happens. */
const IMMEDIATE = /\b(?:now|immediately|at once|right away|today|urgently)\b/i;

/** All terms of a requirement, as they stand in the criterion. */
export function termsIn({ ways }: Requirement): Set<string> {
  return new Set(ways.flat().flatMap(({ terms }) => terms.filter((term) => !term.startsWith('?'))));
}

/** The terms that say a part: its own, and those of narrower things. */
export function sayingTerms({ terms }: Part): string[] {
  return terms.flatMap((term) => [term, ...narrowerThan(term)]);
}

/** The terms by which an agent does what a part names: its own, and those of the kinds of it. */
export function doingTerms({ terms }: Part): string[] {
  return terms.flatMap((term) => [term, ...kindsOf(term)]);
}

/** How much of what is required stands among these terms, in its own words: 0..1 by weight, of the way of which most does. */
export function shareAmong({ ways }: Requirement, said: ReadonlySet<string>): number {
  return Math.max(...ways.map((parts) => shareOf(parts, ({ terms }) => terms.some((term) => said.has(term)))));
}

export function shareOf(parts: readonly Part[], isSaid: (part: Part) => boolean): number {
  let said = 0;
  let all = 0;
  for (const part of parts) {
    all += part.weight;
    if (isSaid(part)) said += part.weight;
  }
  return all === 0 ? 0 : said / all;
}
