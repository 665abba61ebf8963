import { callText, type Check, type Evidence, type ToolCall } from '../../domain';
import { compileSchema, schemaProblem } from '../../domain/checks';
import type { ActedTurn } from './checked-turn';
import type { Ruling } from './ruling';
import { SearchedText } from './searched-text';

type ToolCallCheck = Extract<Check, { kind: 'tool_call' }>;

/** All that the agent did in a conversation. */
export interface Acts {
  readonly replies: readonly ActedTurn[];
  /** After them, in place of a reply: the agent ended the conversation. Null where it replied to everything. */
  readonly closing: ActedTurn | null;
}

/** A call of the tool that is looked for; `fit` is null where it cannot be told, and `lacks` says why in a clause. */
interface Look {
  readonly turn: number;
  /** Among the calls of its turn, from 1. */
  readonly place: number;
  readonly call: ToolCall;
  readonly fit: boolean | null;
  readonly lacks: string;
}

interface TurnLook {
  readonly turn: number;
  /** Calls of the tool. */
  readonly looks: readonly Look[];
  /** Other tools that were called. */
  readonly others: readonly string[];
  /** Why there may be more that fit than are known, in a clause; null where there are none. */
  readonly unsure: string | null;
}

/** Calls quoted for one criterion; more prove nothing more. */
const MAX_QUOTES = 5;
const LONGEST_QUOTE = 1_000;
const MOST_NAMED = 5;

/**
 * Whether the agent called a tool, as its answers tell. A sentence where they do not: an agent that reports nothing is neither praised
 * nor blamed for it.
 * @param byTurn the turn by which it is due; null when none is
 */
export function toolCallsMark(
  check: ToolCallCheck,
  { replies, closing }: Acts,
  byTurn: number | null,
): Ruling | string {
  const schema = check.arguments?.json_schema;
  const problem = schema === undefined ? null : schemaProblem(schema);
  if (problem !== null) return `its arguments.json_schema ${problem}`;
  // Only replies can be asked for one by one.
  const turns = closing === null || check.turn === 'every' ? replies : [...replies, closing];
  const scope = scopeOf(check.turn, turns);
  if (typeof scope === 'string') return notMet(scope, [], null);
  const look = lookFor(check);
  const looked = scope.map(look);
  if (check.turn === 'every') return everyMark(check, looked);
  const inTime = byTurn === null ? looked : looked.filter(({ turn }) => turn <= byTurn);
  const ruling = countMark(check, inTime);
  if (byTurn === null || typeof ruling === 'string' || ruling.decision === 'MET') return ruling;
  const late = fitsIn(looked).filter(({ turn }) => turn > byTurn);
  const [first] = late;
  if (first === undefined || fitsIn(inTime).length > 0) return ruling;
  return notMet(`Called only in turn ${first.turn}; it had to be called by turn ${byTurn}.`, late, null);
}

/** Over all turns that are looked at. */
function countMark(check: ToolCallCheck, looked: readonly TurnLook[]): Ruling | string {
  const fits = fitsIn(looked);
  const unsure = looked.find((one) => one.unsure !== null);
  const { times } = check;
  const isDecided = unsure === undefined || (times === undefined ? fits.length > 0 : fits.length > times);
  if (!isDecided) return `${unsure.unsure} (turn ${unsure.turn})`;
  const isMet = times === undefined ? fits.length > 0 : fits.length === times;
  if (isMet) {
    return {
      decision: 'MET',
      rationale: `${shownName(check.name)} was called in ${turnsText(fits)}.`,
      evidence: evidenceOf(fits),
      absentFrom: null,
    };
  }
  if (fits.length > 0) {
    const rationale = `${shownName(check.name)} was called ${timesText(fits.length)} in ${turnsText(fits)}; it had to be ${timesText(times ?? 1)}.`;
    return notMet(rationale, fits, null);
  }
  return notMet(missedSentence(check, looked), [], looked.length);
}

function everyMark(check: ToolCallCheck, looked: readonly TurnLook[]): Ruling | string {
  const marks = looked.map((one) => ({ turn: one.turn, mark: countMark(check, [one]) }));
  const missed = marks.flatMap(({ turn, mark }) =>
    typeof mark !== 'string' && mark.decision === 'NOT MET' ? [{ turn, mark }] : [],
  );
  const [first] = missed;
  if (first !== undefined) {
    return notMet(`Not so in ${turnsText(missed)}. Turn ${first.turn}: ${first.mark.rationale}`, [], null);
  }
  const unsure = marks.find(({ mark }) => typeof mark === 'string');
  if (unsure !== undefined && typeof unsure.mark === 'string') return unsure.mark;
  return {
    decision: 'MET',
    rationale: `${shownName(check.name)} was called for each of the ${looked.length} replies.`,
    evidence: evidenceOf(fitsIn(looked)),
    absentFrom: null,
  };
}

