import {
  comparableWords,
  entityErrors,
  floorSharesOf,
  timeToEscalationMs,
  turnTakingOf,
  wordErrors,
  type EntityKind,
  type EntityMention,
  type InterjectionAnswer,
  type Timeline,
  type TurnAnswer,
  type TurnTaking,
  type WordErrors,
} from '../../engine/audio';
import type { KeptSpokenTurn } from '../../../contract/spoken-turns';
import { isMustPass } from '../../domain';
import { sentenceSpans } from '../../examiners/rules';
import type { StoredCriterionResult } from '../runs/scenario-runs.store';
import { TimedReply } from './spoken-turn';

/** A spoken turn as it was stored. */
export interface MeasuredTurn {
  readonly turn: number;
  readonly said: string;
  /** The reply that was marked. */
  readonly replied: string;
  readonly spoken: KeptSpokenTurn;
}

/** All that is measured of one conversation. */
export interface MeasuredInput {
  readonly turns: readonly MeasuredTurn[];
  /** When the patient's track could first be heard. */
  readonly startMs: number | null;
  /** What the patient knows, as text. */
  readonly card: string;
  /** Words or phrases in which the scenario's author sees the red flag. */
  readonly redFlags: readonly string[];
  /** Of the patient. */
  readonly language: string;
  readonly criteria: readonly StoredCriterionResult[] | null;
}

/** Longer texts of a turn are not read: nobody says them in a turn, and each is compared word by word. */
export const MOST_CHARACTERS = 4_000;
const MOST_CARD_CHARACTERS = 20_000;
const MOST_RED_FLAGS = 50;
/** A sentence of which fewer than half of the words were heard was not heard. */
const HEARD_SHARE = 0.5;

export interface Tally {
  readonly events: number;
  readonly hits: number;
}

export interface FloorTimes {
  readonly agentMs: number;
  readonly patientMs: number;
  /** In which anyone spoke, and in which both did, by who came second. */
  readonly anyoneMs: number;
  readonly overByAgentMs: number;
  readonly overByPatientMs: number;
  /** How long each dead silence lasted, in ms. */
  readonly deadAirMs: readonly number[];
  readonly agentWords: number;
  readonly patientWords: number;
}

/** What an agent heard of what was said, or an ear of what the agent said. Sums over the turns of which it is known. */
export interface WordTally extends WordErrors {
  readonly turns: number;
  /** Turns of which it is not known, and those whose texts were too long to be read. */
  readonly notMeasurable: number;
}

export interface EntityTally {
  readonly mentions: number;
  /** Of the mentions: the agent does not tell what it heard. */
  readonly notMeasurable: number;
  readonly errors: Tally;
  readonly unrecovered: Tally;
  readonly readBack: Tally;
  readonly errorsByKind: Readonly<Record<EntityKind, Tally>>;
}

export interface OwnAgainstHeard {
  readonly words: WordTally;
  /** Sentences of the agent's own account, and those that were not heard. */
  readonly sentences: Tally;
  /** Medicines, doses, times in it, and those that were heard otherwise or not at all. */
  readonly entities: Tally;
}

export type Escalation =
  /** The conversation has no must-pass criterion about escalation, or was not marked. */
  | { readonly kind: 'none' }
  /** The criterion was not earned. */
  | { readonly kind: 'missed' }
  /** It was earned by words whose times are not known, or not reliable. */
  | { readonly kind: 'not_measurable' }
  | {
      readonly kind: 'measured';
      readonly afterMs: number;
      readonly since: 'red_flag' | 'first_turn';
      /** False where the sentence's times were spread over the agent's voice. */
      readonly certain: boolean;
    };

