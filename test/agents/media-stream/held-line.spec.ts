import { Duplex } from 'node:stream';
import { encodeMuLaw } from '../../../src/domain/sound';
import { HeldLine } from '../../../src/agents/media-stream/held-line';
import { LineServer } from '../../../src/agents/media-stream/line-server';
import type { LineEvent, LinePlan } from '../../../src/agents/media-stream/line-wire';
import {
  closeFrame,
  FrameReader,
  textFrame,
  type SocketMessage,
} from '../../../src/agents/media-stream/web-socket-frames';
import { SPOKEN_RATE } from '../../../src/agents/voice/sound-clocks';
import { sendJson, startHttpStub } from '../../fakes/http-stub';
import { eventually } from '../../setup/eventually';

const IDS = { streamSid: 'MZ1', callSid: 'CA1', accountSid: 'AC0' };

function planFor(origin: string): LinePlan {
  const addresses = ['127.0.0.1'];
  return { origin, path: '/media', headers: {}, addresses, through: null, ids: IDS, customParameters: { clinic: 'a' } };
}

/** The agent's server at the other end of a socket. */
class Server extends Duplex {
  readonly received: SocketMessage[] = [];
  private readonly frames = new FrameReader(1_000_000, 'client');

  /** @param reads false: what is sent is never taken */
  constructor(private readonly reads = true) {
    super();
  }

  override _read(): void {
    // What the server says is pushed when it says it.
  }

