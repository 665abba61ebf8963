import { contextIn, HeardCalls, usageNumbers, type HeardCall } from '../../src/agents/heard-acts';
import { keptActs, MOST_CALL_BYTES, MOST_CONTEXT_BYTES } from '../../src/agents/kept-acts';
import { Secrets } from '../../src/agents/secrets/secrets';
import { actsIn, actsSummary, callText } from '../../src/domain';

function heard(...found: unknown[]): readonly HeardCall[] {
  const calls = new HeardCalls();
  for (const one of found) calls.hear(one);
  return calls.list;
}

const BOOK = { id: null, name: 'book', arguments: '{"day":1}', result: null };

describe('Tool calls of an answer', () => {
  it.each<[string, unknown, object]>([
    [
      'chat completions',
      { id: 'a', type: 'function', function: { name: 'book', arguments: '{"day":1}' } },
      { id: 'a' },
    ],
    ['Anthropic’s', { type: 'tool_use', id: 'a', name: 'book', input: { day: 1 } }, { id: 'a' }],
    ['Gemini’s', { functionCall: { name: 'book', args: { day: 1 } } }, {}],
    ['LangChain’s', { name: 'book', args: { day: 1 }, id: 'a' }, { id: 'a' }],
    ['the AI SDK’s', { toolCallId: 'a', toolName: 'book', input: { day: 1 }, output: 'ok' }, { id: 'a', result: 'ok' }],
    ['our own', { name: 'book', arguments: { day: 1 }, result: { ok: true } }, { result: '{"ok":true}' }],
  ])('are read in the shape of %s', (_, call, differs) => {
    expect(heard([call])).toEqual([{ ...BOOK, ...differs }]);
    expect(heard(call)).toEqual(heard([call]));
  });

  it('are read by their names alone', () => {
    expect(heard(['book', 'find'])).toMatchObject([{ name: 'book', arguments: null }, { name: 'find' }]);
  });

  it('join the results that come by themselves, and later words about the same call', () => {
    expect(heard([{ id: 1, name: 'book', args: {} }], [{ id: 1, output: 'done' }])).toMatchObject([
      { id: '1', result: 'done' },
    ]);
    expect(
      heard({ id: 'a', name: 'book', args: { a: 1 } }, { id: 'a', name: 'book', args: { a: 1, b: 2 } }),
    ).toMatchObject([{ arguments: '{"a":1,"b":2}' }]);
  });

  it('join the pieces of a stream, whichever call they belong to', () => {
    const piece = (index: number, text: string, more: object = {}) => ({
      index,
      ...more,
      function: { arguments: text },
    });
    const begun = (index: number, id: string) => ({ index, id, function: { name: `tool-${id}`, arguments: '' } });
    expect(
      heard([begun(0, 'a')], [piece(0, '{"x'), begun(1, 'b')], [piece(1, '[1'), piece(0, '":1}')], [piece(1, ']')]),
    ).toMatchObject([{ arguments: '{"x":1}' }, { arguments: '[1]' }]);
    // Another round of calls counts from 0 again.
    expect(heard([begun(0, 'a'), piece(0, '1')], [begun(0, 'b'), piece(0, '2')])).toMatchObject([
      { name: 'tool-a', arguments: '1' },
      { name: 'tool-b', arguments: '2' },
    ]);
  });

  it.each<[string, unknown]>([
    ['a number', [7]],
    ['an object without a name', [{ arguments: '{}' }]],
    ['a result of no call', [{ id: 'x', output: 'done' }]],
  ])('that are none are left out, which is said: %s', (_, found) => {
    const calls = new HeardCalls();
    calls.hear(found);
    expect(calls.list).toEqual([]);
    expect(calls.isCut).toBe(true);
  });
});

