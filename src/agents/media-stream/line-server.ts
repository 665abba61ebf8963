import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { z } from 'zod';
import { machineMs } from '../voice/sound-clocks';
import { acceptOf, CLOSE_NORMAL, closeFrame, FrameFault, FrameReader, pongFrame, textFrame } from './web-socket-frames';

/**
 * The other end of a line: a server on loopback that takes calls as an agent's server for Twilio Media Streams does. Agents of this
 * project's own stand behind it: the one whose delays are known, and the one of the spoken demonstration.
 */

const HOST = '127.0.0.1';
/** Callers send 20 ms of sound in a message. */
const MOST_MESSAGE_BYTES = 64 * 1024;

const Called = z.object({
  event: z.string(),
  streamSid: z.string().optional(),
  media: z.object({ payload: z.string() }).optional(),
  mark: z.object({ name: z.string() }).optional(),
});

/** What an agent behind the server is told of its call. */
export interface LineAgent {
  /** The stream has begun: it can be spoken into. */
  started(): void;
  /** @param codes µ-law, 8,000 samples a second @param at machine ms at which they came */
  heard(codes: Uint8Array, at: number): void;
  /** What was said before the mark has been played, or was cleared. */
  marked(name: string): void;
  ended(): void;
}

/** A call as the agent has it. What is sent once it has ended goes nowhere. */
export class TakenCall {
  private readonly frames = new FrameReader(MOST_MESSAGE_BYTES, 'client');
  private streamSid: string | null = null;
  private agent: LineAgent | null = null;
  private isOver = false;

  constructor(private readonly socket: Duplex) {
    socket.on('data', (piece: Buffer) => this.receive(piece));
    socket.on('error', () => this.end());
    socket.on('close', () => this.end());
  }

  answerWith(agent: LineAgent): void {
    this.agent = agent;
  }

  /** @param codes µ-law, 8,000 samples a second @returns machine ms at which they went out */
  say(codes: Uint8Array): number {
    this.send({ event: 'media', media: { payload: Buffer.from(codes).toString('base64') } });
    return machineMs();
  }

  mark(name: string): void {
    this.send({ event: 'mark', mark: { name } });
  }

  /** Nothing of what was said and has not been played is heard. @returns machine ms at which that went out */
  clear(): number {
    this.send({ event: 'clear' });
    return machineMs();
  }

  hangUp(): void {
    if (this.isOver) return;
    this.socket.end(closeFrame(CLOSE_NORMAL, 'server'));
    this.end();
  }

  private send(message: object): void {
    if (this.isOver || this.streamSid === null) return;
    this.socket.write(textFrame(JSON.stringify({ ...message, streamSid: this.streamSid }), 'server'));
  }

  private receive(piece: Buffer): void {
    const at = machineMs();
    try {
      for (const message of this.isOver ? [] : this.frames.push(piece)) {
        if (message.type === 'text') this.take(message.text, at);
        if (message.type === 'ping') this.socket.write(pongFrame(message.payload, 'server'));
        if (message.type === 'close') this.hangUp();
      }
    } catch (error) {
      if (!(error instanceof FrameFault || error instanceof SyntaxError)) throw error;
      this.socket.destroy();
    }
  }

  private take(text: string, at: number): void {
    const message = Called.safeParse(JSON.parse(text)).data;
    if (message?.event === 'start' && message.streamSid !== undefined) {
      this.streamSid = message.streamSid;
      this.agent?.started();
    }
    if (message?.media !== undefined) this.agent?.heard(Buffer.from(message.media.payload, 'base64'), at);
    if (message?.mark !== undefined) this.agent?.marked(message.mark.name);
    if (message?.event === 'stop') this.hangUp();
  }

  private end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.agent?.ended();
  }
}

/** Takes calls on a free port of loopback, each with an agent of its own. */
export class LineServer {
  private readonly sockets = new Set<Duplex>();

  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {}

  /** @param agentFor makes the agent that takes a call */
  static async start(agentFor: (call: TakenCall) => LineAgent): Promise<LineServer> {
    const server = createServer((_request, response) => response.writeHead(426).end('Upgrade to WebSocket.'));
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, HOST, resolve));
    const address: AddressInfo | string | null = server.address();
    const lines = new LineServer(server, typeof address === 'object' && address !== null ? address.port : 0);
    server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
      lines.sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => lines.sockets.delete(socket));
      const key = request.headers['sec-websocket-key'];
      if (key === undefined) return void socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${acceptOf(key)}\r\n\r\n`,
      );
      const call = new TakenCall(socket);
      call.answerWith(agentFor(call));
    });
    return lines;
  }

  get url(): string {
    return `ws://${HOST}:${this.port}/media`;
  }

  /** Ends all calls. Idempotent. */
  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
