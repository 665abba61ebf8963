import { redFlagsIn } from '../../../contract/scenario-speech';
import { measuredTurn, readSpoken, type MeasuredInput } from '../../engine/measures';
import type { StoredConversation } from './spoken-conversations.store';

/** A conversation as it is stored, as it is measured: of what was kept in another form nothing is taken. */
export function inputOf({
  turns,
  start_ms,
  language,
  card,
  red_flags,
  criteria_results,
}: StoredConversation): MeasuredInput {
  return {
    turns: turns.flatMap(({ turn, said, replied, spoken }) => {
      const kept = readSpoken(spoken);
      return kept === null ? [] : [measuredTurn(turn, said, replied, kept)];
    }),
    startMs: start_ms,
    card,
    redFlags: redFlagsIn(red_flags),
    language: language ?? 'en',
    criteria: criteria_results,
  };
}
