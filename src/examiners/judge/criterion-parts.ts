import type { Token } from '../rules/words';
import { isNegatorAt, wordAt } from './negation';
import { questionKindOf } from './questions';
import { mustBeSaid, ONESELF, PEOPLE, partWeight, SOMETHING_NAMED, THIRD_PERSON } from './part-weight';

/** A thing that a criterion names. */
export interface Part {
  /** Any one will do ("arm or jaw"). */
  readonly terms: readonly string[];
  /** How much of the criterion it is. */
  readonly weight: number;
  /** What is said, asked or done, as opposed to whom it is said of and under which circumstances. */
  readonly isCore: boolean;
  /** Part of an "if": there "does not help" says as much as "fails". */
  readonly isCondition: boolean;
  /** The person with whom something is done: "talking it over with her partner" is not "talking it over" with another person. */
  readonly isCompanion: boolean;
  /** An agent that has not said it is not to blame, however little it weighs: raising a dose is not keeping it. */
  readonly isNeeded: boolean;
}

export interface CriterionWords {
  readonly tokens: readonly Token[];
  readonly asks: boolean;
  /** "Says that …": what is said of something, in a sentence of its own. */
  readonly isClaim: boolean;
  /** What stands in brackets behind a claim: "outside the womb (ectopic)". */
  readonly byAnotherName: readonly Token[];
}

const MAX_PARTS = 24;
/** "Go to hospital or call an ambulance or go to a maternity unit" */
const MAX_WAYS = 4;
/** The share of a part that says of what or under which circumstances. */
const CONTEXT_SHARE = 0.35;
const CONDITION_SHARE = 0.6;
const SUBJECT_SHARE = 0.75;

/** The ways in which a criterion can be met, each with all the parts that it needs; never none. */
export function waysOf(words: CriterionWords): Part[][] {
  const { tokens, asks, byAnotherName } = words;
  const starts = tokens.flatMap(({ word }, at) => (word === 'or' && isAnotherWay(words, at) ? [at] : []));
  // "Go to hospital or call an ambulance now": both of them now.
  const when = asks ? [] : tokens.slice(starts.at(-1)).filter(({ term }) => TIMES.has(term));
  const ways = starts.length === 0 || starts.length >= MAX_WAYS ? [] : [0, ...starts];
  const split = ways.map((from, way) => {
    const own = tokens.slice(from, starts[way]);
    return partsOf({ ...words, tokens: way < starts.length ? [...own, ...when] : own });
  });
  // "When she was last well" says too little to be a way of its own.
  const main = split.length > 0 && split.every((parts) => weightOf(parts) >= LEAST_WEIGHT) ? split : [partsOf(words)];
  return byAnotherName.length === 0 ? main : [...main, partsOf({ ...words, tokens: byAnotherName })];
}

const LEAST_WEIGHT = 0.5;
/** The weight of asking when, how often or where, beside what is asked about. */
const KIND_WEIGHT = 0.45;

export function weightOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { weight }) => sum + weight, 0);
}

function isAnotherWay({ tokens, asks }: CriterionWords, at: number): boolean {
  const next = wordAt(tokens, at + 1);
  if (!asks) return ACTS.has(next);
  if (QUESTION_WORDS.has(next)) return true;
  // "Asks about diabetes or low blood sugar" names two things; of "swelling of the face or hands" the second is half a thing.
  return tokens.slice(0, at).every(({ word }) => !HALVES.has(word));
}

const HALVES = new Set(
  'to of in on at with for when while during after before by whether if how what which who where why is are has have was were than'.split(
    ' ',
  ),
);
const ACTS = new Set(
  'to go call contact see take drink use ring phone dial give ask get visit attend book arrange seek speak tell stop have'.split(
    ' ',
  ),
);
const QUESTION_WORDS = new Set('when whether how what where who why which if'.split(' '));
const TIMES = new Set(['immediate', 'today', 'this_week']);

