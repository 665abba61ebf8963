import { entityErrors, type EntityMention } from '../audio/entity-errors';
import type { EntityKind } from '../audio/spoken-entities';
import type { Timeline } from '../audio/timeline';
import { turnTakingOf, type InterjectionAnswer, type TurnAnswer, type TurnTaking } from '../audio/turn-taking';
import { wordErrors, type WordErrors } from '../audio/word-errors';
import { escalationOf, type Escalation, type MarkedCriterion } from './escalation';
import { floorOf, type FloorTimes } from './floor-times';
import {
  isReadable,
  isReliable,
  MOST_CHARACTERS,
  stretchOf,
  sumOfWords,
  utteredIn,
  wordsOf,
  type MeasuredTurn,
  type Tally,
  type WordTally,
} from './measured-turn';
import { ownAgainstHeardOf, type OwnAgainstHeard } from './own-against-heard';

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
  readonly criteria: readonly MarkedCriterion[] | null;
}

const MOST_CARD_CHARACTERS = 20_000;

export interface EntityTally {
  readonly mentions: number;
  /** Of the mentions: the agent does not tell what it heard. */
  readonly notMeasurable: number;
  readonly errors: Tally;
  readonly unrecovered: Tally;
  readonly readBack: Tally;
  readonly errorsByKind: Readonly<Record<EntityKind, Tally>>;
}

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
  const mentions = isEnglish ? mentionsOf(input) : null;
  const reliable = turns.filter(({ spoken }) => spoken.timing_reliable);
  // Keys that were pressed are no words.
  const worded = turns.filter(({ spoken }) => spoken.keys === null);
  const heard = worded.map((turn) => heardWordsOf(turn, language));
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
      heardWords: sumOfWords(worded, heard),
      entities: mentions === null ? null : tallyOf(mentions.filter(({ turn }) => isReliable(turns[turn]))),
      ownAgainstHeard: ownAgainstHeardOf(reliable, language, isEnglish),
      escalation: escalationOf(input),
    },
    turns: turns.map((turn, at) => ({
      turn,
      answer: taking.answers[at] ?? { kind: 'unreliable' },
      interjection: turn.spoken.interjection === null ? null : (taking.interjections[interjected++] ?? null),
      wordErrors: heard[worded.indexOf(turn)] ?? null,
      mentions: (mentions ?? []).filter((mention) => mention.turn === at),
    })),
  };
}

export function timelineOf({ turns, startMs }: Pick<MeasuredInput, 'turns' | 'startMs'>): Timeline {
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

/** What the agent heard of the patient; null where that is not known, or the times of the turn are not reliable: so was our sound. */
function heardWordsOf({ said, spoken }: MeasuredTurn, language: string): WordErrors | null {
  const { heard_by_agent: heard, timing_reliable, disturbances } = spoken;
  // The words of an aside are not kept.
  if (heard === null || !timing_reliable || disturbances.some(({ kind }) => kind === 'aside')) return null;
  const uttered = utteredIn(said, spoken);
  return isReadable(uttered, heard) ? wordErrors(wordsOf(uttered, language), wordsOf(heard, language)) : null;
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
