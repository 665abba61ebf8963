import type { Notes, Turn } from '../../domain/conversation';
import type { ExaminationRecord } from '../../examiners/judge/examination-record';

/** Sentences kept for whoever reviews a flagged conversation. */
const MOST_SENTENCES = 20;

/** What is kept beside a verdict, or beside the failure to come to one, of how the transcript was examined. */
export function gradingMetadata({ calls, votes, controls, unread, addressedToExaminer }: ExaminationRecord): Notes {
  return {
    judge_calls: calls,
    judge_votes: votes,
    judge_controls: { ...controls },
    ...(unread.length === 0 ? {} : { judge_unread: unread }),
    ...(addressedToExaminer.length > 0 ? { examiner_addressed: addressedToExaminer.slice(0, MOST_SENTENCES) } : {}),
  };
}

/**
 * Why somebody should look at the conversation; none of it alters the verdict.
 * @param record null when nothing was examined
 */
export function flagMetadata(record: ExaminationRecord | null, turns: readonly Pick<Turn, 'agentMessage'>[]): Notes {
  const flags = [
    ...(record !== null && record.addressedToExaminer.length > 0 ? ['examiner_addressed'] : []),
    // What no one read may hold what was found absent.
    ...(record !== null && record.unread.length > 0 ? ['judge_unread'] : []),
    ...(isSameReply(turns) ? ['same_reply'] : []),
  ];
  return flags.length > 0 ? { flags } : {};
}

/** An agent that says the same whatever it is told has most likely not heard the conversation: it was examined without a session. */
function isSameReply(turns: readonly Pick<Turn, 'agentMessage'>[]): boolean {
  const [first, ...others] = turns;
  if (first === undefined || others.length === 0) return false;
  const reply = first.agentMessage.trim();
  return others.every(({ agentMessage }) => agentMessage.trim() === reply);
}