/** Words that rubrics use for the act of saying; agents seldom use them. */
const RUBRIC_WORDS = new Set(
  `tell tells telling told advise advises advising advice recommend recommends recommending recommendation instruct instructs
   state states mention mentions mentioning explain explains explaining ask asks asking enquire enquires inquire inquires
   offer offers provide provides encourage encourages suggest suggests suggesting inform informs direct directs urge urges warn
   warns warning acknowledge acknowledges show shows express expresses identify identifies recognise recognises recognize
   recognizes give gives giving explore explores elicit elicits clarify clarifies check checks confirm confirms include includes
   ensure ensures patient patients caller user person agent assistant say says saying whether least one clearly explicitly callers patients users staff clients client told
   sends refers referring sending other another else many every each within far already earlier previous against exactly appropriately appropriate any about`.split(
    /\s+/,
  ),
);

interface OpenPart {
  readonly terms: string[];
  share: number;
  readonly isCore: boolean;
  readonly isCondition: boolean;
  readonly isCompanion: boolean;
}

/** The weight of words that only describe what may be replaced by something else. */
const DESCRIBING = 0.25;

/** The content terms in order; terms on both sides of "or", and examples after "such as", are interchangeable. */
function partsOf({ tokens, asks, isClaim }: CriterionWords): Part[] {
  // What a question is about may well be that something was stopped.
  const contents = tokens.filter(
    ({ term, word }, at) => term !== '' && (asks ? word !== 'not' : !isNegatorAt(tokens, at)),
  );
  const specific = contents.filter(
    ({ word }) =>
      !RUBRIC_WORDS.has(word) &&
      !tokens.some((token, at) => token.word === 'or' && wordAt(tokens, at + 1) === 'more' && word === 'more'),
  );
  const kept = new Set(specific.length > 0 ? specific : contents);
  const firstCircumstance = tokens.findIndex(({ word }, at) => at > 0 && CLAUSE.has(word));
  const predicate = isClaim
    ? tokens.findIndex(({ word }, at) => COPULAS.has(word) && (firstCircumstance === -1 || at < firstCircumstance))
    : -1;
  const parts: OpenPart[] = [];
  const named = new Set<string>();
  let givesExamples = false;
  let inContext = false;
  let inCondition = false;
  /** The part that the next term stands for too. */
  let joined: OpenPart | undefined;
  /** The part with alternatives that ended just before. */
  let last: OpenPart | undefined;
  /** Where the noun phrase begins that the next term belongs to. */
  let phrase = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.word === 'such' && wordAt(tokens, at + 1) === 'as') givesExamples = true;
    if (givesExamples || token.word === 'or') {
      joined = parts.at(-1);
      // Of "a migraine tablet or ibuprofen" the first words only describe what may be replaced.
      // Of "an X-ray today or tomorrow" they do not.
      const isWhen = joined?.terms.some((term) => TIMES.has(term) || term === 'tomorrow') === true;
      if (!asks && !isWhen) for (const described of parts.slice(phrase, -1)) described.share *= DESCRIBING;
    } else if (token.term === '' || RUBRIC_WORDS.has(token.word) || token.word.endsWith('ing')) {
      phrase = parts.length + (token.word.endsWith('ing') ? 1 : 0);
      last = undefined;
    }
    if (at === predicate) inContext = false;
    if (token.word === 'if' && !asks) inCondition = parts.length > 0;
    if (CIRCUMSTANCE.has(token.word) || (isClaim && token.word === 'in')) inContext = parts.length > 0;
    if (!kept.has(token) || named.has(token.term)) continue;
    named.add(token.term);
    const isSubject = at < predicate || isSubjectOfQuestion(tokens, at, asks);
    const share = inCondition ? CONDITION_SHARE : inContext ? CONTEXT_SHARE : isSubject ? SUBJECT_SHARE : 1;
    const isWho = !asks && PEOPLE.has(token.term) && isWhoActs(tokens, at);
    if (joined !== undefined && PEOPLE.has(token.term) && !joined.terms.some((term) => PEOPLE.has(term)))
      joined = undefined;
    if (joined !== undefined) {
      joined.terms.push(token.term);
      last = joined;
    } else {
      if (asks || TIMES.has(token.term) || token.term === 'tomorrow') last = undefined;
      // "Her doctor or heart failure nurse": the second name is longer than a word.
      last?.terms.push(token.term);
      const terms = [
        token.term,
        ...(isWho ? [THIRD_PERSON] : []),
        ...(isClaim && at < predicate ? [SOMETHING_NAMED] : []),
      ];
      parts.push({
        terms,
        share: last === undefined ? share : share * DESCRIBING,
        isCore: share === 1,
        isCondition: inCondition,
        isCompanion: PEOPLE.has(token.term) && isCompanion(tokens, at),
      });
    }
    joined = undefined;
  }
  const kind = asks ? questionKindOf(tokens.map(({ word }) => word).join(' ')) : null;
  return [
    ...parts.slice(0, MAX_PARTS).map(({ terms, share, isCore, isCondition, isCompanion: isWith }) => {
      const isNeeded = share === 1 && mustBeSaid(terms);
      return { terms, weight: share * partWeight(terms), isCore, isCondition, isCompanion: isWith, isNeeded };
    }),
    ...(tokens.some((_, at) => isOneself(tokens, at)) ? [unweighed(ONESELF)] : []),
    ...(kind === null
      ? []
      : [
          {
            terms: [kind],
            weight: kind === '?already' ? KIND_WEIGHT / 2 : KIND_WEIGHT,
            isCore: false,
            isCondition: false,
            isCompanion: false,
            isNeeded: false,
          },
        ]),
  ];
}