/** The turns that are looked at; a sentence where there is no such turn. */
function scopeOf(turn: ToolCallCheck['turn'], turns: readonly ActedTurn[]): readonly ActedTurn[] | string {
  if (typeof turn === 'number') {
    const named = turns.filter((one) => one.turn === turn);
    return named.length > 0 ? named : `The conversation had no turn ${turn}.`;
  }
  if (turns.length === 0) return 'There is no reply.';
  return turn === 'last' ? turns.slice(-1) : turns;
}

function lookFor(check: ToolCallCheck): (turn: ActedTurn) => TurnLook {
  const fits = argumentsFit(check.arguments);
  return ({ turn, calls, areCallsCut }) => {
    const looks = (calls ?? []).flatMap((call, at): Look[] =>
      call.name === check.name ? [{ turn, place: at + 1, call, ...fits(call) }] : [],
    );
    const others = (calls ?? []).flatMap(({ name }) => (name === check.name || name === '' ? [] : [name]));
    return { turn, looks, others, unsure: unsureOf({ calls, areCallsCut }, looks) };
  };
}

function unsureOf({ calls, areCallsCut }: Omit<ActedTurn, 'turn'>, looks: readonly Look[]): string | null {
  if (calls === null) {
    return (
      'it is not known whether the agent called a tool, since its answer tells nothing of tool calls: set tool_calls_path of an http ' +
      'agent, or reports_tool_calls of an openai agent that reports every call'
    );
  }
  if (areCallsCut) return 'the agent made more tool calls than are kept';
  if (calls.some(({ name }) => name === '')) return 'the agent called a tool without telling its name';
  return looks.find(({ fit }) => fit === null)?.lacks ?? null;
}

type Fit = Pick<Look, 'fit' | 'lacks'>;

function argumentsFit(wanted: ToolCallCheck['arguments']): (call: ToolCall) => Fit {
  if (wanted === undefined) return () => ({ fit: true, lacks: '' });
  const texts = (wanted.contains ?? []).map((text) => ({ text, words: wordsOf(text) }));
  const schema = wanted.json_schema === undefined ? null : compileSchema(wanted.json_schema);
  return ({ arguments: given, areArgumentsCut }) => {
    if (given === null) return { fit: null, lacks: 'the agent told no arguments of the call' };
    const searched = wordsOf(written(given));
    const missing = texts.find(({ words }) => !searched.includes(words));
    const misfit = schema === null ? null : schema.misfit(given);
    const lacks = missing === undefined ? misfit : `it is without “${missing.text}”`;
    if (lacks === null) return { fit: true, lacks: '' };
    // What was cut away may hold it.
    return areArgumentsCut
      ? { fit: null, lacks: 'the arguments of the call are longer than what is kept' }
      : { fit: false, lacks };
  };
}

/** JSON as it is read, not as it was escaped: `caf\u00e9` is café. */
function written(given: string): string {
  try {
    return JSON.stringify(JSON.parse(given));
  } catch {
    return given;
  }
}

function wordsOf(text: string): string {
  return SearchedText.words(text, false).text.trim();
}

function missedSentence({ name, arguments: wanted }: ToolCallCheck, looked: readonly TurnLook[]): string {
  const [first] = looked.flatMap(({ looks }) => looks);
  const [only] = looked;
  const where = looked.length === 1 && only !== undefined ? `turn ${only.turn}` : `any of the ${looked.length} turns`;
  if (first !== undefined && wanted !== undefined) {
    return `No call of ${shownName(name)} in ${where} has these arguments (turn ${first.turn}: ${first.lacks}).`;
  }
  const others = [...new Set(looked.flatMap((one) => one.others))];
  const called =
    others.length === 0 ? 'no tool was called' : `called: ${others.slice(0, MOST_NAMED).map(shownName).join(', ')}`;
  return `No call of ${shownName(name)} in ${where}; ${called}.`;
}

function fitsIn(looked: readonly TurnLook[]): readonly Look[] {
  return looked.flatMap(({ looks }) => looks.filter(({ fit }) => fit === true));
}

function notMet(rationale: string, calls: readonly Look[], absentFrom: number | null): Ruling {
  return { decision: 'NOT MET', rationale, evidence: evidenceOf(calls), absentFrom };
}

function evidenceOf(calls: readonly Look[]): Evidence[] {
  return calls.slice(0, MAX_QUOTES).map(({ turn, place, call }) => {
    return { turn, quote: fit(callText(call), LONGEST_QUOTE), call: place };
  });
}

function fit(text: string, most: number): string {
  return text.slice(0, most).replaceAll('\0', '').toWellFormed();
}

function shownName(name: string): string {
  return fit(name, 100);
}

function timesText(times: number): string {
  return times === 1 ? 'once' : `${times} times`;
}

function turnsText(places: readonly { readonly turn: number }[]): string {
  const turns = [...new Set(places.map(({ turn }) => turn))];
  if (turns.length === 1) return `turn ${turns[0]}`;
  return `turns ${turns.slice(0, -1).join(', ')} and ${turns.at(-1)}`;
}