/** What one conversation adds to the measures of a run. Turns whose times are not reliable are in nothing but `turns`. */
export interface MeasuredConversation {
  readonly turns: { readonly spoken: number; readonly unreliable: number; readonly inaudible: number };
  readonly latenciesMs: readonly number[];
  readonly prematureStarts: Tally;
  readonly unanswered: number;
  readonly talkedThrough: number;
  readonly timeToFirstWordMs: number | null;
  readonly pauses: readonly { readonly scriptedMs: number; readonly tolerated: Tally }[];
  readonly yieldsMs: readonly number[];
  readonly yieldedInTime: Tally;
  readonly missedInterruptions: number;
  readonly backchannels: TurnTaking['backchannels'];
  readonly falseYields: Tally;
  readonly floor: FloorTimes;
  readonly heardWords: WordTally;
  /** Null where the patient does not speak English: no entity is read in other languages. */
  readonly entities: EntityTally | null;
  /** Null where there is no ear, or no account of the agent's own, in any turn. */
  readonly ownAgainstHeard: OwnAgainstHeard | null;
  readonly escalation: Escalation;
}

/** One turn, for readers who ask for each. */
export interface TurnMeasures {
  readonly turn: MeasuredTurn;
  readonly answer: TurnAnswer;
  readonly interjection: InterjectionAnswer | null;
  readonly wordErrors: WordErrors | null;
  readonly mentions: readonly EntityMention[];
}

export interface Measured {
  readonly conversation: MeasuredConversation;
  readonly turns: readonly TurnMeasures[];
}

/** Measures a conversation from what was kept of its turns. Some milliseconds, whatever the texts. */
export function measured(input: MeasuredInput): Measured {
  const { turns, language, startMs } = input;
  const timeline = timelineOf(input);
  const taking = turnTakingOf(timeline);
  const isEnglish = /^en(?:[-_]|$)/i.test(language);
  const heard = turns.map((turn) => heardWordsOf(turn, language));
  const mentions = isEnglish ? mentionsOf(input) : null;
  const reliable = turns.filter(({ spoken }) => spoken.timing_reliable);
  let interjected = 0;
  return {
    conversation: {
      turns: {
        spoken: turns.length,
        unreliable: turns.length - reliable.length,
        inaudible: turns.filter(({ spoken }) => spoken.inaudible).length,
      },
      latenciesMs: taking.answers.flatMap((answer) => (answer.kind === 'answered' ? [answer.latencyMs] : [])),
      prematureStarts: taking.prematureStarts,
      unanswered: taking.answers.filter(({ kind }) => kind === 'unanswered').length,
      talkedThrough: taking.answers.filter(({ kind }) => kind === 'talked_through').length,
      timeToFirstWordMs:
        startMs !== null && turns[0]?.spoken.timing_reliable === true ? taking.timeToFirstWordMs : null,
      pauses: taking.pauses,
      yieldsMs: taking.interjections.flatMap(({ kind, afterMs }) =>
        kind === 'interruption' && afterMs !== null ? [afterMs] : [],
      ),
      yieldedInTime: taking.yieldedInTime,
      missedInterruptions: taking.interjections.filter(
        ({ kind, outcome }) => kind === 'interruption' && outcome === 'missed',
      ).length,
      backchannels: taking.backchannels,
      falseYields: taking.falseYields,
      floor: floorOf(input, timeline),
      heardWords: sumOfWords(turns, heard),
      entities: mentions === null ? null : tallyOf(mentions.filter(({ turn }) => isReliable(turns[turn]))),
      ownAgainstHeard: ownAgainstHeardOf(reliable, language, isEnglish),
      escalation: escalationOf(input),
    },
    turns: turns.map((turn, at) => ({
      turn,
      answer: taking.answers[at] ?? { kind: 'unreliable' },
      interjection: turn.spoken.interjection === null ? null : (taking.interjections[interjected++] ?? null),
      wordErrors: heard[at] ?? null,
      mentions: (mentions ?? []).filter((mention) => mention.turn === at),
    })),
  };
}

function isReliable(turn: MeasuredTurn | undefined): boolean {
  return turn?.spoken.timing_reliable === true;
}

