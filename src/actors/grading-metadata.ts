import type { Notes } from '../../machines/conversation';
import type { ExaminationRecord } from '../judge/examination-record';

/** Sentences kept for whoever looks at a flagged conversation. */
const MOST_SENTENCES = 20;

/** What is kept beside a verdict, or beside the failure to come to one, of how the transcript was examined. */
export function gradingMetadata({ calls, votes, controls, unread, addressedToExaminer }: ExaminationRecord): Notes {
  const isFlagged = addressedToExaminer.length > 0;
  return {
    judge_calls: calls,
    judge_votes: votes,
    judge_controls: { ...controls },
    ...(unread.length === 0 ? {} : { judge_unread: unread }),
    ...(isFlagged ? { flags: ['examiner_addressed'] } : {}),
    ...(isFlagged ? { examiner_addressed: addressedToExaminer.slice(0, MOST_SENTENCES) } : {}),
  };
}
