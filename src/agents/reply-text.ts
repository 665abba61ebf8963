import type { HeardActs } from './heard-acts';
import { ProviderError, AgentHungUp } from './errors';
import { pageError, printable } from './outbound/http-refusal';
import { asksForPassword, isWholePage } from './outbound/web-page';
import type { Reply } from './provider';
import type { Secrets } from './secrets/secrets';

/** The most one reply may hold, in UTF-8 bytes. */
export const MAX_REPLY_BYTES = 1024 * 1024;

export function replyTooLong(): ProviderError {
  return new ProviderError('provider_error', `The agent's reply is longer than ${MAX_REPLY_BYTES} bytes.`);
}

/** Something readable: not white space, not control characters, not invisible formatting. */
const READABLE = /[^\s\p{Cc}\p{Cf}]/u;

/** Whether there is something to read in it. */
export function isReadable(text: string): boolean {
  return READABLE.test(text);
}

/** What the words of an agent's replies are. */
export type ReplyFormat = 'text' | 'html';

/** A sentence of advice where the harness refuses a page. */
export const HTML_ADVICE = 'If the agent replies in HTML, set reply_format to html.';

/**
 * Refuses a reply that is a whole web page: no agent says one, and a gateway that wraps an answer wraps the page of an error or a
 * login too. An agent that replies in HTML is known by its config, and even then a login is none of its replies.
 * @throws ProviderError `auth_failed` for a login page, else `provider_error`
 */
export function requireNoPage(text: string, format: ReplyFormat, secrets: Secrets): void {
  if (!isWholePage(text) || (format === 'html' && !asksForPassword(text))) return;
  throw pageError("The agent's answer holds", text, secrets, HTML_ADVICE);
}

/**
 * What a target agent said, fit for PostgreSQL, JSON and the page: well-formed Unicode without NUL. The words stay as they
 * are otherwise, including leading and trailing white space: they are evidence.
 * @param nothingSaid why there may be no text (`It called a tool.`), added to the message of `empty_reply`
 * @throws ProviderError `empty_reply`; `provider_error` when there is more than MAX_REPLY_BYTES
 */
export function replyText(raw: string, nothingSaid = ''): string {
  // A UTF-16 unit takes at most three bytes, so most replies need no counting.
  if (raw.length * 3 > MAX_REPLY_BYTES && Buffer.byteLength(raw) > MAX_REPLY_BYTES) {
    throw replyTooLong();
  }
  if (!isReadable(raw)) {
    throw new ProviderError('empty_reply', `The agent's reply holds no text. ${nothingSaid}`.trim());
  }
  const text = raw.toWellFormed();
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
}

/** Tools that a message names; of more, how many there are. */
const MOST_NAMED = 3;

/**
 * Why there may be no text, for `replyText`. An agent that only calls a tool has said nothing to its patient: the service answers no
 * tool calls, so such an answer is an error of the set-up, and no mark.
 * @param otherwise what may be the reason where no tool was called
 */
export function nothingSaid(tools: readonly string[], otherwise: string): string {
  if (tools.length === 0) return otherwise;
  const named = tools.slice(0, MOST_NAMED).map((name) => printable(name).slice(0, 60));
  const more = tools.length > MOST_NAMED ? ` and ${tools.length - MOST_NAMED} more` : '';
  return (
    `It called ${named.join(', ')}${more}, and the service answers no tool calls: have the agent's server run its tools and reply ` +
    'in words. A tool that ends the conversation is named in the config (end_tools, or end_path).'
  );
}

/** What an agent said and did to answer one message. */
interface Answer {
  readonly text: string;
  /** The tools that it called, by their names. */
  readonly tools: readonly string[];
  /** Absent where it tells no more of them. */
  readonly acts?: HeardActs;
}

/**
 * What a reply says of the end of the conversation: the agent ended it when it called one of the tools that do so.
 * @param endTools names of those tools
 * @throws AgentHungUp when it did, and said nothing
 */
export function endingReply(
  { text, tools, acts }: Answer,
  endTools: readonly string[],
): Pick<Reply, 'endsConversation'> {
  if (!tools.some((name) => endTools.includes(name))) return {};
  if (!isReadable(text)) throw new AgentHungUp(true, acts ?? null);
  return { endsConversation: true };
}