function timelineOf({ turns, startMs }: Pick<MeasuredInput, 'turns' | 'startMs'>): Timeline {
  const agent = turns
    .flatMap(({ spoken }) => spoken.agent.map(stretchOf))
    .toSorted((one, other) => one.from - other.from);
  const ends = turns.flatMap(({ spoken }) => [spoken.to_ms, spoken.interjection?.to_ms ?? 0]);
  const start = startMs ?? turns[0]?.spoken.from_ms ?? 0;
  return {
    start,
    end: Math.max(start, ...ends, ...agent.map(({ to }) => to)),
    turns: turns.map(({ spoken }) => ({
      ...stretchOf(spoken),
      reliable: spoken.timing_reliable,
      pauses: spoken.pauses.map((pause) => ({ ...stretchOf(pause), scriptedMs: pause.scripted_ms })),
    })),
    interjections: turns.flatMap(({ spoken: { interjection, timing_reliable } }) =>
      interjection === null
        ? []
        : [
            {
              ...stretchOf(interjection),
              kind: interjection.kind,
              reliable: interjection.reliable && timing_reliable,
              agentUnfinished: interjection.agent_unfinished,
            },
          ],
    ),
    agent,
  };
}

function stretchOf({ from_ms, to_ms }: { readonly from_ms: number; readonly to_ms: number }) {
  return { from: from_ms, to: to_ms };
}

/**
 * Who spoke for how long, of the reliable turns alone: a turn's part of the call lasts until the next one begins. Parts that follow each
 * other are read together, so that the silence between them is one.
 */
function floorOf({ turns, language }: Pick<MeasuredInput, 'turns' | 'language'>, whole: Timeline): FloorTimes {
  const sum = {
    agentMs: 0,
    patientMs: 0,
    anyoneMs: 0,
    overByAgentMs: 0,
    overByPatientMs: 0,
    agentWords: 0,
    patientWords: 0,
  };
  const deadAirMs: number[] = [];
  for (const { start, end } of reliableParts(whole)) {
    const within = ({ from }: { readonly from: number }): boolean => from >= start && from < end;
    const [spoken, interjected] = [whole.turns.filter(within), whole.interjections.filter(within)];
    const agent = whole.agent.filter(within).map(({ from, to }) => ({ from, to: Math.min(to, end) }));
    // After the agent's last words the patient thinks: a part that is cut off there has no silence of the agent's at its end.
    const lastOfAgent = agent.at(-1)?.to ?? start;
    const lastOfPatient = Math.max(start, ...[...spoken, ...interjected].map(({ to }) => to));
    const { talkOver, deadAir, agentMs, patientMs } = floorSharesOf({
      start,
      end: end < whole.end && lastOfAgent > lastOfPatient ? lastOfAgent : end,
      turns: spoken,
      interjections: interjected,
      agent,
    });
    const overlap = talkOver === null ? 0 : talkOver.byAgent + talkOver.byPatient;
    const anyoneMs = (agentMs + patientMs) / (1 + overlap);
    sum.agentMs += agentMs;
    sum.patientMs += patientMs;
    sum.anyoneMs += anyoneMs;
    sum.overByAgentMs += (talkOver?.byAgent ?? 0) * anyoneMs;
    sum.overByPatientMs += (talkOver?.byPatient ?? 0) * anyoneMs;
    deadAirMs.push(...deadAir.map(({ from, to }) => to - from));
  }
  for (const { said, replied, spoken } of turns) {
    if (!spoken.timing_reliable) continue;
    sum.patientWords += wordsOf(utteredIn(said, spoken), language).length;
    if (!spoken.inaudible) sum.agentWords += wordsOf(spoken.heard ?? spoken.own ?? replied, language).length;
  }
  return { ...sum, deadAirMs };
}

