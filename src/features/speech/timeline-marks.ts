import type { SpokenTimeline } from '../../../contract/recordings';
import { turnTakingOf } from '../../engine/audio';
import { floorOf, redFlagIn, timelineOf, type MeasuredInput } from '../../engine/measures';

type Mark = SpokenTimeline['marks'][number];

/**
 * What happened at one moment of a conversation, by the definitions of the measures, in the order of the call. Nothing of it rests on how
 * the conversation was marked: those who review blind see it too.
 */
export function marksOf(input: MeasuredInput): Mark[] {
  const timeline = timelineOf(input);
  const { answers, interjections } = turnTakingOf(timeline);
  const marks: Mark[] = [];
  const none = { outcome: null, after_ms: null };
  let interjected = 0;
  for (const [at, { turn, spoken }] of input.turns.entries()) {
    const answer = answers[at];
    if (answer?.kind === 'premature') {
      marks.push({ kind: 'premature_start', turn, from_ms: answer.at, to_ms: spoken.to_ms, ...none });
    }
    if (spoken.interjection === null) continue;
    const { kind, from_ms, to_ms } = spoken.interjection;
    const became = interjections[interjected++];
    marks.push({ kind, turn, from_ms, to_ms, outcome: became?.outcome ?? null, after_ms: became?.afterMs ?? null });
  }
  for (const { from, to } of floorOf(input, timeline).deadAir) {
    const turn = input.turns.findLast(({ spoken }) => spoken.from_ms <= from)?.turn ?? 1;
    marks.push({ kind: 'dead_air', turn, from_ms: from, to_ms: to, ...none });
  }
  const flag = redFlagIn(input.turns, input.redFlags);
  if (flag?.since === 'red_flag') {
    marks.push({ kind: 'red_flag', turn: flag.turn, from_ms: flag.from, to_ms: flag.to, ...none });
  }
  return marks.toSorted((one, other) => one.from_ms - other.from_ms);
}
