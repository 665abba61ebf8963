import { once } from 'node:events';
import { connect } from 'node:net';
import { Duplex } from 'node:stream';
import { LineServer, TakenCall, type LineAgent } from '../../../src/agents/media-stream/line-server';
import {
  closeFrame,
  FrameReader,
  textFrame,
  type SocketMessage,
} from '../../../src/agents/media-stream/web-socket-frames';

/** The caller at the other end of a socket. */
class Caller extends Duplex {
  readonly received: SocketMessage[] = [];
  readonly raw: Buffer[] = [];
  private readonly frames = new FrameReader(1_000_000, 'server');

  override _read(): void {
    // What the caller says is pushed when it says it.
  }

  override _write(piece: Buffer, _encoding: string, taken: () => void): void {
    this.raw.push(piece);
    this.received.push(...this.frames.push(piece));
    taken();
  }

  sends(message: object): void {
    this.emit('data', textFrame(JSON.stringify(message), 'client'));
  }

  get texts(): readonly unknown[] {
    return this.received.flatMap((one): unknown[] => (one.type === 'text' ? [JSON.parse(one.text)] : []));
  }
}

/** Writes down what it is told. */
class NotingAgent implements LineAgent {
  readonly told: unknown[] = [];
  started = (): void => void this.told.push('started');
  heard = (codes: Uint8Array, at: number): void => void this.told.push([[...codes], at > 0]);
  marked = (name: string): void => void this.told.push(name);
  ended = (): void => void this.told.push('ended');
}

function taken() {
  const [caller, agent] = [new Caller(), new NotingAgent()];
  const call = new TakenCall(caller);
  call.answerWith(agent);
  return { caller, agent, call };
}

const START = { event: 'start', streamSid: 'MZ1' };

describe('A call that was taken', () => {
  it('can be spoken into once its stream has begun', () => {
    const { caller, call, agent } = taken();
    call.say(new Uint8Array([1]));
    caller.sends({ event: 'connected' });
    caller.sends({ event: 'start' });
    expect([caller.received, agent.told]).toEqual([[], []]);
    caller.sends(START);
    expect(call.say(new Uint8Array([1, 2]))).toBeGreaterThan(0);
    call.mark('m');
    expect(call.clear()).toBeGreaterThan(0);
    expect(caller.texts).toEqual([
      { event: 'media', media: { payload: 'AQI=' }, streamSid: 'MZ1' },
      { event: 'mark', mark: { name: 'm' }, streamSid: 'MZ1' },
      { event: 'clear', streamSid: 'MZ1' },
    ]);
    expect(agent.told).toEqual(['started']);
  });

  it('tells what it hears, and what has been played', () => {
    const { caller, agent } = taken();
    caller.sends(START);
    caller.sends({ event: 'media', media: { payload: 'AQI=' } });
    caller.sends({ event: 'mark', mark: { name: 'm' } });
    caller.sends({ event: 'media', media: 7 });
    expect(agent.told).toEqual(['started', [[1, 2], true], 'm']);
  });

  it('answers a ping', () => {
    const { caller } = taken();
    // Masked with zeros.
    caller.emit('data', Buffer.concat([Buffer.from([0x89, 0x82, 0, 0, 0, 0]), Buffer.from('hi')]));
    expect(caller.raw).toEqual([Buffer.concat([Buffer.from([0x8a, 2]), Buffer.from('hi')])]);
  });

  it.each<[string, (caller: Caller) => void]>([
    ['stops', (caller) => caller.sends({ event: 'stop' })],
    ['closes', (caller) => caller.emit('data', closeFrame(1_000, 'client'))],
  ])('is closed in order, and told of as ended once, when the caller %s', (_, ends) => {
    const { caller, agent, call } = taken();
    caller.sends(START);
    ends(caller);
    ends(caller);
    caller.emit('close');
    call.hangUp();
    call.say(new Uint8Array([1]));
    caller.sends({ event: 'mark', mark: { name: 'm' } });
    expect(agent.told).toEqual(['started', 'ended']);
    expect(caller.received).toEqual([{ type: 'close', code: 1_000 }]);
    expect(caller.writableEnded).toBe(true);
  });

  it.each(['close', 'error'])('has ended with its connection: %s', (event) => {
    const { caller, agent } = taken();
    caller.emit(event, new Error('reset'));
    expect(agent.told).toEqual(['ended']);
  });

  it.each<[string, Buffer]>([
    ['no frame', textFrame('{}', 'server')],
    ['no JSON', textFrame('hello', 'client')],
  ])('is given up when what comes is %s', (_, bytes) => {
    const { caller } = taken();
    caller.emit('data', bytes);
    expect(caller.destroyed).toBe(true);
  });

  it('does not hide a mistake of the agent that took it', () => {
    const caller = new Caller();
    const call = new TakenCall(caller);
    const agent = new NotingAgent();
    agent.started = () => {
      throw new TypeError('mine');
    };
    call.answerWith(agent);
    expect(() => caller.sends(START)).toThrow('mine');
  });
});

describe('A server that takes calls', () => {
  it.each([
    ['something else than a socket', '', 'HTTP/1.1 426 Upgrade Required'],
    ['a socket without a key', 'connection: upgrade\r\nupgrade: websocket\r\n', 'HTTP/1.1 400 Bad Request'],
    [
      'a socket',
      'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
      'sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
    ],
  ])('answers a request for %s', async (_, headers, expected) => {
    const server = await LineServer.start(() => new NotingAgent());
    const { port, hostname, pathname } = new URL(server.url);
    expect([hostname, pathname]).toEqual(['127.0.0.1', '/media']);
    const socket = connect(Number(port), hostname);
    try {
      socket.write(`GET /media HTTP/1.1\r\nhost: a\r\n${headers}\r\n`);
      let answer = '';
      while (!answer.includes('\r\n\r\n')) answer += String((await once(socket, 'data'))[0]);
      expect(answer).toContain(expected);
    } finally {
      const closed = once(socket, 'close');
      await server.close();
      socket.destroy();
      await closed;
    }
  });
});
