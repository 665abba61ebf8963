import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { sendJson } from './http-stub';

const DIAL_PATH = '/twirp/livekit.SIP/CreateSIPParticipant';

export interface Dialed {
  /** The token, without its scheme. */
  readonly token: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a LiveKit server with a SIP service answers to a number that is dialed: a status of HTTP and its JSON. */
export type Dialing = (dialed: Dialed) => Promise<readonly [status: number, json: unknown]>;

/** A LiveKit server that has a SIP service: everything but dialing goes on to a real one, which has none. */
export class SipFront {
  readonly dialed: Dialed[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((request, response) => void this.answer(request, response));

  private constructor(
    private readonly port: number,
    private readonly dialing: Dialing,
  ) {
    this.server.on('connection', (socket) => this.keep(socket));
    this.server.on('upgrade', (request: IncomingMessage, socket: Socket) => this.passOn(request, socket));
  }

  /** @param port of the real server, on loopback */
  static async start(port: number, dialing: Dialing): Promise<SipFront> {
    const front = new SipFront(port, dialing);
    front.server.listen(0, '127.0.0.1');
    await once(front.server, 'listening');
    return front;
  }

  /** What clients join at. */
  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('The front has no port.');
    return `ws://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks);
    if (request.url === DIAL_PATH) {
      const token = (request.headers.authorization ?? '').replace('Bearer ', '');
      const dialed = { token, body: JSON.parse(body.toString()) };
      this.dialed.push(dialed);
      sendJson(response, ...(await this.dialing(dialed)));
      return;
    }
    const { method, url: path, headers } = request;
    const onward = send({ host: '127.0.0.1', port: this.port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    onward.end(body);
  }

  private passOn({ method, url, rawHeaders }: IncomingMessage, socket: Socket): void {
    const onward = connect(this.port, '127.0.0.1');
    this.keep(onward);
    const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1] ?? ''}`] : []));
    onward.write(`${[`${method ?? 'GET'} ${url ?? '/'} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`);
    socket.pipe(onward).pipe(socket);
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.sockets.delete(socket));
  }
}
