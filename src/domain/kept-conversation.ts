/** The placeholders that carry a conversation; an address may hold them escaped. */
const CARRIER = /(?:\{|%7B){2}(?:\s|%20){0,5}(?:session_id|messages|history)(?:\s|%20){0,5}(?:\}|%7D){2}/i;
const SESSION = /(?:\{|%7B){2}(?:\s|%20){0,5}session_id/i;
const CARRIERS = '{{session_id}}, {{messages}} or {{history}}';

/**
 * What to know of an agent to which nothing says which conversation a message belongs to: it may take every message of a patient for the first
 * one. Null when its config carries the conversation, and for kinds of agents that keep it themselves.
 * @param config in either spelling of its fields; credentials may be masked: a mask keeps the placeholders in them
 */
export function conversationWarning(provider: string, config: Readonly<Record<string, unknown>>): string | null {
  if (provider !== 'http' || typeof config['url'] !== 'string') return null;
  const { url, headers, body } = config;
  const written = JSON.stringify([url, headers, body]);
  if (CARRIER.test(written)) return null;
  const path = config['session_id_path'] ?? config['sessionIdPath'] ?? '';
  return path === ''
    ? `Nothing in the config carries the conversation from one message to the next, so the agent may take each message for a new conversation: put ${CARRIERS} into body, url or headers, with session_id_path where the agent names the session itself.`
    : 'session_id_path is set, but no message carries the id that is found there, so the agent may take each message for a new conversation: put {{session_id}} into body, url or headers.';
}

/** Whether messages carry the id of a session. */
export function sendsSession({ url, headers, body }: Readonly<Record<string, unknown>>): boolean {
  return SESSION.test(JSON.stringify([url, headers, body]));
}
