import type { ChatMessages } from '../chat-messages';
import type { Placeholder } from '../placeholders';

/** What a template is filled with for one message. */
export interface Values {
  readonly message: string;
  /** The turns before it. */
  readonly conversation: ChatMessages;
  /** Null until the agent has named one. */
  readonly sessionId: string | null;
}

/** A request's body with placeholders, read once for a conversation and filled for each message. */
export interface BodyTemplate {
  readonly contentType: string;
  readonly placeholders: ReadonlySet<Placeholder>;
  write(values: Values): string | Buffer | Promise<Buffer>;
}

/** A placeholder's text; that of a session without an id is empty. */
export function textFor(placeholder: Placeholder, { message, sessionId }: Values): string {
  return placeholder === 'message' ? message : placeholder === 'session_id' ? (sessionId ?? '') : '';
}
