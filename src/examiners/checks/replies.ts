import { Needle, type Check, type Evidence } from '../../domain';
import { compilePattern, compileSchema, patternProblem, schemaProblem } from '../../domain/checks';
import { sentenceSpans } from '../rules/sentence-spans';
import type { CheckedTurn } from './checked-turn';
import type { Ruling } from './ruling';
import { SearchedText } from './searched-text';

type ReplyCheck = Extract<Check, { kind: 'contains' | 'regex' | 'json_schema' }>;

/** A reply that was looked at. `quotes` are its words, which stand in it as they are. */
interface Look {
  readonly turn: number;
  readonly isFit: boolean;
  readonly quotes: readonly string[];
  /** What it lacks, in a clause; empty where there is nothing to say. */
  readonly lacks: string;
}

/** Quotes kept for one criterion; more prove nothing more. */
const MAX_QUOTES = 5;
const LONGEST_QUOTE = 1_000;

/** @param byTurn the turn by which it is due; null when none is */
export function repliesMark(check: ReplyCheck, turns: readonly CheckedTurn[], byTurn: number | null): Ruling | string {
  const problem = problemOf(check);
  if (problem !== null) return problem;
  const scope = scopeOf(check.turn, turns);
  if (typeof scope === 'string') {
    return { decision: 'NOT MET', rationale: scope, evidence: [], absentFrom: null };
  }
  const look = lookOf(check);
  const looks = scope.map(look);
  if (check.turn === 'every') return everyMark(looks);
  const fits = looks.filter(({ isFit }) => isFit);
  const [first] = fits;
  if (first === undefined) return missed(check, looks);
  const evidence = evidenceOf(fits);
  if (byTurn !== null && first.turn > byTurn) {
    const rationale = `Done only in turn ${first.turn}; it had to be done by turn ${byTurn}.`;
    return { decision: 'NOT MET', rationale, evidence, absentFrom: null };
  }
  const inTime = byTurn === null ? fits : fits.filter(({ turn }) => turn <= byTurn);
  return {
    decision: 'MET',
    rationale: `Found in ${turnsText(fits.map(({ turn }) => turn))}.`,
    evidence: evidenceOf(inTime),
    absentFrom: null,
  };
}

/** What is wrong with a check that another version has taken; null when nothing is. */
function problemOf(check: ReplyCheck): string | null {
  const [what, problem] =
    check.kind === 'regex'
      ? ['pattern', patternProblem(check.pattern, check.flags)]
      : ['schema', check.kind === 'json_schema' ? schemaProblem(check.schema) : null];
  return problem === null ? null : `its ${what} ${problem}`;
}

function everyMark(looks: readonly Look[]): Ruling {
  const misfits = looks.filter(({ isFit }) => !isFit);
  const [first] = misfits;
  if (first === undefined) {
    return {
      decision: 'MET',
      rationale: `All ${looks.length} replies fit.`,
      evidence: evidenceOf(looks),
      absentFrom: null,
    };
  }
  const why = first.lacks === '' ? '' : `: in turn ${first.turn} ${first.lacks}`;
  const rationale = `Not so in ${turnsText(misfits.map(({ turn }) => turn))}${why}.`;
  return { decision: 'NOT MET', rationale, evidence: [], absentFrom: null };
}

function missed({ kind, turn }: ReplyCheck, looks: readonly Look[]): Ruling {
  const last = looks.at(-1);
  const where =
    looks.length === 1 && last !== undefined ? `the reply in turn ${last.turn}` : `any of the ${looks.length} replies`;
  const why =
    last === undefined || last.lacks === ''
      ? ''
      : ` (${turn === 'last' || looks.length === 1 ? '' : `turn ${last.turn}: `}${last.lacks})`;
  const rationale = kind === 'json_schema' ? `No fit: ${where}${why}.` : `Not found in ${where}${why}.`;
  return { decision: 'NOT MET', rationale, evidence: [], absentFrom: looks.length };
}