describe('What is kept of them', () => {
  const KEY = 'sk-canary-0123456789abcdef';
  const secrets = Secrets.of({ api_key: KEY });
  const kept = (calls: readonly HeardCall[] | null, context: readonly string[] = []) =>
    keptActs({ calls, areCallsCut: false, context, isContextCut: false }, secrets);
  const back = (calls: readonly HeardCall[] | null, context: readonly string[] = []) =>
    actsIn({ agent: kept(calls, context) });

  it('is read back as it was', () => {
    expect(back([{ ...BOOK, result: 'ok' }], ['a', 'b'])).toEqual({
      toolCalls: [{ ...BOOK, result: 'ok', truncated: false, areArgumentsCut: false }],
      context: ['a', 'b'],
      areCallsCut: false,
      isContextCut: false,
      usage: null,
    });
    expect(kept(null)).toEqual({});
    expect(actsIn(undefined)).toMatchObject({ toolCalls: null, context: [], usage: null });
    expect(back([]).toolCalls).toEqual([]);
  });

  it('is cut at so many bytes, never within a character, and says so', () => {
    const [call] = back([{ ...BOOK, arguments: '🚑'.repeat(10_000), result: 'é'.repeat(8 * 1024) }]).toolCalls ?? [];
    expect(Buffer.byteLength(call?.arguments ?? '')).toBe(MOST_CALL_BYTES);
    expect(call?.arguments?.isWellFormed()).toBe(true);
    expect(call).toMatchObject({ truncated: true, areArgumentsCut: true, result: 'é'.repeat(8 * 1024) });
    const { context, areCallsCut, isContextCut } = back(null, ['x'.repeat(MOST_CONTEXT_BYTES - 1), 'yy', 'zz']);
    expect(context.map(({ length }) => length)).toEqual([MOST_CONTEXT_BYTES - 1, 1]);
    // Cut context says nothing of calls.
    expect({ areCallsCut, isContextCut }).toEqual({ areCallsCut: false, isContextCut: true });
  });

  it('holds no secret, nor the beginning of one that the cut goes through', () => {
    // So little of it is left that no search would know it.
    const long = `${'x'.repeat(MOST_CALL_BYTES - 5)}${KEY}`;
    const all = JSON.stringify(kept([{ id: KEY, name: KEY, arguments: long, result: `a ${KEY}` }], [`b ${KEY}`]));
    expect(all).not.toContain('sk-');
    expect(all).toContain('[removed]');
  });

  it('is unharmed by what a row may hold', () => {
    const odd = { tool_calls: [{ name: 7, arguments: {}, result: [], truncated: 'yes' }], context: 'x', usage: [] };
    expect(actsIn({ agent: odd })).toMatchObject({
      toolCalls: [{ name: '', arguments: null, result: null, truncated: false }],
      context: [],
      usage: null,
    });
    expect(actsIn({ agent: { tool_calls: {} } }).toolCalls).toBeNull();
  });
});

describe('Usage', () => {
  it('is numbers by their names, and no more', () => {
    const usage = { a: 1, b: 'x', details: { c: 2, d: { e: 3 } }, list: [1] };
    expect(usageNumbers(usage)).toEqual({ a: 1, details: { c: 2 } });
    expect(usageNumbers('7')).toBeNull();
    expect(usageNumbers({})).toBeNull();
    expect(
      Object.keys(usageNumbers(Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`${at}`, at]))) ?? {}),
    ).toHaveLength(20);
  });

  it.each<[object, object]>([
    [
      { prompt_tokens: 3, completion_tokens: 4 },
      { input_tokens: 3, output_tokens: 4, total_tokens: 7, cost_usd: null },
    ],
    [
      { total_tokens: 9, cost: 0.5 },
      { input_tokens: null, total_tokens: 9, cost_usd: 0.5 },
    ],
    [
      { input_tokens: -1, output_tokens: 2 },
      { input_tokens: null, output_tokens: 2, total_tokens: null },
    ],
  ])('is read as vendors write it: %j', (usage, read) => {
    expect(actsIn({ agent: { usage } }).usage).toMatchObject(read);
    expect(actsIn({ agent: { usage_in_source: usage } }).usage).toMatchObject(read);
  });
});

it('What an agent did is counted in a line', () => {
  const nothing = { tool_calls: null, context: [], usage: null, truncated: false };
  expect(actsSummary(nothing)).toBe('');
  expect(actsSummary({ ...nothing, tool_calls: [] })).toBe('');
  expect(
    actsSummary({
      tool_calls: [1, 2],
      context: ['a'],
      usage: { total_tokens: 1204, cost_usd: 0.00213 },
      truncated: true,
    }),
  ).toBe('2 tool calls · 1 piece of context · 1,204 tokens · $0.00213 · not all is kept');
  expect(callText({ name: '', arguments: null })).toBe('a tool without a name(…)');
});

it('Context is pieces of text, and what is none as JSON', () => {
  expect(contextIn(['a', { text: 'b' }, null, ' ', 7])).toEqual({ context: ['a', '{"text":"b"}', '7'], isCut: false });
  expect(contextIn('a')).toEqual({ context: ['a'], isCut: false });
  expect(contextIn(null)).toEqual({ context: [], isCut: false });
  expect(contextIn(Array.from({ length: 300 }, () => 'a')).isCut).toBe(true);
});
