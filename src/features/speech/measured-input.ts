import type { MeasuredInput } from './measured-conversation';
import type { StoredConversation } from './spoken-conversations.store';
import { readSpoken } from './spoken-turn';

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
    turns: turns.flatMap(({ spoken, ...said }) => {
      const kept = readSpoken(spoken);
      return kept === null ? [] : [{ ...said, spoken: kept }];
    }),
    startMs: start_ms,
    card,
    redFlags: Array.isArray(red_flags) ? red_flags.filter((flag): flag is string => typeof flag === 'string') : [],
    language: language ?? 'en',
    criteria: criteria_results,
  };
}
