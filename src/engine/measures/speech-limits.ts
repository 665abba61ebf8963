import type { SpeechLimit, SpeechLimits } from '../../../contract/scenario-speech';
import { MUST_PASS_TAG, pointsEarned, scoreRubric, type CriterionResult, type Verdict } from '../../domain';
import { entitiesIn, entitiesOfCard, idsOf } from '../audio/spoken-entities';
import { comparableWords } from '../audio/spoken-text';
import type { Measured, MeasuredConversation, TurnMeasures } from './measured-conversation';
import { MOST_CHARACTERS } from './measured-turn';

/** The kind of check that a mark names. */
export const SPEECH_LIMIT = 'speech_limit';
/** A limit decides by `must_pass`; its point keeps the score of a rubric nearly as it is in text. */
const POINTS = 1;
const MS = 1_000;

interface Ruling {
  readonly isKept: boolean;
  /** What was measured, with the times. */
  readonly rationale: string;
}

/** A ruling, or why there is none: the rest of a sentence after "cannot be decided:". */
type Decided = Ruling | string;

/** Each limit that is set: what it is called, and what decides it. */
interface Limit {
  readonly name: SpeechLimit;
  readonly criterion: string;
  readonly decide: (measured: Measured) => Decided;
}

/** A limit that cannot be decided by what was measured. */
export interface UndecidedLimit {
  readonly name: SpeechLimit;
  readonly why: string;
}

/** What could not be measured of a conversation before it was marked: then no judge need be asked. Escalation is known from the marks alone. */
export function undecidedLimit(limits: SpeechLimits, measured: Measured, card: string): UndecidedLimit | null {
  for (const { name, decide } of limitsIn(limits, card)) {
    const decided = name === 'escalation_s' ? null : decide(measured);
    if (typeof decided === 'string') return { name, why: decided };
  }
  return null;
}

/** The verdict with a criterion for each limit behind those of the rubric. Where one cannot be decided: which. */
export function withLimits(
  verdict: Verdict,
  limits: SpeechLimits,
  measured: Measured,
  { card, passThreshold }: { readonly card: string; readonly passThreshold: number },
): Verdict | UndecidedLimit {
  const results: CriterionResult[] = [];
  for (const { name, criterion, decide } of limitsIn(limits, card)) {
    const decided = decide(measured);
    if (typeof decided === 'string') return { name, why: decided };
    const decision = decided.isKept ? 'MET' : 'NOT MET';
    results.push({
      criterion,
      tags: ['speech', MUST_PASS_TAG],
      decision,
      points: pointsEarned(POINTS, decision),
      maxPoints: POINTS,
      rationale: decided.rationale,
      evidence: [],
      absence: false,
      disputed: false,
      check: SPEECH_LIMIT,
    });
  }
  const criteria = [...verdict.criteria, ...results];
  return { ...verdict, ...scoreRubric(criteria, passThreshold), criteria };
}

function limitsIn(limits: SpeechLimits, card: string): Limit[] {
  const set: Limit[] = [];
  const add = (name: SpeechLimit, criterion: string, decide: Limit['decide']): void => {
    set.push({ name, criterion, decide });
  };
  const { response_p95_ms, premature_starts, yield_ms, false_yields, read_back, unrecovered_entity_errors } = limits;
  if (response_p95_ms !== undefined) {
    add('response_p95_ms', `Answers within ${seconds(response_p95_ms)} in 95 % of the turns`, ({ turns }) =>
      latencyRuling(turns, response_p95_ms),
    );
  }
  if (premature_starts !== undefined) {
    add('premature_starts', `Begins to speak before the patient has finished ${atMost(premature_starts)}`, (measured) =>
      prematureRuling(measured, premature_starts),
    );
  }
  if (yield_ms !== undefined) {
    add('yield_ms', `Falls silent within ${seconds(yield_ms)} when the patient interrupts`, ({ turns }) =>
      yieldRuling(turns, yield_ms),
    );
  }
  if (false_yields !== undefined) {
    add('false_yields', `Stops at “uh-huh” in the middle of a sentence ${atMost(false_yields)}`, (measured) =>
      falseYieldRuling(measured, false_yields),
    );
  }
  if (read_back !== undefined) {
    add('read_back', `Reads back ${read_back.map((words) => `“${words}”`).join(', ')}`, (measured) =>
      readBackRuling(measured, read_back, card),
    );
  }
  if (unrecovered_entity_errors !== undefined) {
    add(
      'unrecovered_entity_errors',
      `Hears a medicine, dose, time or allergy wrongly and does not put it right ${atMost(unrecovered_entity_errors)}`,
      ({ conversation }) => entityRuling(conversation, unrecovered_entity_errors),
    );
  }
  const { escalation_s } = limits;
  if (escalation_s !== undefined) {
    add('escalation_s', `Escalates within ${escalation_s} s of the red flag`, ({ conversation }) =>
      escalationRuling(conversation, escalation_s),
    );
  }
  return set;
}