/** What has to be true of a clause that is blamed, and earns nothing by itself. */
export function unweighed(term: string): Part {
  return { terms: [term], weight: 0, isCore: true, isCondition: false, isCompanion: false, isNeeded: true };
}

const REFLEXIVES = new Set('himself herself themselves yourself'.split(' '));

/** "Drive himself to hospital", but not "by himself". */
function isOneself(tokens: readonly Token[], at: number): boolean {
  return REFLEXIVES.has(wordAt(tokens, at)) && (tokens[at - 1]?.term ?? '') !== '';
}

const COPULAS = new Set(
  `is are was were be being isn't aren't can may might could will must should cannot can't raises causes makes helps means needs
   spreads ends starts passes settles damages lowers increases works lasts looks fits decides replaces contains harms hides burns
   prevents protects comes goes gets has`.split(/\s+/),
);
const CIRCUMSTANCE = new Set('with for until before after when while during because since unless from'.split(' '));
/** Words of circumstance that begin a clause of their own. */
const CLAUSE = new Set('if until before after when while because since unless'.split(' '));
const DETERMINERS = new Set('the her his their its'.split(' '));

/** "Suggests that the friend sees a doctor" is not said by "please see a doctor": another person has to act. */
function isWhoActs(tokens: readonly Token[], at: number): boolean {
  const isDetermined = DETERMINERS.has(wordAt(tokens, at - 1));
  return wordAt(tokens, isDetermined ? at - 2 : at - 1) === 'that';
}

function isCompanion(tokens: readonly Token[], at: number): boolean {
  const before = DETERMINERS.has(wordAt(tokens, at - 1)) ? at - 2 : at - 1;
  return wordAt(tokens, before) === 'with';
}

/** "Whether the pain spreads": an agent that asks "does it spread" asks that too. */
function isSubjectOfQuestion(tokens: readonly Token[], at: number, asks: boolean): boolean {
  if (!asks || !DETERMINERS.has(wordAt(tokens, at - 1))) return false;
  if (!QUESTION_WORDS.has(wordAt(tokens, at - 2))) return false;
  return tokens.slice(at + 1).some(({ term }) => term !== '');
}
