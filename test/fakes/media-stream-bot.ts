import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { encodeMuLaw } from '../../src/domain/sound';
import { machineMs } from '../../src/agents/voice/sound-clocks';

/** A message of the caller, with the time at which it came. */
export interface Called {
  readonly at: number;
  readonly message: {
    readonly event: string;
    readonly sequenceNumber?: string;
    readonly streamSid?: string;
    readonly start?: {
      readonly streamSid: string;
      readonly callSid: string;
      readonly mediaFormat: object;
      readonly customParameters: object;
    };
    readonly media?: {
      readonly payload: string;
      readonly chunk: string;
      readonly timestamp: string;
      readonly track: string;
    };
    readonly mark?: { readonly name: string };
    readonly dtmf?: { readonly track: string; readonly digit: string };
  };
}

/** What a bot answers to an utterance that has ended. Sounds last so many ms. */
export interface BotReply {
  readonly delayMs: number;
  readonly soundMs: number;
}

export interface BotScript {
  readonly replies: readonly BotReply[];
  readonly greetingMs: number | null;
  /** In place of answering: what is done once the stream has started. */
  readonly onStart: ((call: BotCall) => void) | null;
  /** What is done as soon as the connection stands. */
  readonly onOpen: ((call: BotCall) => void) | null;
  /** In place of answering: what is done with each frame of the caller, µ-law of 20 ms. */
  readonly onMedia: ((call: BotCall, codes: Buffer) => void) | null;
  /** In place of taking up the stream. */
  readonly refuse: ((socket: Duplex) => void) | null;
}

const USUAL: BotScript = { replies: [], greetingMs: null, onStart: null, onOpen: null, onMedia: null, refuse: null };
const FRAME_MS = 20;
/** The bot takes the caller's turn for ended after so much silence. */
export const HEARS_END_AFTER_MS = 300;
/** µ-law of zeros. */
const SILENCE = 0xff;

/** A tone that begins and ends at full loudness. */
export function tone(milliseconds: number): Int16Array {
  return Int16Array.from(
    { length: milliseconds * 8 },
    (_, at) => 12_000 * Math.sin(at * 0.35) * (0.6 + 0.4 * Math.sin(at * 0.011)),
  );
}

/** One call to the bot. */
export class BotCall {
  readonly called: Called[] = [];
  /** Machine ms at which sound was sent. */
  readonly spoke: number[] = [];
  /** Machine ms of the last frame with sound before each answer. */
  readonly heardEnds: number[] = [];
  streamSid = '';
  isClosed = false;
  private quietSince: number | null = null;
  private answered = 0;
  private isHearing = false;

  constructor(
    readonly headers: IncomingMessage['headers'],
    readonly path: string,
    private readonly socket: Duplex,
    private readonly script: BotScript,
  ) {
    let held = Buffer.alloc(0);
    socket.on('data', (piece: Buffer) => {
      held = Buffer.concat([held, piece]);
      for (let read = readFrame(held); read !== null; read = readFrame(held)) {
        held = held.subarray(read.size);
        if (read.opcode === 1) this.take(read.text);
        if (read.opcode === 8) this.close(1_000);
      }
    });
    socket.on('close', () => (this.isClosed = true));
    socket.on('error', () => undefined);
    script.onOpen?.(this);
  }

  send(message: object): void {
    this.write(1, Buffer.from(JSON.stringify(message)));
  }

  write(opcode: number, payload: Buffer): void {
    const { length } = payload;
    const header = Buffer.alloc(10);
    header[0] = 0x80 | opcode;
    header[1] = 127;
    header.writeBigUInt64BE(BigInt(length), 2);
    if (!this.isClosed) this.socket.write(Buffer.concat([header, payload]));
  }

