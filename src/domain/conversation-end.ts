import * as z from 'zod/mini';
import { ENDED_BY, type EndedBy } from './conversation';

const ended = z.object({ ended_by: z.enum(ENDED_BY), unanswered_message: z.optional(z.string()) });

/** How a conversation ended that had not all its turns. */
export interface EarlyEnd {
  readonly endedBy: EndedBy;
  /** What the patient said last, when nobody replied to it. */
  readonly unansweredMessage: string | null;
}

/** What a scenario run's metadata says of it; null for a conversation that goes on, or had all its turns. */
export function earlyEndIn(metadata: Readonly<Record<string, unknown>>): EarlyEnd | null {
  const { data } = ended.safeParse(metadata);
  return data === undefined ? null : { endedBy: data.ended_by, unansweredMessage: data.unanswered_message ?? null };
}

/** @param maxTurns null where it is not known */
export function earlyEndSentence(turns: number, maxTurns: number | null): string {
  return `The agent ended the conversation after turn ${turns}${maxTurns === null ? '' : ` of ${maxTurns}`}.`;
}
