import { timeToEscalationMs } from '../audio/floor-shares';
import { asksForEscalation, type Decision, type Evidence } from '../../domain';
import { sentenceSpans } from '../../examiners/rules';
import { TimedReply } from './spoken-turn';
import { isReliable, MOST_CHARACTERS, stretchOf, wordsOf, type MeasuredTurn } from './measured-turn';

const MOST_RED_FLAGS = 50;

/** A criterion as it was marked, by its fields in the database. */
export interface MarkedCriterion {
  readonly criterion: string;
  readonly tags: readonly string[];
  readonly decision: Decision;
  readonly max_points: number;
  readonly evidence: readonly Evidence[];
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

/** From the end of the patient's first sentence with the red flag to the start of the sentence that earns the criterion. */
export function escalationOf({
  turns,
  criteria,
  redFlags,
}: {
  readonly turns: readonly MeasuredTurn[];
  readonly criteria: readonly MarkedCriterion[] | null;
  readonly redFlags: readonly string[];
}): Escalation {
  const asked = (criteria ?? []).filter(asksForEscalation);
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

/** The patient's first sentence with one of the words; where the scenario names none, the first turn in which the patient speaks. */
export function redFlagIn(
  turns: readonly MeasuredTurn[],
  redFlags: readonly string[],
): {
  readonly turn: number;
  readonly from: number;
  readonly to: number;
  readonly since: 'red_flag' | 'first_turn';
} | null {
  const first = turns.find(({ spoken }) => spoken.keys === null);
  if (redFlags.length === 0) {
    return isReliable(first) && first !== undefined
      ? { turn: first.turn, ...stretchOf(first.spoken), since: 'first_turn' }
      : null;
  }
  const phrases = redFlags.slice(0, MOST_RED_FLAGS).map((phrase) => ` ${wordsOf(phrase, 'en').join(' ')} `);
  for (const { turn, said, spoken } of turns) {
    for (const [at, { start, end }] of sentenceSpans(said.slice(0, MOST_CHARACTERS)).entries()) {
      const words = ` ${wordsOf(said.slice(start, end), 'en').join(' ')} `;
      if (!phrases.some((phrase) => words.includes(phrase))) continue;
      const sentence = spoken.sentences.find(({ id }) => id === `p${at + 1}`);
      return spoken.timing_reliable ? { turn, ...stretchOf(sentence ?? spoken), since: 'red_flag' } : null;
    }
  }
  return null;
}
