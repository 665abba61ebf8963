import { actsIn, actsSummary, callText } from '../../src/domain/agent-acts';

const usageOf = (usage: unknown) => actsIn({ agent: { usage } }).usage;
const tokens = (input: number | null, output: number | null, total: number | null, cost: number | null = null) => ({
  input_tokens: input,
  output_tokens: output,
  total_tokens: total,
  cost_usd: cost,
});

describe('what is kept of the acts of an agent', () => {
  const nothing = { toolCalls: null, context: [], areCallsCut: false, isContextCut: false, usage: null };

  it.each([undefined, {}, { agent: null }, { agent: 'x' }, { agent: [1] }, { agent: { tool_calls: 3, context: 'x' } }])(
    'is nothing in %j',
    (metadata) => {
      expect(actsIn(metadata)).toEqual(nothing);
    },
  );

  it('is each call with what it lacks, and what was cut', () => {
    const whole = { id: '1', name: 'book', arguments: '{}', result: 'done', truncated: true, arguments_cut: true };
    const agent = { tool_calls: [whole, {}], context: ['a'], tool_calls_cut: true, context_cut: true };
    expect(actsIn({ agent })).toEqual({
      toolCalls: [
        { id: '1', name: 'book', arguments: '{}', result: 'done', truncated: true, areArgumentsCut: true },
        { id: null, name: '', arguments: null, result: null, truncated: false, areArgumentsCut: false },
      ],
      context: ['a'],
      areCallsCut: true,
      isContextCut: true,
      usage: null,
    });
    expect(actsIn({ agent: { tool_calls: [] } }).toolCalls).toEqual([]);
  });

  it.each([
    [{ input_tokens: 1, output_tokens: 2 }, tokens(1, 2, 3)],
    [{ prompt_tokens: 1, completion_tokens: 2, total_tokens: 9 }, tokens(1, 2, 9)],
    [{ input_tokens: 1 }, tokens(1, null, null)],
    [{ output_tokens: 2 }, tokens(null, 2, null)],
    [{ input_tokens: 0, output_tokens: 0, cost: 0 }, tokens(0, 0, 0, 0)],
    [{ cost_usd: 1, cost: 2, total_cost: 3 }, tokens(null, null, null, 1)],
    [{ cost_usd: -1, cost: Infinity, total_cost: 3 }, tokens(null, null, null, 3)],
    [{ input_tokens: '1', output_tokens: NaN }, null],
    [{}, null],
    [[], null],
    [null, null],
    ['x', null],
  ])('is of the usage %j: %j', (usage, told) => {
    expect(usageOf(usage)).toEqual(told);
  });

  it('is the usage of the source where a run took its turn over', () => {
    expect(actsIn({ agent: { usage_in_source: { total_tokens: 4 } } }).usage).toEqual(tokens(null, null, 4));
  });
});

describe('the acts of an agent in words', () => {
  const none = { tool_calls: null, context: [], usage: null, truncated: false };

  it.each([
    [none, ''],
    [{ ...none, tool_calls: [] }, ''],
    [{ ...none, tool_calls: [1] }, '1 tool call'],
    [{ ...none, context: [1, 2] }, '2 pieces of context'],
    [{ ...none, usage: { total_tokens: 0, cost_usd: null } }, '0 tokens'],
    [{ ...none, usage: { total_tokens: null, cost_usd: 0 } }, '$0'],
    [
      { tool_calls: [1, 2], context: [1], usage: { total_tokens: 1_204, cost_usd: 0.0021004 }, truncated: true },
      '2 tool calls · 1 piece of context · 1,204 tokens · $0.0021 · not all is kept',
    ],
  ])('%j: %s', (told, words) => {
    expect(actsSummary(told)).toBe(words);
  });

  it.each([
    [{ name: 'book', arguments: '{"day":1}' }, 'book({"day":1})'],
    [{ name: 'book', arguments: '' }, 'book()'],
    [{ name: 'book', arguments: null }, 'book(…)'],
    [{ name: '', arguments: null }, 'a tool without a name(…)'],
  ])('a call %j is quoted as %s', (call, text) => {
    expect(callText(call)).toBe(text);
  });
});
