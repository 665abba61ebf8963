import {
  acceptOf,
  closeFrame,
  FrameFault,
  FrameReader,
  pongFrame,
  textFrame,
  type End,
  type SocketMessage,
} from '../../../src/agents/media-stream/web-socket-frames';

const MOST = 70_000;

/** A frame as a server writes it, of any kind and also one that no message is whole with. */
function raw(opcode: number, payload = '', isLast = true): Buffer {
  return Buffer.concat([Buffer.from([(isLast ? 0x80 : 0) | opcode, payload.length]), Buffer.from(payload)]);
}

function readAll(bytes: Buffer, sender: End = 'server', most = MOST): SocketMessage[] {
  return new FrameReader(most, sender).push(bytes);
}

function faultOf(bytes: Buffer, sender: End = 'server', most = MOST): string {
  try {
    readAll(bytes, sender, most);
    return '';
  } catch (error) {
    if (error instanceof FrameFault) return error.message;
    throw error;
  }
}

test('a key is answered as the standard’s own example is', () => {
  expect(acceptOf('dGhlIHNhbXBsZSBub25jZQ==')).toBe('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
});

describe('A message', () => {
  it.each([0, 1, 125, 126, 127, 65_535, 65_536, MOST])(
    'of %i bytes is read as it was written, by either end',
    (length) => {
      const text = 'é'.repeat(length / 2) + 'x'.repeat(length % 2);
      for (const sender of ['client', 'server'] as const) {
        expect(readAll(textFrame(text, sender), sender)).toEqual([{ type: 'text', text }]);
      }
    },
  );

  it('has a header as short as its length allows', () => {
    const headerOf = (length: number) => textFrame('x'.repeat(length), 'server').length - length;
    expect([125, 126, 65_535, 65_536].map(headerOf)).toEqual([2, 4, 4, 10]);
  });

  it('of a client is masked, each with a mask of its own', () => {
    const [one, other] = [textFrame('Hello, agent', 'client'), textFrame('Hello, agent', 'client')];
    expect(one.includes('Hello')).toBe(false);
    expect(one.equals(other)).toBe(false);
    expect(textFrame('Hello, agent', 'server').includes('Hello')).toBe(true);
  });

  it('is read in whichever pieces it comes', () => {
    const bytes = Buffer.concat([
      textFrame('one', 'client'),
      textFrame('x'.repeat(200), 'client'),
      pongFrame(Buffer.from('pong'), 'client'),
      closeFrame(1_001, 'client'),
    ]);
    const whole = [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'x'.repeat(200) },
      { type: 'close', code: 1_001 },
    ];
    expect(readAll(bytes, 'client')).toEqual(whole);
    const reader = new FrameReader(MOST, 'client');
    expect([...bytes].flatMap((byte) => reader.push(Buffer.from([byte])))).toEqual(whole);
    const halves = new FrameReader(MOST, 'client');
    const half = bytes.length >> 1;
    expect([...halves.push(bytes.subarray(0, half)), ...halves.push(bytes.subarray(half))]).toEqual(whole);
  });

  it('in several frames is one, with what came in between before it', () => {
    const bytes = Buffer.concat([
      raw(1, 'a', false),
      raw(9, 'p'),
      raw(0, '', false),
      raw(10),
      raw(0, 'b'),
      raw(1, 'c'),
    ]);
    expect(readAll(bytes)).toEqual([
      { type: 'ping', payload: Buffer.from('p') },
      { type: 'text', text: 'ab' },
      { type: 'text', text: 'c' },
    ]);
  });

  it('that is binary is told of and not read', () => {
    expect(readAll(Buffer.concat([raw(2, 'a', false), raw(0, 'b'), raw(1, 'c')]))).toEqual([
      { type: 'binary' },
      { type: 'text', text: 'c' },
    ]);
  });

  it('that closes may give no reason', () => {
    expect(readAll(raw(8))).toEqual([{ type: 'close', code: null }]);
    expect(readAll(raw(8, 'x'))).toEqual([{ type: 'close', code: null }]);
    expect(readAll(closeFrame(1_000, 'server'))).toEqual([{ type: 'close', code: 1_000 }]);
  });

  it.each<[string, Buffer]>([
    ['used an extension that was not offered', Buffer.from([0xc1, 0])],
    ['used an extension that was not offered', Buffer.from([0x91, 0])],
    ['masked a frame, which only clients do', textFrame('a', 'client')],
    ['began a message within another', Buffer.concat([raw(1, 'a', false), raw(1, 'b')])],
    ['began a message within another', Buffer.concat([raw(2, 'a', false), raw(2, 'b')])],
    ['continued a message that it had not begun', raw(0, 'a')],
    ['sent a frame of an unknown kind', raw(3)],
    ['sent a frame of an unknown kind', raw(11)],
  ])('is refused where the server %s', (what, bytes) => {
    expect(faultOf(bytes)).toBe(what);
  });

  it('of a client is refused without its mask', () => {
    expect(faultOf(textFrame('a', 'server'), 'client')).toBe('did not mask a frame, as clients do');
  });

  it('that is longer than is read is refused by its header, in one frame or in several', () => {
    const tooLong = 'sent a message of more than 10 bytes';
    expect(faultOf(textFrame('x'.repeat(10), 'server'), 'server', 10)).toBe('');
    expect(faultOf(textFrame('x'.repeat(11), 'server').subarray(0, 2), 'server', 10)).toBe(tooLong);
    const pieces = (last: string) => Buffer.concat([raw(1, 'x'.repeat(6), false), raw(0, last)]);
    expect(faultOf(pieces('x'.repeat(4)), 'server', 10)).toBe('');
    expect(faultOf(pieces('x'.repeat(5)), 'server', 10)).toBe(tooLong);
    // A ping between the pieces has a limit of its own.
    expect(faultOf(Buffer.concat([raw(1, 'x'.repeat(6), false), raw(9, 'x'.repeat(125))]), 'server', 10)).toBe('');
    for (const kind of [0x88, 0x89]) {
      expect(faultOf(Buffer.from([kind, 126, 0, 126]), 'server', 1_000)).toBe('sent a message of more than 1000 bytes');
    }
  });
});