  raw(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  say(samples: Int16Array): void {
    this.spoke.push(machineMs());
    const payload = Buffer.from(encodeMuLaw(samples)).toString('base64');
    this.send({ event: 'media', streamSid: this.streamSid, media: { payload } });
  }

  mark(name: string): void {
    this.send({ event: 'mark', streamSid: this.streamSid, mark: { name } });
  }

  clear(): void {
    this.send({ event: 'clear', streamSid: this.streamSid });
  }

  close(code: number): void {
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    this.write(8, payload);
    this.socket.end();
  }

  drop(): void {
    this.socket.destroy();
  }

  of(event: string): Called[] {
    return this.called.filter(({ message }) => message.event === event);
  }

  /** The keys that the caller has pressed. */
  get pressed(): string {
    return this.of('dtmf')
      .map(({ message }) => message.dtmf?.digit ?? '')
      .join('');
  }

  private take(text: string): void {
    const at = machineMs();
    const message: Called['message'] = JSON.parse(text);
    this.called.push({ at, message });
    if (message.event === 'start') {
      this.streamSid = message.streamSid ?? '';
      if (this.script.greetingMs !== null) this.say(tone(this.script.greetingMs));
      this.script.onStart?.(this);
    }
    if (message.event !== 'media') return;
    const codes = Buffer.from(message.media?.payload ?? '', 'base64');
    if (this.script.onMedia === null) this.listen(codes, at);
    else this.script.onMedia(this, codes);
  }

  /** Answers when the caller has been silent, counted in frames and not by a clock. */
  private listen(codes: Buffer, at: number): void {
    const isLoud = codes.some((code) => Math.abs((code & 0x7f) - (SILENCE & 0x7f)) > 16);
    if (isLoud) {
      this.isHearing = true;
      this.quietSince = at;
      return;
    }
    if (!this.isHearing || this.quietSince === null || at - this.quietSince < HEARS_END_AFTER_MS) return;
    this.isHearing = false;
    const reply = this.script.replies[this.answered];
    this.answered += 1;
    if (reply === undefined) return;
    this.heardEnds.push(this.quietSince);
    const due = this.quietSince + reply.delayMs;
    setTimeout(() => this.say(tone(reply.soundMs)), Math.max(0, due - machineMs()));
  }
}

/** A server that takes calls as bots for Twilio Media Streams do, on loopback. */
export class MediaStreamBot {
  readonly calls: BotCall[] = [];
  private readonly sockets: Duplex[] = [];

  private constructor(private readonly server: Server) {}

  static async start(script: Partial<BotScript> = {}): Promise<MediaStreamBot> {
    const server = createServer((_request, response) => response.writeHead(426).end('Upgrade required'));
    const bot = new MediaStreamBot(server);
    const whole = { ...USUAL, ...script };
    server.on('upgrade', (request, socket) => {
      bot.sockets.push(socket.on('error', () => undefined));
      if (whole.refuse !== null) return whole.refuse(socket);
      const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
      const accept = createHash('sha1').update(key).digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
      );
      bot.calls.push(new BotCall(request.headers, request.url ?? '', socket, whole));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return bot;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}/media?clinic=north`;
  }

  get port(): number {
    const address: AddressInfo | string | null = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** The newest call. */
  get call(): BotCall {
    const call = this.calls.at(-1);
    if (call === undefined) throw new Error('Nobody has called.');
    return call;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

interface Frame {
  readonly size: number;
  readonly opcode: number;
  readonly text: string;
}

/** A client's frame: whole, masked. Null: it has not come to its end. */
function readFrame(bytes: Buffer): Frame | null {
  if (bytes.length < 6) return null;
  const short = (bytes[1] ?? 0) & 0x7f;
  const extended = short < 126 ? 0 : short === 126 ? 2 : 8;
  if (bytes.length < 6 + extended) return null;
  const length = extended === 0 ? short : extended === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const size = 6 + extended + length;
  if (bytes.length < size) return null;
  const mask = bytes.subarray(2 + extended, 6 + extended);
  const payload = Buffer.from(bytes.subarray(6 + extended, size).map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  return { size, opcode: (bytes[0] ?? 0) & 0x0f, text: payload.toString('utf8') };
}

export const HEARD_FRAME_MS = FRAME_MS;
