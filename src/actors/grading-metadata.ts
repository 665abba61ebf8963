import type { Notes } from '../../machines/conversation';
import type { ExaminationRecord } from '../judge/examination-record';

/** Sentences kept for whoever reviews a flagged conversation. */
const MOST_SENTENCES = 20;

/** What is kept beside a verdict, or beside the failure to come to one, of how the transcript was examined. */
export function gradingMetadata({ calls, votes, controls, unread, addressedToExaminer }: ExaminationRecord): Notes {
  const isAddressed = addressedToExaminer.length > 0;
  // What no one read may hold what was found absent.
  const flags = [...(isAddressed ? ['examiner_addressed'] : []), ...(unread.length > 0 ? ['judge_unread'] : [])];
  return {
    judge_calls: calls,
    judge_votes: votes,
    judge_controls: { ...controls },
    ...(unread.length === 0 ? {} : { judge_unread: unread }),
    ...(flags.length > 0 ? { flags } : {}),
    ...(isAddressed ? { examiner_addressed: addressedToExaminer.slice(0, MOST_SENTENCES) } : {}),
  };
}
