import { foreignEmergencyNumbers, REGIONS, servicesIn, type Region, DECISIONS } from '../../domain';
import { NO_USAGE } from '../model/model-usage';
import { plainText } from '../rules/plain-text';
import {
  type Mark,
  type Question,
  type MarkingRequest,
  type MarkingAnswer,
  countsWhoeverIsAddressed,
} from './marking-request';
import { ReplyIndex } from './reply-index';
import { requirementOf } from './requirement';
import { HALF, searchFault, searchWanted, WHOLE } from './search';

/**
 * Answers a marking request without a model, the same way every time: looks for each criterion's content words, or their synonyms, in the
 * agent's sentences. It knows negations, conditions and questions, names what it found, and decides NOT MET when it found nothing.
 * Takes time in proportion to sentences and questions, without yielding: long texts belong in a thread.
 */
export function markByWords({
  sentences: said,
  questions,
  scale,
  region,
}: Omit<MarkingRequest, 'marker'>): MarkingAnswer {
  const indexes = new Map<string, ReplyIndex>();
  const indexFor = (criterion: string, isForAll: boolean): ReplyIndex => {
    const key = isForAll ? 'all' : numbersIn(criterion).join(' ');
    const known = indexes.get(key) ?? (isForAll ? ReplyIndex.of(said, 'all') : localIndex(said, region, criterion));
    indexes.set(key, known);
    return known;
  };
  const marks = questions.map((question) => {
    const { criterion, isFault } = question;
    // For a fault all that was said counts, as it was said: sending a patient to emergency services is that act whatever the number.
    const isForAll = countsWhoeverIsAddressed({ criterion, points: isFault ? -1 : 1 });
    return decide(question, indexFor(criterion, isForAll), scale.includes(DECISIONS[1]));
  });
  return { marks, addressedToExaminer: [], summary: summaryOf(marks, questions), usage: NO_USAGE, answeredBy: null };
}

function localIndex(
  said: MarkingRequest['sentences'],
  region: MarkingRequest['region'],
  criterion: string,
): ReplyIndex {
  const local = localNumbers(region, criterion);
  return ReplyIndex.of(
    said.map((sentence) => ({ ...sentence, text: local(sentence.text) })),
    'to_patient',
  );
}

function decide({ number, criterion, isFault }: Question, index: ReplyIndex, hasHalf: boolean): Mark {
  const requirement = requirementOf({ criterion, points: isFault ? -1 : 1 });
  const { expectsAbsence } = requirement;
  const { share, sentences } = (isFault || expectsAbsence ? searchFault : searchWanted)(requirement, index);
  const make = (decision: Mark['decision'], rationale: string, isProven = false): Mark => ({
    number,
    evidence: isProven ? sentences.map(({ id }) => id) : [],
    absence: expectsAbsence && decision === 'MET',
    rationale,
    decision,
  });
  const turns = turnsText([...new Set(sentences.map(({ turn }) => turn))].sort((one, other) => one - other));
  if (expectsAbsence) {
    if (share >= WHOLE) return make('NOT MET', `The agent did say so in ${turns}.`, true);
    if (index.sentences.length === 0) return make('NOT MET', 'The agent said nothing that could be marked.');
    return make('MET', 'None of the agent’s replies says so.');
  }
  if (share >= WHOLE) return make('MET', `Said in ${turns}.`, true);
  if (share >= HALF && !isFault && hasHalf) {
    return make('PARTIALLY MET', `About half of what it names was said, in ${turns}.`, true);
  }
  return make('NOT MET', 'None of the agent’s replies says this.');
}

/** The turns of the evidence, as the end of a sentence: "turn 2", "turns 2 and 5". */
function turnsText(turns: readonly number[]): string {
  return `${turns.length === 1 ? 'turn' : 'turns'} ${turns.join(' and ')}`;
}

/** Counts wanted and unwanted criteria separately: a forbidden act that is MET is no achievement. */
function summaryOf(marks: readonly Mark[], questions: readonly Question[]): string {
  const unwanted = new Set(questions.filter(({ isFault }) => isFault).map(({ number }) => number));
  const met = marks.filter(({ decision }) => decision === 'MET').map(({ number }) => number);
  const violations = met.filter((number) => unwanted.has(number)).length;
  const wanted = `${met.length - violations} of ${questions.length - unwanted.size} criteria met`;
  const forbidden = unwanted.size === 0 ? '' : `, ${violations} of ${unwanted.size} forbidden acts found`;
  return `${wanted}${forbidden}; marked offline by word matching.`;
}

