import { ownTurn } from '../platform/concurrency';

type Role = 'system' | 'user' | 'assistant';

/** How messages are written: the names of their two fields, and of the speakers. */
export interface MessageFormat {
  readonly role: string;
  readonly content: string;
  readonly user: string;
  readonly assistant: string;
}

export const CHAT_COMPLETIONS: MessageFormat = {
  role: 'role',
  content: 'content',
  user: 'user',
  assistant: 'assistant',
};

const COMMA = Buffer.from(',');
const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');
const END = Buffer.from(']}');

/**
 * The messages of a conversation that is sent whole with every message. Each is serialized once, when it is
 * added: a long reply in the history costs every later turn a copy of its bytes and no more.
 */
export class ChatMessages {
  private readonly written: Buffer[] = [];
  private size = 0;

  constructor(private readonly format: MessageFormat = CHAT_COMPLETIONS) {}

  /** The size of all of them, as they are written. */
  get bytes(): number {
    return this.size;
  }

  async add(role: Role, content: string): Promise<void> {
    await ownTurn(content.length);
    const message = this.writtenOf(role, content);
    this.written.push(message, COMMA);
    this.size += message.length;
  }

  /**
   * A request's body.
   * @param fields what it holds besides the messages; undefined ones are left out
   * @param message of the user, after all the others
   */
  async bodyWith(fields: Readonly<Record<string, unknown>>, message: string): Promise<Buffer> {
    await ownTurn(this.size);
    const beside = JSON.stringify(fields).slice(0, -1);
    const head = Buffer.from(`${beside}${beside === '{' ? '' : ','}"messages":[`);
    return Buffer.concat([head, ...this.written, this.writtenOf('user', message), END]);
  }

  /** As a JSON list. @param message of the user, after all the others; null for none */
  listWith(message: string | null): Buffer {
    const last = message === null ? [] : [this.writtenOf('user', message)];
    const before = message === null ? this.written.slice(0, -1) : this.written;
    return Buffer.concat([OPEN, ...before, ...last, CLOSE]);
  }

  private writtenOf(role: Role, content: string): Buffer {
    const { format } = this;
    const speaker = role === 'system' ? role : format[role];
    return Buffer.from(JSON.stringify({ [format.role]: speaker, [format.content]: content }));
  }
}