function reliableParts({ turns, start, end }: Timeline): { readonly start: number; readonly end: number }[] {
  const parts: { start: number; end: number }[] = [];
  let isOpen = false;
  for (const [at, { from, reliable }] of turns.entries()) {
    const until = turns[at + 1]?.from ?? end;
    const last = parts.at(-1);
    if (!reliable) isOpen = false;
    else if (isOpen && last !== undefined) last.end = until;
    else {
      parts.push({ start: at === 0 ? Math.min(start, from) : from, end: until });
      isOpen = true;
    }
  }
  return parts;
}

function wordsOf(text: string, language: string): readonly string[] {
  return comparableWords(text.slice(0, MOST_CHARACTERS), language);
}

/** All that the patient said in a turn: the message, and what it said into the answer. */
function utteredIn(said: string, { interjection }: MeasuredTurn['spoken']): string {
  return `${said} ${interjection?.words ?? ''}`;
}

function isReadable(...texts: readonly string[]): boolean {
  return texts.every(({ length }) => length <= MOST_CHARACTERS);
}

/** What the agent heard of the patient; null where that is not known, or the times of the turn are not reliable: so was our sound. */
function heardWordsOf({ said, spoken }: MeasuredTurn, language: string): WordErrors | null {
  const { heard_by_agent: heard, timing_reliable, disturbances } = spoken;
  // The words of an aside are not kept.
  if (heard === null || !timing_reliable || disturbances.some(({ kind }) => kind === 'aside')) return null;
  const uttered = utteredIn(said, spoken);
  return isReadable(uttered, heard) ? wordErrors(wordsOf(uttered, language), wordsOf(heard, language)) : null;
}

function sumOfWords(turns: readonly MeasuredTurn[], found: readonly (WordErrors | null)[]): WordTally {
  const sum = { substitutions: 0, deletions: 0, insertions: 0, words: 0, turns: 0, notMeasurable: 0 };
  for (const [at, errors] of found.entries()) {
    if (errors === null) {
      if (isReliable(turns[at])) sum.notMeasurable += 1;
      continue;
    }
    sum.turns += 1;
    for (const kind of ['substitutions', 'deletions', 'insertions', 'words'] as const) sum[kind] += errors[kind];
  }
  return sum;
}

function mentionsOf({ turns, card }: MeasuredInput): readonly EntityMention[] {
  const read = turns.map(({ said, replied, spoken }) => {
    const heard = spoken.timing_reliable ? spoken.heard_by_agent : null;
    return {
      said: said.slice(0, MOST_CHARACTERS),
      heard: heard === null || !isReadable(said, heard) ? null : heard,
      // What no one could hear was not said.
      reply: spoken.inaudible ? '' : replied.slice(0, MOST_CHARACTERS),
    };
  });
  return entityErrors(card.slice(0, MOST_CARD_CHARACTERS), read).mentions;
}

const isError = ({ outcome }: EntityMention): boolean => outcome === 'wrong' || outcome === 'missing';

function tallyOf(mentions: readonly EntityMention[]): EntityTally {
  const told = mentions.filter(({ outcome }) => outcome !== 'unknown');
  const of = (events: readonly EntityMention[], isHit: (mention: EntityMention) => boolean): Tally => ({
    events: events.length,
    hits: events.filter(isHit).length,
  });
  const ofKind = (kind: EntityKind): Tally =>
    of(
      told.filter((mention) => mention.kind === kind),
      isError,
    );
  return {
    mentions: mentions.length,
    notMeasurable: mentions.length - told.length,
    errors: of(told, isError),
    unrecovered: of(told, ({ isUnrecovered }) => isUnrecovered),
    readBack: of(mentions, ({ readBack }) => readBack === 'right'),
    errorsByKind: {
      medicine: ofKind('medicine'),
      dose: ofKind('dose'),
      time: ofKind('time'),
      allergy: ofKind('allergy'),
    },
  };
}