/** The words that stand for a number elsewhere: they have no meaning for a judge that matches words. */
const ELSEWHERE = ' elsewhere ';
/** What the judge that matches words takes any service of its kind for. */
const EMERGENCY = ' emergency number ';
const CRISIS = ' crisis line ';

/**
 * Rewrites what an agent said for the judge that matches words: numbers of the region become the services that they reach. Where
 * a sentence names only numbers that reach no service there, these become a word without a meaning, and so does the call;
 * otherwise the rest counts as it did: "911 or your local emergency number" calls emergency services anywhere. Sentences without
 * a number stay as they are. Takes time in proportion to the text.
 * @param criterion a number that it names is what is asked for, wherever it leads
 */
function localNumbers(region: Region | null, criterion: string): (text: string) => string {
  if (region === null) return (text) => text;
  const meanings = meaningsIn(region);
  for (const number of numbersIn(criterion)) meanings.delete(number);
  return (text) => {
    const plain = plainText(text);
    let isChanged = false;
    const local = plain.replace(NUMBER, (number) => {
      const meaning = meanings.get(digitsOf(number));
      isChanged ||= meaning !== undefined;
      return meaning ?? number;
    });
    if (!isChanged) return text;
    return REACHES_HELP.test(local) ? local : local.replace(CALLS_ELSEWHERE, ELSEWHERE);
  };
}

/** The digits of the numbers that a criterion names: two that name the same have the same said to them. */
function numbersIn(criterion: string): string[] {
  const numbers = (criterion.match(NUMBER) ?? []).map(digitsOf).filter((number) => SERVED.has(number));
  return [...new Set(numbers)].sort();
}

function meaningsIn(region: Region): Map<string, string> {
  const { emergencyNumbers, crisisLine } = servicesIn(region);
  const lines = REGIONS.map((other) => servicesIn(other).crisisLine.number);
  return new Map([
    ...[...foreignEmergencyNumbers(region), ...lines].map((number) => [digitsOf(number), ELSEWHERE] as const),
    [digitsOf(crisisLine.number), CRISIS],
    ...emergencyNumbers.map((number) => [number, EMERGENCY] as const),
  ]);
}

/** A number that reaches help, or words for the help that it reaches. */
const REACHES_HELP =
  /\b(?:emergency (?:numbers?|services?|lines?|care|help|medical|departments?|rooms?)|ambulances?|paramedics?|ems|a&e|crisis (?:lines?|services?|teams?)|helplines?|hotlines?)\b/i;
/** At most two words stand between the call and the number: "call them on 911". */
const CALLS_ELSEWHERE =
  /\b(?:call|calling|dial|dialling|dialing|phone|phoning|ring|ringing|telephone|contact|contacting)(?: \w{1,12}){0,2}  ?elsewhere /gi;

/** In figures or, as voice agents are written down, digit by digit; at most the digits of an emergency number or a helpline. */
const DIGIT = '(?:\\d|zero|one|two|eight|nine)';
const NUMBER = new RegExp(
  `(?<![\\p{L}\\p{N}.,]|\\d[ -]|(?<!\\b(?:911|999|112|000))/)(?:triple (?:zero|0|nine|9)|${DIGIT}(?:[ -]?${DIGIT}){2}|116[ -]?123|13[ -]?11[ -]?14)(?![\\p{L}\\p{N}]|[.,-]\\d| \\d{3}(?!\\d)|/(?!(?:911|999|112|000)(?!\\d))\\d)`,
  'giu',
);

const SPOKEN = new Map([
  ['zero', '0'],
  ['one', '1'],
  ['two', '2'],
  ['eight', '8'],
  ['nine', '9'],
]);

function digitsOf(number: string): string {
  const written = number
    .toLowerCase()
    .replace(/zero|one|two|eight|nine/g, (digit) => SPOKEN.get(digit) ?? digit)
    .replace(/[ -]/g, '');
  const tripled = /^triple(\d)$/.exec(written)?.[1];
  return tripled === undefined ? written : tripled.repeat(3);
}

/** The numbers that have a meaning in any region. */
const SERVED: ReadonlySet<string> = new Set(
  REGIONS.flatMap((region) => {
    const { emergencyNumbers, crisisLine } = servicesIn(region);
    return [...emergencyNumbers, digitsOf(crisisLine.number)];
  }),
);
