import { LastEvent, isEventStream } from '../../src/agents/last-event';
import { dataIn, isStream } from '../../src/agents/stream-data';

const answer = (text: string, type?: string) => ({ status: 200, headers: { 'content-type': type }, text });
const dataOf = (text: string, type = 'text/event-stream') => dataIn(answer(text, type)).map(({ data }) => data);

it.each<[string | undefined, boolean, boolean]>([
  ['text/event-stream', true, true],
  [' Text/Event-Stream; charset=utf-8', true, true],
  ['text/event-streams', false, false],
  ['application/x-ndjson', false, true],
  ['application/jsonl; charset=utf-8', false, true],
  ['Application/stream+json', false, true],
  ['application/json', false, false],
  ['text/plain; was=text/event-stream', false, false],
  [undefined, false, false],
])('An answer of the type %s comes in events or not, or in pieces', (type, inEvents, inPieces) => {
  expect(isEventStream({ 'content-type': type })).toBe(inEvents);
  expect(isStream(answer('', type))).toBe(inPieces);
});

it('The pieces of a stream are its events, the last of which may lack its empty line', () => {
  expect(dataOf('data: a\n\nevent: x\ndata: b\ndata: c\n\n: nothing\n\ndata: d')).toEqual(['a', 'b\nc', 'd']);
  expect(dataIn(answer('event: error\ndata: a\n\n', 'text/event-stream'))).toMatchObject([
    { event: 'error', data: 'a' },
  ]);
  expect(dataOf('')).toEqual([]);
});

it('The pieces of lines are those that hold something', () => {
  expect(dataOf('{"a":1}\n \r\n{"a":2}\n', 'application/x-ndjson')).toEqual(['{"a":1}', '{"a":2}']);
});

it('A stream has no more pieces than are read', () => {
  const lines = (count: number) => dataOf('1\n'.repeat(count), 'application/x-ndjson');
  expect(lines(20_000)).toHaveLength(20_000);
  expect(() => lines(20_001)).toThrow("The agent's stream holds more than 20000 pieces, the most the harness reads");
});

describe('The end of a stream', () => {
  const seenIn = (...chunks: readonly string[]): boolean[] => {
    const last = new LastEvent();
    return chunks.map((chunk) => last.isIn(Buffer.from(chunk)) && last.wasSeen);
  };

  it.each([
    'data: [DONE]\n\n',
    'data:[DONE]\r\n\r\n',
    'data:\t[DONE]  \r\r',
    'data: a\n\ndata: [DONE]\n\n',
    'data: a\n\nevent: end\nid: 1\ndata: [DONE]\n\n',
    'data: a\r\n\r\nretry: 5\r\ndata: [DONE]\r\n\r\n',
  ])('is an event of its own: %j', (text) => {
    expect(seenIn(text)).toEqual([true]);
    expect(seenIn(...text).at(-1)).toBe(true);
  });

  it.each([
    'data: [DONE]',
    'data: [DONE]\n',
    'data: a\ndata: [DONE]\n\n',
    'data: a\n\ndata: [DONE] or not\n\n',
    'data: "[DONE]"\n\n',
    'data: a\n\nname: x\ndata: [DONE]\n\n',
    'data: a\n\nid: 1\nid: 2\nid: 3\ndata: [DONE]\n\n',
  ])('is not %j', (text) => {
    expect(seenIn(text)).toEqual([false]);
    expect(seenIn(...text).at(-1)).toBe(false);
  });

  it('stays seen', () => {
    expect(seenIn('data: a\n\n', 'data: [DONE]\n\n', 'data: b\n\n')).toEqual([false, true, true]);
    expect(new LastEvent().wasSeen).toBe(false);
  });
});