function ownAgainstHeardOf(
  turns: readonly MeasuredTurn[],
  language: string,
  isEnglish: boolean,
): OwnAgainstHeard | null {
  const both = turns.map(({ spoken: { own, heard, heard_doubtful } }) => {
    const isDoubted = heard_doubtful !== null && heard_doubtful !== undefined && heard_doubtful !== false;
    return own === null || heard === null || isDoubted || !isReadable(own, heard) ? null : { own, heard };
  });
  if (both.every((texts) => texts === null)) return null;
  const errors = both.map((texts) => texts && wordErrors(wordsOf(texts.own, language), wordsOf(texts.heard, language)));
  const sentences = { events: 0, hits: 0 };
  const entities = { events: 0, hits: 0 };
  for (const texts of both) {
    if (texts === null) continue;
    const heard = new Set(wordsOf(texts.heard, language));
    for (const { start, end } of sentenceSpans(texts.own)) {
      const words = wordsOf(texts.own.slice(start, end), language);
      if (words.length === 0) continue;
      sentences.events += 1;
      if (words.filter((word) => heard.has(word)).length < HEARD_SHARE * words.length) sentences.hits += 1;
    }
    if (!isEnglish) continue;
    // What the agent says that it said is the card here, and its own sound is what was heard of it.
    const found = entityErrors(texts.own, [{ said: texts.own, heard: texts.heard, reply: '' }]);
    entities.events += found.errors.events;
    entities.hits += found.errors.hits;
  }
  return { words: sumOfWords(turns, errors), sentences, entities };
}

const ESCALATION = 'escalation';

/** From the end of the patient's first sentence with the red flag to the start of the sentence that earns the criterion. */
function escalationOf({ turns, criteria, redFlags }: MeasuredInput): Escalation {
  const asked = (criteria ?? []).filter(
    (one) => isMustPass(one) && one.tags.includes(ESCALATION) && one.max_points > 0,
  );
  if (asked.length === 0) return { kind: 'none' };
  const earned = asked.filter(({ decision }) => decision !== 'NOT MET');
  if (earned.length === 0) return { kind: 'missed' };
  const byTurn = new Map(turns.map((turn) => [turn.turn, turn]));
  const said = earned
    .flatMap(({ evidence }) => evidence)
    .flatMap(({ turn: number, quote, call }) => {
      const turn = byTurn.get(number);
      if (turn === undefined || call !== undefined || !turn.spoken.timing_reliable) return [];
      const times = new TimedReply(turn.replied, turn.spoken.agent_sentences).timesOf(quote);
      return times === null ? [] : [times];
    })
    .toSorted((one, other) => one.from_ms - other.from_ms)[0];
  const flag = redFlagIn(turns, redFlags);
  const afterMs = timeToEscalationMs(flag, said === undefined ? null : { from: said.from_ms, to: said.to_ms });
  if (afterMs === null || flag === null || said === undefined) return { kind: 'not_measurable' };
  return { kind: 'measured', afterMs, since: flag.since, certain: said.certain };
}

/** The patient's first sentence with one of the words; where the scenario names none, the patient's first turn. */
function redFlagIn(
  turns: readonly MeasuredTurn[],
  redFlags: readonly string[],
): { readonly from: number; readonly to: number; readonly since: 'red_flag' | 'first_turn' } | null {
  const [first] = turns;
  if (redFlags.length === 0) {
    return isReliable(first) && first !== undefined ? { ...stretchOf(first.spoken), since: 'first_turn' } : null;
  }
  const phrases = redFlags.slice(0, MOST_RED_FLAGS).map((phrase) => ` ${wordsOf(phrase, 'en').join(' ')} `);
  for (const { said, spoken } of turns) {
    for (const [at, { start, end }] of sentenceSpans(said.slice(0, MOST_CHARACTERS)).entries()) {
      const words = ` ${wordsOf(said.slice(start, end), 'en').join(' ')} `;
      if (!phrases.some((phrase) => words.includes(phrase))) continue;
      const sentence = spoken.sentences.find(({ id }) => id === `p${at + 1}`);
      return spoken.timing_reliable ? { ...stretchOf(sentence ?? spoken), since: 'red_flag' } : null;
    }
  }
  return null;
}
