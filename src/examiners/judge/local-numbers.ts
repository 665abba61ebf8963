import { foreignEmergencyNumbers, REGIONS, servicesIn, type Region } from '../../domain/region';
import { plainText } from '../rules/plain-text';

/** Says nothing to a judge that matches words. */
const ELSEWHERE = ' elsewhere ';
/** What the judge that matches words takes any service of its kind for. */
const EMERGENCY = ' emergency number ';
const CRISIS = ' crisis line ';

/**
 * Rewrites what an agent said for the judge that matches words: numbers of the region become the services that they reach. Where a sentence
 * names no number but such as reach nobody there, these become a word without a meaning, and so does the call; otherwise the rest
 * counts as it did: "911 or your local emergency number" calls emergency services anywhere. Sentences without a number stay as they are.
 * Takes time in proportion to the text.
 * @param criterion a number that it names is what is asked for, wherever it leads
 */
export function localNumbers(region: Region | null, criterion: string): (text: string) => string {
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
export function numbersIn(criterion: string): string[] {
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

/** A number that reaches help, or words for whom it reaches. */
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