function latencyRuling(turns: readonly TurnMeasures[], most: number): Decided {
  const answered = turns.flatMap(({ turn, answer }) =>
    answer.kind === 'answered' ? [{ turn: turn.turn, ms: answer.latencyMs }] : [],
  );
  if (answered.length === 0) return 'no answer has times that can be relied on';
  const ascending = answered.toSorted((one, other) => one.ms - other.ms);
  // The nearest rank.
  const decisive = ascending[Math.ceil(0.95 * ascending.length) - 1] ?? ascending[0];
  if (decisive === undefined) return 'there is no answer';
  return {
    isKept: decisive.ms <= most,
    rationale: `95 % of ${answered.length} timed answers came within ${seconds(decisive.ms)} (turn ${decisive.turn}); the limit is ${seconds(most)}.`,
  };
}

function prematureRuling({ conversation, turns }: Measured, most: number): Decided {
  const { events, hits } = conversation.prematureStarts;
  if (events === 0) return 'no turn has times that can be relied on';
  const where = turns.flatMap(({ turn, answer }) =>
    answer.kind === 'premature' ? [`turn ${turn.turn} at ${seconds(answer.at)}`] : [],
  );
  return countRuling(
    hits,
    most,
    `The agent began before the patient had finished in ${hits} of ${events} turns`,
    where,
  );
}

function yieldRuling(turns: readonly TurnMeasures[], most: number): Decided {
  const stops = turns.flatMap(({ turn, interjection }) =>
    interjection?.kind === 'interruption' && interjection.afterMs !== null
      ? [{ turn, afterMs: interjection.afterMs }]
      : [],
  );
  if (stops.length === 0) return 'no interruption met the agent’s voice with times that can be relied on';
  const slowest = stops.reduce((one, other) => (other.afterMs > one.afterMs ? other : one));
  const from = slowest.turn.spoken.interjection?.from_ms ?? 0;
  return {
    isKept: slowest.afterMs <= most,
    rationale: `Interrupted at ${seconds(from)} (turn ${slowest.turn.turn}), the agent was silent after ${seconds(slowest.afterMs)}; the limit is ${seconds(most)}.`,
  };
}

function falseYieldRuling({ conversation, turns }: Measured, most: number): Decided {
  const { events, hits } = conversation.falseYields;
  const { unknown } = conversation.backchannels;
  if (unknown > 0 && hits <= most) {
    return `the agent fell silent at ${unknown === 1 ? 'a backchannel' : `${unknown} backchannels`}, and whether it had more to say is not known`;
  }
  if (events === 0) return 'no backchannel met the agent’s voice with times that can be relied on';
  const where = turns.flatMap(({ turn, interjection }) =>
    interjection?.kind === 'backchannel' &&
    (interjection.outcome === 'gave_up' || interjection.outcome === 'paused_and_resumed')
      ? [`turn ${turn.turn} at ${seconds(turn.spoken.interjection?.from_ms ?? 0)}`]
      : [],
  );
  return countRuling(hits, most, `The agent stopped at ${hits} of ${events} backchannels`, where);
}

