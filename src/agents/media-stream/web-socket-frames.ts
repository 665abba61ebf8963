import { createHash, randomBytes } from 'node:crypto';

/** WebSocket messages on a socket that was upgraded (RFC 6455), each bounded before it is read. No extension is offered, so none is used. */

/** What one end of a socket is to the other: a client masks what it sends, and a server does not. */
export type End = 'client' | 'server';

/** RFC 6455, section 1.3. */
const ACCEPT_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** What a server answers to a client's key. */
export function acceptOf(key: string): string {
  return createHash('sha1').update(`${key}${ACCEPT_GUID}`).digest('base64');
}

export const CLOSE_NORMAL = 1_000;

const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const CONTROL = 8;
const MOST_CONTROL_BYTES = 125;
const MASK_BYTES = 4;
const MOST_HEADER_BYTES = 10 + MASK_BYTES;

export type SocketMessage =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'binary' }
  | { readonly type: 'ping'; readonly payload: Buffer }
  /** `code` is null where none was given. */
  | { readonly type: 'close'; readonly code: number | null };

/** What came is no WebSocket message, or a longer one than is read. The message is the end of a sentence. */
export class FrameFault extends Error {
  override readonly name = 'FrameFault';
}

interface Header {
  readonly isLast: boolean;
  readonly opcode: number;
  readonly size: number;
  readonly length: number;
  /** Null: the payload is not masked. */
  readonly mask: Buffer | null;
}

export class FrameReader {
  private pieces: Buffer[] = [];
  private size = 0;
  private message: { readonly opcode: number; readonly parts: Buffer[]; length: number } | null = null;

  /** @param mostBytes of one message @param sender the other end */
  constructor(
    private readonly mostBytes: number,
    private readonly sender: End,
  ) {}

  /** The messages that are complete with this piece. @throws FrameFault */
  push(piece: Buffer): SocketMessage[] {
    this.pieces.push(piece);
    this.size += piece.length;
    const messages: SocketMessage[] = [];
    for (;;) {
      const header = this.header();
      if (header === null || this.size < header.size + header.length) return messages;
      this.take(header.size);
      const payload = this.take(header.length);
      const message = this.frame(header, header.mask === null ? payload : maskedWith(header.mask, payload));
      if (message !== null) messages.push(message);
    }
  }

  private header(): Header | null {
    const bytes = this.peek(MOST_HEADER_BYTES);
    const [first, second] = [bytes[0], bytes[1]];
    if (first === undefined || second === undefined) return null;
    if ((first & 0x70) !== 0) throw new FrameFault('used an extension that was not offered');
    const isMasked = (second & 0x80) !== 0;
    if (isMasked !== (this.sender === 'client')) {
      throw new FrameFault(isMasked ? 'masked a frame, which only clients do' : 'did not mask a frame, as clients do');
    }
    const opcode = first & 0x0f;
    const short = second & 0x7f;
    const plainSize = short < 126 ? 2 : short === 126 ? 4 : 10;
    const size = plainSize + (isMasked ? MASK_BYTES : 0);
    if (bytes.length < size) return null;
    const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    const most = opcode >= CONTROL ? MOST_CONTROL_BYTES : this.mostBytes - (this.message?.length ?? 0);
    if (length > most) throw new FrameFault(`sent a message of more than ${this.mostBytes} bytes`);
    const mask = isMasked ? Buffer.from(bytes.subarray(plainSize, size)) : null;
    return { isLast: (first & 0x80) !== 0, opcode, size, length, mask };
  }

  private frame({ isLast, opcode }: Header, payload: Buffer): SocketMessage | null {
    switch (opcode) {
      case OPCODES.ping:
        return { type: 'ping', payload };
      case OPCODES.pong:
        return null;
      case OPCODES.close:
        return { type: 'close', code: payload.length >= 2 ? payload.readUInt16BE(0) : null };
      case OPCODES.text:
      case OPCODES.binary:
        if (this.message !== null) throw new FrameFault('began a message within another');
        this.message = { opcode, parts: [], length: 0 };
        break;
      case OPCODES.continuation:
        if (this.message === null) throw new FrameFault('continued a message that it had not begun');
        break;
      default:
        throw new FrameFault('sent a frame of an unknown kind');
    }
    if (payload.length > 0) this.message.parts.push(payload);
    this.message.length += payload.length;
    if (!isLast) return null;
    const whole = this.message;
    this.message = null;
    if (whole.opcode === OPCODES.binary) return { type: 'binary' };
    return { type: 'text', text: Buffer.concat(whole.parts).toString('utf8') };
  }

  private peek(bytes: number): Buffer {
    const [first = Buffer.alloc(0)] = this.pieces;
    return first.length >= bytes || this.pieces.length === 1
      ? first.subarray(0, bytes)
      : this.joined().subarray(0, bytes);
  }

  private take(bytes: number): Buffer {
    const all = this.joined();
    this.size -= bytes;
    this.pieces = this.size === 0 ? [] : [all.subarray(bytes)];
    return all.subarray(0, bytes);
  }

  private joined(): Buffer {
    const [first = Buffer.alloc(0)] = this.pieces;
    if (this.pieces.length <= 1) return first;
    const all = Buffer.concat(this.pieces);
    this.pieces = [all];
    return all;
  }
}

export const textFrame = (text: string, sender: End): Buffer => frame(OPCODES.text, Buffer.from(text), sender);
export const pongFrame = (payload: Buffer, sender: End): Buffer => frame(OPCODES.pong, payload, sender);

export function closeFrame(code: number, sender: End): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return frame(OPCODES.close, payload, sender);
}

function frame(opcode: number, payload: Buffer, sender: End): Buffer {
  const { length } = payload;
  const isMasked = sender === 'client';
  const extended = length < 126 ? 0 : length <= 0xffff ? 2 : 8;
  const header = Buffer.alloc(2 + extended);
  header[0] = 0x80 | opcode;
  header[1] = (isMasked ? 0x80 : 0) | (extended === 0 ? length : extended === 2 ? 126 : 127);
  if (extended === 2) header.writeUInt16BE(length, 2);
  if (extended === 8) header.writeBigUInt64BE(BigInt(length), 2);
  if (!isMasked) return Buffer.concat([header, payload]);
  const mask = randomBytes(MASK_BYTES);
  return Buffer.concat([header, mask, maskedWith(mask, payload)]);
}

function maskedWith(mask: Buffer, payload: Buffer): Buffer {
  const masked = Buffer.from(payload);
  for (let at = 0; at < masked.length; at += 1) masked[at] = (masked[at] ?? 0) ^ (mask[at % MASK_BYTES] ?? 0);
  return masked;
}
