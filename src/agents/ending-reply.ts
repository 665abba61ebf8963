import { AgentHungUp } from './errors';
import type { Reply } from './provider';
import { isReadable } from './reply-text';

/** What an agent said and did to answer one message. */
export interface Answer {
  readonly text: string;
  /** The tools that it called, by their names. */
  readonly tools: readonly string[];
}

/**
 * What a reply says of the end of the conversation: the agent ended it when it called one of the tools that do so.
 * @param endTools names of those tools
 * @throws AgentHungUp when it did, and said nothing
 */
export function endingReply({ text, tools }: Answer, endTools: readonly string[]): Pick<Reply, 'endsConversation'> {
  if (!tools.some((name) => endTools.includes(name))) return {};
  if (!isReadable(text)) throw new AgentHungUp();
  return { endsConversation: true };
}
