import { ownTurn } from '../concurrency/own-turn';

type Role = 'system' | 'user' | 'assistant';

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

/**
 * The messages of a conversation that is sent whole with every message. Each is serialized once, when it is
 * added: a long reply in the history costs every later turn a copy of its bytes and no more.
 */
export class ChatMessages {
  private readonly written: Buffer[] = [];
  private size = 0;

  async add(role: Role, content: string): Promise<void> {
    await ownTurn(content.length);
    const message = writtenOf(role, content);
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
    return Buffer.concat([head, ...this.written, writtenOf('user', message), END]);
  }
}

function writtenOf(role: Role, content: string): Buffer {
  return Buffer.from(JSON.stringify({ role, content }));
}
