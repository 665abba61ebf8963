import { CONCEPTS, GAP, PHRASES } from './synonyms';

/** A word of a text in lower case, with the term it stands for. */
export interface Token {
  readonly word: string;
  /** Stem, or the name of its group of synonyms; empty for a word that says nothing by itself. */
  readonly term: string;
  /** Several words with a single meaning; `word` is the first of them. */
  readonly isPhrase: boolean;
}

const ASCII = /^\p{ASCII}*$/u;
const ASCII_WORD = /[a-z0-9]+(?:['&][a-z0-9]+)*/g;
const WORD = /[\p{L}\p{N}]+(?:['’&][\p{L}\p{N}]+)*/gu;
/** Direction marks, zero-width spaces and the like are invisible: a word must not hide behind them. */
const INVISIBLE = /\p{Cf}/gu;

const STOP_WORDS = new Set(
  `a about after again all also am an and any are as at be because been before being both but by can could did do does
   doing down during each few for from further had has have having he her here hers him his how i if in into is it its
   itself just let let's like may me might mine more most much must my no nor not of off on once only or other our ours
   out over own please same shall she should so some such than thank thanks that the their theirs them then there these
   they this those through to too under until up us very was we were what when where which while who whom whose why will
   with would you your yours yourself i'm i've i'd i'll you're you've you'd you'll it's that's there's he's she's they're
   we're don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't cannot couldn't shouldn't haven't hasn't
   hadn't mustn't needn't ok okay yes hello hi hey dear well really quite got get gets getting s t d ll m o re ve`.split(
    /\s+/,
  ),
);

/** Terms that many sentences share: a match on them alone says little. */
const COMMON_TERMS = new Set([
  'immediate',
  'more',
  ...`help need symptom take go use feel have make know want thing say tell think day time possible current
   any anything someone something good sure care give try keep come`
    .split(/\s+/)
    .map((word) => stem(word)),
]);

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** How much a shared term says: 1, or half for a common one. */
export function weightOf(term: string): number {
  return COMMON_TERMS.has(term) ? 0.5 : 1;
}

/** The words of a text with their terms; a phrase of several words that has one meaning is one token. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const words = wordsOf(text);
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const phrase = phraseAt(words, at);
    if (phrase !== null) {
      tokens.push({ word, term: phrase.term, isPhrase: true });
      // Of a phrase with a gap only the words before it are consumed: what stands in the gap says something of its own.
      at += phrase.length - 1;
    } else {
      tokens.push({ word, term: termOf(word), isPhrase: false });
    }
  }
  return tokens;
}

/** The terms of a text in order, without the words that say nothing by themselves. */
export function termsOf(text: string): string[] {
  return tokensOf(text).flatMap(({ term }) => (term === '' ? [] : [term]));
}

/** Words of letters and digits in lower case, apostrophes straight. */
export function wordsOf(text: string): string[] {
  // The classes of Unicode are slow, and most texts need none of them.
  if (ASCII.test(text)) return wholeQuantities(text.toLowerCase()).match(ASCII_WORD) ?? [];
  return wholeQuantities(text.replace(INVISIBLE, '').replaceAll('’', "'").toLowerCase()).match(WORD) ?? [];
}

const DIGIT = /\d/;
const THOUSANDS = /(?<=\d)[ ,](?=000(?!\d))/g;
const PART_OF_NUMBER = /(?<!\d)(911|999|112|000)[/-](?!(?:911|999|112|000)(?!\d))(?=\d)/g;

/** "1,000 mg", "112/70" and "911-2234" are numbers of their own: no part of them is one to call. */
function wholeQuantities(text: string): string {
  // Most texts have no number.
  if (!DIGIT.test(text)) return text;
  return text.replace(THOUSANDS, '').replace(PART_OF_NUMBER, '$1');
}

function phraseAt(words: readonly string[], at: number): { term: string; length: number } | null {
  const candidates = PHRASES.get(words[at] ?? '');
  if (candidates === undefined) return null;
  for (const { rest, term } of candidates) {
    const gap = rest.indexOf(GAP);
    const before = gap === -1 ? rest : rest.slice(0, gap);
    if (!before.every((word, offset) => words[at + 1 + offset] === word)) continue;
    const next = at + 1 + before.length;
    if (gap === -1 || words.slice(next + 1, next + 1 + MOST_IN_GAP).includes(rest[gap + 1] ?? '')) {
      return { term, length: 1 + before.length };
    }
  }
  return null;
}

const MOST_IN_GAP = 4;

const known = new Map<string, string>();
const MAX_KNOWN = 20_000;
/** Anything longer is not a word, and remembering it could fill the memory. */
const MAX_KNOWN_CHARACTERS = 40;

function termOf(word: string): string {
  const remembered = known.get(word);
  if (remembered !== undefined) return remembered;
  const stemmed = STOP_WORDS.has(word) ? '' : stem(IRREGULAR.get(word) ?? word);
  const term = CONCEPTS.get(word) ?? CONCEPTS.get(stemmed) ?? stemmed;
  if (known.size >= MAX_KNOWN) known.clear();
  if (word.length <= MAX_KNOWN_CHARACTERS) known.set(word, term);
  return term;
}

/**
 * A light suffix stripper: plurals, -ing, -ed, -ly, -ness, -ion, a doubled last consonant, a silent e. It only has to map the forms
 * of a word to one stem, which need not be a word.
 */
export function stem(word: string): string {
  let stemmed = word.replace(/'s?$/, '');
  if (stemmed.length < 4 || /\d/.test(stemmed)) return stemmed;
  if (stemmed.endsWith('ies')) stemmed = `${stemmed.slice(0, -3)}y`;
  else if (/(?:[sxz]|ch|sh)es$/.test(stemmed)) stemmed = stemmed.slice(0, -2);
  else if (/[^sui]s$/.test(stemmed)) stemmed = stemmed.slice(0, -1);
  if (stemmed.endsWith('ing') && stemmed.length > 5) stemmed = undoubled(stemmed.slice(0, -3));
  else if (stemmed.endsWith('ied')) stemmed = `${stemmed.slice(0, -3)}y`;
  else if (stemmed.endsWith('ed') && stemmed.length > 4) stemmed = undoubled(stemmed.slice(0, -2));
  if (stemmed.endsWith('ly') && stemmed.length > 5) stemmed = stemmed.slice(0, -2);
  if (stemmed.endsWith('ness') && stemmed.length > 6) stemmed = stemmed.slice(0, -4);
  // "infection" and "infected", "confusion" and "confused"
  if (/[st]ion$/.test(stemmed) && stemmed.length > 6) stemmed = stemmed.slice(0, -3);
  if (stemmed.endsWith('e') && stemmed.length > 3) stemmed = stemmed.slice(0, -1);
  return stemmed.endsWith('y') && stemmed.length > 3 ? `${stemmed.slice(0, -1)}i` : stemmed;
}

function undoubled(word: string): string {
  const last = word.at(-1);
  return last === word.at(-2) && !/[lsaeiou]$/.test(word) ? word.slice(0, -1) : word;
}

/** Forms that no rule of endings leads back to their word, and small numbers. */
const FORMS = `
eat: ate eaten
drink: drank drunk
take: took taken
give: gave given
go: went gone goes
see: saw seen
sleep: slept asleep
feel: felt
fall: fell fallen
break: broke broken
leave: left
lie: lay lain lying
say: said
tell: told
speak: spoke spoken
think: thought thoughts
know: knew known
find: found
write: wrote written
bite: bit bitten
burn: burnt
choose: chose chosen
wear: wore worn
hear: heard
grow: grew grown
bring: brought
buy: bought
keep: kept
send: sent
make: made
stand: stood
hold: held
foot: feet
tooth: teeth
woman: women
man: men
2: two
3: three
4: four
5: five
6: six
7: seven
8: eight
9: nine
10: ten
11: eleven
12: twelve
15: fifteen
20: twenty
30: thirty
60: sixty
die: died dying dies
`;

/** Maps a form to the word. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  FORMS.trim()
    .split('\n')
    .flatMap((line) => {
      const [word = '', forms = ''] = line.split(': ');
      return forms.split(' ').map((form): [string, string] => [form, word]);
    }),
);
