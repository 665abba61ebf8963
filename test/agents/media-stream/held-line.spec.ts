import { Duplex } from 'node:stream';
import { encodeMuLaw } from '../../../src/domain/sound';
import { HeldLine, type LineClock } from '../../../src/agents/media-stream/held-line';
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
import { ManualLineClock } from '../../fakes/line-clock';
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

  /** @param reads false: what is sent is never taken @param parts false: it does not close when the line has ended */
  constructor(
    private readonly reads = true,
    private readonly parts = true,
  ) {
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
    if (!this.parts) return;
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

/** What was sent has been read. */
const arrival = () => new Promise(setImmediate);

function lineTo(origin = 'http://127.0.0.1:9', clock?: LineClock) {
  const events: LineEvent[] = [];
  const line = new HeldLine(planFor(origin), (event) => events.push(event), clock);
  held.push(line);
  return { line, events };
}

function call({ reads, parts }: { readonly reads?: boolean; readonly parts?: boolean } = {}) {
  const clock = new ManualLineClock();
  const { line, events } = lineTo(undefined, clock);
  const server = new Server(reads, parts);
  servers.push(server);
  line.take(server);
  const of = <Type extends LineEvent['type']>(type: Type) =>
    events.filter((event): event is Extract<LineEvent, { readonly type: Type }> => event.type === type);
  return { clock, line, server, events, of };
}

afterEach(async () => {
  for (const server of servers.splice(0)) server.destroy();
  await Promise.all(held.splice(0).map((line) => line.hangUp()));
});

describe('A line that was taken up', () => {
  it('begins as the vendor’s streams do, and then carries sound, a frame at a time, without a gap', () => {
    const { clock, server, of } = call();
    expect(of('connected')).toHaveLength(1);
    expect(server.got('connected')).toHaveLength(1);
    expect(server.got('start')).toMatchObject([{ start: { callSid: 'CA1', customParameters: { clinic: 'a' } } }]);
    clock.pass(19);
    expect(server.got('media')).toEqual([]);
    clock.pass(41);
    const media = server.got('media').map((message) => message['media']);
    expect(media).toMatchObject([{ timestamp: '0' }, { timestamp: '20' }, { timestamp: '40' }]);
    expect(media[0]).toMatchObject({ payload: SILENCE });
  });

  it('sends what is late at once, and the next frame at its own time', () => {
    const { clock, server } = call();
    clock.standStill(50);
    expect(server.got('media')).toHaveLength(2);
    clock.pass(9);
    expect(server.got('media')).toHaveLength(2);
    clock.pass(1);
    expect(server.got('media')).toHaveLength(3);
  });

  it.each([
    ['catches up with a pause of two seconds', 2_000, 101],
    ['goes on from now after a longer one', 2_001, 1],
  ])('%s', (_, milliseconds, frames) => {
    const { clock, server } = call();
    clock.standStill(20 + milliseconds);
    expect(server.got('media')).toHaveLength(frames);
    clock.pass(20);
    expect(server.got('media')).toHaveLength(frames + 1);
  });

  it('says what it is to say, and tells of each key when its tone ends', async () => {
    const { clock, line, server, of } = call();
    line.carryOut({ ...words(100), keys: [{ key: '5', afterMs: 60 }] });
    const from = clock.now();
    clock.pass(60);
    expect(server.got('dtmf')).toMatchObject([{ dtmf: { digit: '5' } }]);
    expect(of('said')).toEqual([]);
    clock.pass(60);
    await arrival();
    expect(of('said')).toEqual([{ type: 'said', utterance: 1, from, to: from + 100, isReliable: true, isWhole: true }]);
    const spoken = server.got('media').filter(({ media }) => !JSON.stringify(media).includes(SILENCE));
    expect(spoken).toHaveLength(5);
    expect(server.got('dtmf')).toHaveLength(1);
  });

  it('falls silent in the middle of it when it is told to', async () => {
    const { clock, line, of } = call();
    line.carryOut(words(60_000));
    clock.pass(40);
    line.hush();
    await arrival();
    expect(of('said')).toMatchObject([{ isWhole: false, to: clock.now() }]);
  });

  it('tells once that the agent has a voice, and hands on its sound at the end of a turn', async () => {
    const { clock, line, server, of } = call();
    // A voice is what is louder than what was heard before it.
    clock.pass(400);
    server.says(loud(200));
    server.says(loud(200));
    await arrival();
    expect(of('voiced')).toEqual([{ type: 'voiced', sender: 'agent' }]);
    clock.pass(200);
    expect(of('voice')).toMatchObject([{ sender: 'agent', isSpeaking: true }]);
    expect(Math.abs((of('voice')[0]?.at ?? 0) - (clock.now() - 200))).toBeLessThan(20);
    expect(of('sound')).toEqual([]);
    line.carryOut({ type: 'turnOver' });
    expect(of('sound')).toMatchObject([{ sender: 'agent', firstSample: 0, at: clock.now() - 600 }]);
    const quality = { bufferMs: 0, concealedMs: 0, insertedMs: 0 };
    expect(of('turnSound')).toEqual([{ type: 'turnSound', quality, echoes: [] }]);
  });

  it('hears by the end of a turn what came after the last frame', async () => {
    const { clock, line, server, of } = call();
    clock.pass(100);
    server.says(loud(20));
    await arrival();
    clock.pass(19);
    line.carryOut({ type: 'turnOver' });
    const heard = of('sound').reduce((sum, { samples }) => sum + samples.length, 0);
    // The filter keeps 8 ms for what comes next.
    expect(heard).toBe((119 - 8) * 16);
  });

  it('is no gap in what the agent says when the thread stood still and what came meanwhile is read after', async () => {
    const { clock, line, server, of } = call();
    clock.pass(20);
    for (let frame = 0; frame < 5; frame += 1) {
      server.says(loud(20));
      await arrival();
      clock.pass(20);
    }
    server.says(loud(20));
    await arrival();
    clock.standStill(100);
    for (let frame = 0; frame < 4; frame += 1) server.says(loud(20));
    server.sends({ event: 'mark', mark: { name: 'heard' } });
    await arrival();
    clock.haveRead();
    clock.pass(200);
    expect(server.got('mark')).toHaveLength(1);
    line.carryOut({ type: 'turnOver' });
    const [{ samples } = {}] = of('sound');
    const loudest = (samples ?? new Int16Array()).filter((sample) => Math.abs(sample) > 4_000);
    expect(loudest.length / 16).toBeCloseTo(200, -1);
    const first = samples?.findIndex((sample) => Math.abs(sample) > 4_000) ?? 0;
    const last = samples?.findLastIndex((sample) => Math.abs(sample) > 4_000) ?? 0;
    expect((last - first) / 16).toBeCloseTo(200, -1);
  });

  it('is told of no more when it ended while its thread stood still', async () => {
    const { clock, line, server, events } = call();
    clock.pass(400);
    server.says(loud(400));
    await arrival();
    clock.standStill(300);
    await line.hangUp();
    clock.haveRead();
    expect(events.map(({ type }) => type)).toEqual(['connected', 'voiced', 'left']);
  });

  it('tells nothing of a turn that goes on', () => {
    const { line, of } = call();
    line.carryOut({ type: 'turnOver' });
    line.carryOut({ type: 'turnGoesOn' });
    expect(of('turnSound')).toHaveLength(1);
  });

  it('tells by how much the times of a turn may be wrong when its thread stood still as one of them came', async () => {
    const { clock, line, of } = call();
    line.carryOut(words(100));
    clock.pass(60);
    clock.standStill(60);
    await arrival();
    line.carryOut({ type: 'turnOver' });
    expect(of('turnSound')).toMatchObject([{ quality: { insertedMs: 40 } }]);
    expect(of('said')).toMatchObject([{ isReliable: false }]);
    line.carryOut(words(20));
    clock.pass(20);
    await arrival();
    line.carryOut({ type: 'turnOver' });
    expect(of('turnSound')[1]).toMatchObject({ quality: { insertedMs: 0 } });
  });

  it('answers marks when their sound has been heard, and at once when it is cleared', async () => {
    const { clock, server, of } = call();
    server.says(loud(20));
    server.sends({ event: 'mark', mark: { name: 'heard' } });
    await arrival();
    expect(server.got('mark')).toEqual([]);
    clock.pass(20);
    expect(server.got('mark')).toMatchObject([{ mark: { name: 'heard' } }]);
    server.says(loud(60_000));
    server.sends({ event: 'mark', mark: { name: 'cleared' } });
    await arrival();
    expect(server.got('mark')).toHaveLength(1);
    server.sends({ event: 'clear' });
    await arrival();
    expect(server.got('mark')).toMatchObject([{}, { mark: { name: 'cleared' } }]);
    expect(of('wordsCleared')).toHaveLength(1);
    server.sends({ event: 'clear' });
    server.sends({ event: 'mark', mark: { name: 'after' } });
    await arrival();
    clock.pass(20);
    expect(server.got('mark')).toHaveLength(3);
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
    await arrival();
    expect(of('ignored')).toEqual([]);
    line.carryOut({ type: 'turnOver' });
    expect(of('ignored')).toEqual([{ type: 'ignored', counts: { binary: 1, unknown_event: 2 } }]);
    line.carryOut({ type: 'turnOver' });
    expect(of('ignored')).toHaveLength(1);
  });

  it('tells what had no effect once a second while a turn lasts, and nothing where there is no news', async () => {
    const { clock, server, of } = call();
    clock.pass(500);
    server.sends({ event: 'speak' });
    await arrival();
    clock.pass(400);
    expect(of('ignored')).toEqual([]);
    clock.pass(100);
    expect(of('ignored')).toEqual([{ type: 'ignored', counts: { unknown_event: 1 } }]);
    clock.pass(2_000);
    expect(of('ignored')).toHaveLength(1);
    server.sends({ event: 'speak' });
    await arrival();
    clock.pass(1_000);
    expect(of('ignored')[1]).toEqual({ type: 'ignored', counts: { unknown_event: 2 } });
  });
});

describe('A line ends', () => {
  it.each<[string, (server: Server) => void, object]>([
    ['when the server closes it, by its code', (server) => server.push(closeFrame(1_001, 'server')), { code: 1_001 }],
    ['when the server closes it without one', (server) => server.push(Buffer.from([0x88, 0])), { code: null }],
  ])('%s', async (_, close, expected) => {
    const { clock, server, of, events } = call();
    clock.pass(400);
    server.says(loud(400));
    await arrival();
    clock.pass(199);
    close(server);
    await arrival();
    expect(of('closed')).toMatchObject([expected]);
    expect(server.received.filter(({ type }) => type === 'close')).toEqual([{ type: 'close', code: 1_000 }]);
    // All that was heard until then is handed on, and whoever spoke has ended.
    expect(of('sound').reduce((sum, { samples }) => sum + samples.length, 0)).toBe((599 - 8) * 16);
    expect(of('voice')).toMatchObject([{ isSpeaking: true }, { isSpeaking: false }]);
    expect(events.at(-1)).toMatchObject({ type: 'closed' });
    const told = events.length;
    const sent = server.received.length;
    server.emit('data', textFrame(JSON.stringify({ event: 'clear', streamSid: IDS.streamSid }), 'server'));
    clock.pass(1_000);
    expect(server.writableEnded).toBe(true);
    expect(events).toHaveLength(told);
    expect(server.received).toHaveLength(sent);
  });

  it.each<[string, (server: Server) => void]>([
    ['the connection is gone', (server) => server.destroy()],
    ['the connection fails', (server) => server.destroy(new Error('reset'))],
  ])('as lost when %s', async (_, lose) => {
    const { server, of } = call();
    lose(server);
    await arrival();
    expect(of('lost')).toHaveLength(1);
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
    const { server, of } = call({ reads: false });
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

  it('by us with what had no effect until then, and says no more', async () => {
    const { clock, line, server, events } = call();
    line.carryOut(words(1_000));
    server.sends({ event: 'speak' });
    await arrival();
    clock.pass(100);
    await line.hangUp();
    clock.pass(2_000);
    await arrival();
    expect(events.slice(1)).toEqual([{ type: 'ignored', counts: { unknown_event: 1 } }, { type: 'left' }]);
    expect(server.got('media')).toHaveLength(5);
  });

  it('by us after a server had its time to read that, when it does not part', async () => {
    const { clock, line, server, of } = call({ parts: false });
    const leaving = line.hangUp();
    clock.pass(299);
    await arrival();
    expect([server.destroyed, of('left').length]).toEqual([false, 0]);
    clock.pass(1);
    await leaving;
    expect([server.destroyed, of('left').length]).toEqual([true, 1]);
  });

  it('by the server, which has its time to read that, too', async () => {
    const { clock, server } = call({ parts: false });
    server.push(closeFrame(1_000, 'server'));
    await arrival();
    clock.pass(299);
    expect([server.writableEnded, server.destroyed]).toEqual([true, false]);
    clock.pass(1);
    expect(server.destroyed).toBe(true);
  });

  it('only once: one that the server has closed is merely left', async () => {
    const { line, server, events } = call();
    server.push(closeFrame(1_000, 'server'));
    await arrival();
    const told = events.length;
    const sent = server.received.length;
    await line.hangUp();
    expect(events.slice(told)).toEqual([{ type: 'left' }]);
    expect(server.received).toHaveLength(sent);
  });

  it('before it was taken up, too', async () => {
    const { line, events } = lineTo();
    await line.hangUp();
    expect(events).toEqual([{ type: 'left' }]);
    const late = new Server();
    line.take(late);
    expect(late.destroyed).toBe(true);
    late.emit('error', new Error('reset'));
    expect(late.received).toEqual([]);
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
