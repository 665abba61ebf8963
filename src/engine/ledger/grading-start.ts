import type { EndedBy, Ending } from '../../domain/conversation';
import { storableText } from '../../platform/database/storable-text';

/** What is kept of an end that came before the conversation had all its turns, in the row and in the event alike. */
export function gradingStarted({ endedBy, unansweredMessage }: Partial<Ending>): {
  readonly ended_by?: EndedBy;
  readonly unanswered_message?: string;
} {
  if (endedBy === null || endedBy === undefined) return {};
  if (unansweredMessage === null || unansweredMessage === undefined) return { ended_by: endedBy };
  return { ended_by: endedBy, unanswered_message: storableText(unansweredMessage) };
}