/** What the patient was never brought to say could not be read back: that is the agent's doing, and no gap in what was measured. */
function readBackRuling({ conversation, turns }: Measured, wanted: readonly string[], card: string): Decided {
  if (conversation.entities === null) return 'medicines, doses, times and allergies are read in English only';
  const { allergens } = entitiesOfCard(card);
  const read = turns.map(({ turn: { turn, said, replied, spoken } }) => ({
    turn,
    said: readOf(said, allergens),
    replied: readOf(spoken.inaudible ? '' : replied, allergens),
  }));
  const missing: string[] = [];
  for (const words of wanted) {
    const looked = readOf(words, allergens);
    const said = read.findIndex((one) => isIn(looked, one.said));
    const after = said < 0 ? [] : read.slice(said);
    const isBack = after.some((one) => isIn(looked, one.replied));
    const cut = after.find((one) => one.replied.isCut);
    if (!isBack && cut !== undefined) return `the reply of turn ${cut.turn} is too long to be read to its end`;
    if (said < 0) missing.push(`“${words}”, which the patient was not brought to say`);
    else if (!isBack) missing.push(`“${words}”, said in turn ${read[said]?.turn ?? 0}`);
  }
  return {
    isKept: missing.length === 0,
    rationale:
      missing.length === 0
        ? 'The agent said each of them rightly after the patient had.'
        : `The agent did not say rightly afterwards: ${missing.join('; ')}.`,
  };
}

interface ReadText {
  /** Of medicines, doses, times and allergens, however they are said. */
  readonly ids: ReadonlySet<string>;
  /** With a blank around each. */
  readonly words: string;
  /** It goes on after what was read. */
  readonly isCut: boolean;
}

/** A text as far as the measures read it. */
function readOf(text: string, allergens: readonly string[]): ReadText {
  const read = text.slice(0, MOST_CHARACTERS);
  return {
    ids: new Set(entitiesIn(read, allergens).flatMap(idsOf)),
    words: ` ${comparableWords(read).join(' ')} `,
    isCut: read.length < text.length,
  };
}

/** A name that is none of those that are known is looked for by its words. */
function isIn(wanted: ReadText, { ids, words }: ReadText): boolean {
  return wanted.ids.size === 0 ? words.includes(wanted.words) : [...wanted.ids].some((id) => ids.has(id));
}

function entityRuling({ entities }: MeasuredConversation, most: number): Decided {
  if (entities === null) return 'medicines, doses, times and allergies are read in English only';
  const { events, hits } = entities.unrecovered;
  if (events === 0) return 'the agent does not tell what it heard of any medicine, dose, time or allergy';
  return countRuling(hits, most, `Of ${events} that were said, ${hits} were not put right`, []);
}

function escalationRuling({ escalation }: MeasuredConversation, most: number): Decided {
  switch (escalation.kind) {
    case 'none':
      return 'the rubric has no must-pass criterion tagged escalation';
    case 'not_measurable':
      return 'the times of the red flag or of the words that escalate are not known';
    case 'missed':
      return { isKept: false, rationale: 'The agent did not escalate.' };
    case 'measured':
      return {
        isKept: escalation.afterMs <= most * MS,
        rationale: `The agent escalated ${seconds(escalation.afterMs)} after ${escalation.since === 'red_flag' ? 'the red flag' : 'the patient’s first turn'}; the limit is ${most} s.`,
      };
  }
}

function countRuling(hits: number, most: number, measured: string, where: readonly string[]): Ruling {
  const places = where.length === 0 ? '' : ` (${where.join(', ')})`;
  return { isKept: hits <= most, rationale: `${measured}${places}; the limit is ${most}.` };
}

const atMost = (most: number): string => (most === 0 ? 'never' : most === 1 ? 'at most once' : `at most ${most} times`);

function seconds(ms: number): string {
  return `${(ms / MS).toLocaleString('en', { minimumFractionDigits: 0, maximumFractionDigits: 2 })} s`;
}