/** The replies that are looked at; a sentence where there is no such turn. */
function scopeOf(turn: ReplyCheck['turn'], turns: readonly CheckedTurn[]): readonly CheckedTurn[] | string {
  if (typeof turn === 'number') {
    const named = turns.filter((one) => one.turn === turn);
    return named.length > 0 ? named : `The conversation had no turn ${turn}.`;
  }
  if (turns.length === 0) return 'There is no reply.';
  return turn === 'last' ? turns.slice(-1) : turns;
}

function lookOf(check: ReplyCheck): (turn: CheckedTurn) => Look {
  switch (check.kind) {
    case 'regex': {
      const pattern = compilePattern(check.pattern, check.flags);
      return ({ turn, reply }) => {
        const searched = SearchedText.visible(reply);
        const found = pattern.find(searched.text);
        if (found === null) return { turn, isFit: false, quotes: [], lacks: '' };
        return { turn, isFit: true, quotes: quotesAt(reply, [searched.placeOf(found.start, found.end)]), lacks: '' };
      };
    }
    case 'json_schema': {
      const schema = compileSchema(check.schema);
      return ({ turn, reply }) => {
        const misfit = schema.misfit(reply);
        const quotes = misfit === null ? quotesAt(reply, [{ start: 0, end: 1 }]) : [];
        return { turn, isFit: misfit === null, quotes, lacks: misfit ?? '' };
      };
    }
    case 'contains':
      return containing(check);
  }
}

function containing({
  texts,
  need,
  case_sensitive: keepsCase = false,
  whole_words: isWhole = false,
}: Extract<Check, { kind: 'contains' }>) {
  const needles = texts.map((text) => ({ text, needle: new Needle(SearchedText.words(text, keepsCase).text.trim()) }));
  return ({ turn, reply }: CheckedTurn): Look => {
    const searched = SearchedText.words(reply, keepsCase);
    const places = needles.map(({ needle }) => placeIn(searched, needle, isWhole));
    const found = places.flatMap((place) => (place === null ? [] : [place]));
    const isFit = need === 'all' ? found.length === needles.length : found.length > 0;
    const missing = needles.filter((_, at) => places[at] === null).map(({ text }) => `“${text}”`);
    const lacks = need === 'all' && !isFit && found.length > 0 ? `without ${missing.slice(0, 5).join(', ')}` : '';
    return { turn, isFit, quotes: isFit ? quotesAt(reply, found) : [], lacks };
  };
}

type Place = ReturnType<SearchedText['placeOf']>;

function placeIn(searched: SearchedText, needle: Needle, isWhole: boolean): Place | null {
  for (const at of needle.placesIn(searched.text)) {
    const end = at + needle.text.length;
    if (!isWhole || (!searched.splitsWord(at) && !searched.splitsWord(end))) return searched.placeOf(at, end);
  }
  return null;
}

/** The agent's sentences around the places, each once, in the reply's order. */
function quotesAt(reply: string, places: readonly Place[]): string[] {
  const spans = sentenceSpans(reply);
  const quotes = places
    .slice(0, MAX_QUOTES)
    .sort((one, other) => one.start - other.start)
    .map(({ start, end }) => {
      const span = spans.find((one) => one.end > start && one.start <= start);
      const from = span?.start ?? start;
      return reply.slice(from, Math.min(Math.max(end, span?.end ?? end), from + LONGEST_QUOTE));
    });
  return [...new Set(quotes)]
    .map((quote) => quote.replaceAll('\0', '').toWellFormed())
    .filter((quote) => quote.trim() !== '');
}

function evidenceOf(looks: readonly Look[]): Evidence[] {
  return looks.flatMap(({ turn, quotes }) => quotes.map((quote) => ({ turn, quote }))).slice(0, MAX_QUOTES);
}

function turnsText(turns: readonly number[]): string {
  if (turns.length === 1) return `turn ${turns[0]}`;
  return `turns ${turns.slice(0, -1).join(', ')} and ${turns.at(-1)}`;
}