  override _write(piece: Buffer, _encoding: string, taken: () => void): void {
    if (!this.reads) return;
    this.received.push(...this.frames.push(piece));
    taken();
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  sends(message: object): void {
    this.push(textFrame(JSON.stringify({ streamSid: IDS.streamSid, ...message }), 'server'));
  }

  says(codes: Uint8Array): void {
    this.sends({ event: 'media', media: { payload: Buffer.from(codes).toString('base64') } });
  }

  /** What was sent to it of one kind. */
  got(event: string): Record<string, unknown>[] {
    const messages = this.received.flatMap((one): Record<string, unknown>[] =>
      one.type === 'text' ? [JSON.parse(one.text)] : [],
    );
    return messages.filter((message) => message['event'] === event);
  }
}

/** A frame of it. */
const SILENCE = Buffer.alloc(160, 0xff).toString('base64');
const loud = (milliseconds: number) => encodeMuLaw(new Int16Array(milliseconds * 8).fill(8_000));
const words = (milliseconds: number) => ({
  type: 'say' as const,
  utterance: 1,
  samples: new Int16Array((milliseconds * SPOKEN_RATE) / 1_000).fill(8_000),
  keys: [],
  interjection: null,
});

const held: HeldLine[] = [];
const servers: Server[] = [];

function lineTo(origin = 'http://127.0.0.1:9'): { readonly line: HeldLine; readonly events: LineEvent[] } {
  const events: LineEvent[] = [];
  const line = new HeldLine(planFor(origin), (event) => events.push(event));
  held.push(line);
  return { line, events };
}

function call(reads = true) {
  const { line, events } = lineTo();
  const server = new Server(reads);
  servers.push(server);
  line.take(server);
  const of = <Type extends LineEvent['type']>(type: Type) =>
    events.filter((event): event is Extract<LineEvent, { readonly type: Type }> => event.type === type);
  return { line, server, events, of };
}

afterEach(async () => {
  await Promise.all(held.splice(0).map((line) => line.hangUp()));
  for (const server of servers.splice(0)) server.destroy();
});

describe('A line that was taken up', () => {
  it('begins as the vendor’s streams do, and then carries sound, a frame at a time, without a gap', async () => {
    const { server, of } = call();
    expect(of('connected')).toHaveLength(1);
    expect(server.got('connected')).toHaveLength(1);
    expect(server.got('start')).toMatchObject([{ start: { callSid: 'CA1', customParameters: { clinic: 'a' } } }]);
    await eventually(() => expect(server.got('media').length).toBeGreaterThan(4));
    const media = server.got('media').map((message) => message['media']);
    expect(media.slice(0, 3)).toMatchObject([{ timestamp: '0' }, { timestamp: '20' }, { timestamp: '40' }]);
    expect(media[0]).toMatchObject({ payload: SILENCE });
  });

  it('says what it is to say, and tells of each key when its tone ends', async () => {
    const { line, server, of } = call();
    line.carryOut({ ...words(100), keys: [{ key: '5', afterMs: 60 }] });
    await eventually(() => expect(of('said')).toHaveLength(1));
    const [said] = of('said');
    expect(said).toMatchObject({ utterance: 1, isWhole: true });
    expect(Math.round((said?.to ?? 0) - (said?.from ?? 0))).toBe(100);
    expect(server.got('dtmf')).toMatchObject([{ dtmf: { digit: '5' } }]);
    const spoken = server.got('media').filter(({ media }) => !JSON.stringify(media).includes(SILENCE));
    expect(spoken).toHaveLength(5);
  });

  it('falls silent in the middle of it when it is told to', async () => {
    const { line, of, server } = call();
    line.carryOut(words(60_000));
    const before = server.got('media').length;
    await eventually(() => expect(server.got('media').length).toBeGreaterThan(before + 2));
    line.hush();
    await eventually(() => expect(of('said')).toMatchObject([{ isWhole: false }]));
  });

  it('tells once that the agent has a voice, and hands on its sound at the end of a turn', async () => {
    const { line, server, of } = call();
    // A voice is what is louder than what was heard before it.
    await eventually(() => expect(server.got('media').length).toBeGreaterThan(4));
    server.says(loud(200));
    server.says(loud(200));
    await eventually(() => expect(of('voiced')).toEqual([{ type: 'voiced', sender: 'agent' }]));
    await eventually(() => expect(of('voice')[0]).toMatchObject({ sender: 'agent', isSpeaking: true }));
    line.carryOut({ type: 'turnOver' });
    expect(of('sound').length).toBeGreaterThan(0);
    expect(of('sound').every(({ sender }) => sender === 'agent')).toBe(true);
    const [{ quality, echoes } = {}] = of('turnSound');
    expect({ quality, echoes }).toEqual({
      quality: { bufferMs: 0, concealedMs: 0, insertedMs: expect.any(Number) },
      echoes: [],
    });
  });

  it('answers marks when their sound has been heard, and at once when it is cleared', async () => {
    const { server, of } = call();
    server.says(loud(20));
    server.sends({ event: 'mark', mark: { name: 'heard' } });
    await eventually(() => expect(server.got('mark')).toMatchObject([{ mark: { name: 'heard' } }]));
    server.says(loud(60_000));
    server.sends({ event: 'mark', mark: { name: 'cleared' } });
    server.sends({ event: 'clear' });
    await eventually(() => expect(server.got('mark')).toMatchObject([{}, { mark: { name: 'cleared' } }]));
    expect(of('wordsCleared')).toHaveLength(1);
    server.sends({ event: 'clear' });
    server.sends({ event: 'mark', mark: { name: 'after' } });
    await eventually(() => expect(server.got('mark')).toHaveLength(3));
    expect(of('wordsCleared')).toHaveLength(1);
  });

  it('answers a ping with what it holds', async () => {
    const { server } = call();
    const answered = new Promise<Buffer>((resolve) => {
      server._write = (piece, _encoding, taken) => {
        if (piece[0] === 0x8a) resolve(piece);
        taken();
      };
    });
    server.push(Buffer.concat([Buffer.from([0x89, 4]), Buffer.from('ping')]));
    const pong = await answered;
    const mask = pong.subarray(2, 6);
    expect(
      pong
        .subarray(6)
        .map((byte, at) => byte ^ (mask[at % 4] ?? 0))
        .toString(),
    ).toBe('ping');
  });

  it('counts what has no effect by its reason, and tells that when a turn is over, once', async () => {
    const { line, server, of } = call();
    server.push(Buffer.from([0x82, 0]));
    server.sends({ event: 'speak' });
    server.sends({ event: 'speak' });
    server.sends({ event: 'mark', mark: { name: 'last' } });
    await eventually(() => expect(server.got('mark')).toHaveLength(1));
    line.carryOut({ type: 'turnOver' });
    expect(of('ignored').at(-1)).toEqual({ type: 'ignored', counts: { binary: 1, unknown_event: 2 } });
    const told = of('ignored').length;
    line.carryOut({ type: 'turnOver' });
    expect(of('ignored')).toHaveLength(told);
  });
});

describe('A line ends', () => {
  it.each<[string, (server: Server) => void, object]>([
    ['when the server closes it, by its code', (server) => server.push(closeFrame(1_001, 'server')), { code: 1_001 }],
    ['when the server closes it without one', (server) => server.push(Buffer.from([0x88, 0])), { code: null }],
  ])('%s', async (_, close, expected) => {
    const { server, of, events } = call();
    server.says(loud(20));
    close(server);
    await eventually(() => expect(of('closed')).toMatchObject([expected]));
    expect(server.received.filter(({ type }) => type === 'close')).toEqual([{ type: 'close', code: 1_000 }]);
    const told = events.length;
    server.says(loud(20));
    await eventually(() => expect(server.writableEnded).toBe(true));
    expect(events).toHaveLength(told);
  });

  it.each<[string, (server: Server) => void]>([
    ['the connection is gone', (server) => server.destroy()],
    ['the connection fails', (server) => server.destroy(new Error('reset'))],
  ])('as lost when %s', async (_, lose) => {
    const { server, of } = call();
    lose(server);
    await eventually(() => expect(of('lost')).toHaveLength(1));
  });

  it.each<[string, (server: Server) => void]>([
    ['sent a frame of an unknown kind', (server) => server.push(Buffer.from([0x83, 0]))],
    [
      'sent more than ten minutes of sound ahead of its time',
      (server) => {
        for (let minute = 0; minute < 11; minute += 1) server.says(loud(60_000));
      },
    ],
    [
      'sent more than 1,000 marks without sound between them',
      (server) => {
        server.says(loud(60_000));
        for (let at = 0; at <= 1_000; at += 1) server.sends({ event: 'mark', mark: { name: `${at}` } });
      },
    ],
  ])('as unusable when the server %s', async (what, send) => {
    const { server, of } = call();
    send(server);
    await eventually(() => expect(of('unusable')).toEqual([{ type: 'unusable', what }]));
  });

  it('as unusable when the server does not read', async () => {
    const { server, of } = call(false);
    server.says(loud(60_000));
    // What is sent to it are the answers to its own marks.
    for (let at = 0; at < 900; at += 1) server.sends({ event: 'mark', mark: { name: `${at}`.padEnd(900, '-') } });
    server.sends({ event: 'clear' });
    await eventually(() => expect(of('unusable')).toMatchObject([{ what: 'does not read what it is sent' }]));
  });

  it('by us as the vendor ends it when the caller hangs up, and only once', async () => {
    const { line, server, of, events } = call();
    await line.hangUp();
    expect(server.got('stop')).toMatchObject([{ stop: { callSid: 'CA1' } }]);
    expect(server.received.at(-1)).toEqual({ type: 'close', code: 1_000 });
    expect(server.destroyed).toBe(true);
    expect(of('left')).toHaveLength(1);
    expect(of('lost')).toHaveLength(0);
    const told = events.length;
    server.emit('data', textFrame('late', 'server'));
    expect(events).toHaveLength(told);
  });

  it('before it was taken up, too', async () => {
    const { line, events } = lineTo();
    await line.hangUp();
    expect(events).toEqual([{ type: 'left' }]);
    const late = new Server();
    line.take(late);
    expect(late.destroyed).toBe(true);
    expect(events).toHaveLength(1);
  });
});

describe('A server that is rung', () => {
  it('takes up the line, and hears what is said', async () => {
    const heard: number[] = [];
    const server = await LineServer.start(() => ({
      started: () => undefined,
      heard: (codes) => heard.push(codes.length),
      marked: () => undefined,
      ended: () => heard.push(-1),
    }));
    const { line, events } = lineTo(server.url.replace(/^ws/, 'http').replace(/\/media$/, ''));
    await line.ring();
    expect(events).toEqual([{ type: 'connected' }]);
    await eventually(() => expect(heard.slice(0, 2)).toEqual([160, 160]));
    await line.hangUp();
    await eventually(() => expect(heard.at(-1)).toBe(-1));
    await server.close();
  });

  it('and answers otherwise is told of with what it said', async () => {
    const stub = await startHttpStub((response) => sendJson(response, 401, { detail: 'no' }));
    const { line, events } = lineTo(stub.origin);
    await line.ring();
    await stub.close();
    expect(events).toMatchObject([{ type: 'refused', status: 401, text: '{"detail":"no"}' }]);
    expect(events[0]).toHaveProperty(['headers', 'content-type']);
  });

  it('and is not there is told of as one that may come back', async () => {
    const stub = await startHttpStub((response) => sendJson(response, 200, {}));
    await stub.close();
    const { line, events } = lineTo(stub.origin);
    await line.ring();
    expect(events).toMatchObject([{ type: 'unreachable', code: 'connect_failed', isPassing: true }]);
  });

  it('while the call was given up is told of no more than that', async () => {
    const stub = await startHttpStub(() => undefined);
    const { line, events } = lineTo(stub.origin);
    const ringing = line.ring();
    await stub.until(() => stub.requests.length === 1);
    await line.hangUp();
    await ringing;
    await stub.close();
    expect(events).toMatchObject([{ type: 'left' }, { type: 'unreachable', code: 'internal', isPassing: false }]);
  });
});
