import { AgentHungUp, type ProviderError } from '../errors';
import type { Reply } from '../provider';
import { isReadable, replyText } from '../reply-text';
import { LEFT_BY_ITSELF, RoomEnded } from './room-failure';

/** How an agent may end a conversation, by its config. */
export interface EndSigns {
  readonly end_tools: readonly string[];
  readonly leaving_ends_conversation: boolean;
}

/** Ways in which a room ends that its agent may have brought about, by the protocol's names. */
const ORDERLY = [LEFT_BY_ITSELF, 'ROOM_DELETED', 'ROOM_CLOSED', 'PARTICIPANT_REMOVED'];

/**
 * Whether a failure is the agent's own deliberate end of the conversation. That it left by itself is not enough: agents of
 * livekit-agents and Pipecat leave in the same way when their job crashes, their worker is stopped or they were idle
 * for too long. So either it said so before, by a tool that ends conversations, or its config vouches that it leaves for no
 * other reason.
 * @param calledTools the tools that it has called since the patient's last message, by their names
 */
export function hasHungUp(
  failure: unknown,
  calledTools: readonly string[],
  { end_tools, leaving_ends_conversation }: EndSigns,
): failure is ProviderError {
  if (!(failure instanceof RoomEnded)) return false;
  if (leaving_ends_conversation && failure.reason === LEFT_BY_ITSELF) return true;
  return ORDERLY.includes(failure.reason) && calledTools.some((name) => end_tools.includes(name));
}

/**
 * The reply of an agent that ended the conversation in the middle of an answer: what it had said until then.
 * @throws AgentHungUp when it had said nothing
 */
export function lastWords(text: string): Pick<Reply, 'content' | 'endsConversation'> {
  if (!isReadable(text)) throw new AgentHungUp();
  return { content: replyText(text), endsConversation: true };
}
