import { CHECK_KINDS, checkWords, isLimit, readCheck, type Check } from '../../src/domain/check';

describe('a check in words', () => {
  it.each<[Check, string]>([
    [{ kind: 'contains', texts: ['999'] }, 'a reply contains “999”'],
    [{ kind: 'contains', texts: [] }, 'a reply contains '],
    [{ kind: 'contains', texts: ['a', 'b', 'c'], need: 'any' }, 'a reply contains “a”, “b” or “c”'],
    [{ kind: 'contains', texts: ['a', 'b', 'c'], need: 'all' }, 'a reply contains “a”, “b” and “c”'],
    [{ kind: 'contains', texts: ['a'], whole_words: true }, 'a reply contains “a” (whole words)'],
    [{ kind: 'contains', texts: ['a'], case_sensitive: true }, 'a reply contains “a” (capitals count)'],
    [
      { kind: 'contains', texts: ['a'], whole_words: true, case_sensitive: true, turn: 'every' },
      'every reply contains “a” (whole words, capitals count)',
    ],
    [{ kind: 'contains', texts: ['a'], whole_words: false, case_sensitive: false }, 'a reply contains “a”'],
    [{ kind: 'regex', pattern: 'a+', turn: 'last' }, 'the last reply matches /a+/'],
    [{ kind: 'regex', pattern: 'a+', flags: 'is', turn: 2 }, 'the reply in turn 2 matches /a+/is'],
    [{ kind: 'json_schema', schema: {}, turn: 'any' }, 'a reply is JSON that fits a schema'],
    [{ kind: 'tool_call', name: 'book' }, 'the agent calls book'],
    [{ kind: 'tool_call', name: 'book', turn: 'any' }, 'the agent calls book'],
    [{ kind: 'tool_call', name: 'book', times: 1, turn: 'last' }, 'the agent calls book once for the last reply'],
    [{ kind: 'tool_call', name: 'book', times: 0, turn: 3 }, 'the agent calls book 0 times for the reply in turn 3'],
    [{ kind: 'tool_call', name: 'book', arguments: {} }, 'the agent calls book'],
    [
      { kind: 'tool_call', name: 'book', arguments: { contains: ['a', 'b'] } },
      'the agent calls book, whose arguments contain “a”, “b”',
    ],
    [
      { kind: 'tool_call', name: 'book', arguments: { contains: [], json_schema: {} } },
      'the agent calls book, whose arguments fit a schema',
    ],
    [
      { kind: 'tool_call', name: 'book', arguments: { contains: ['a'], json_schema: {} } },
      'the agent calls book, whose arguments contain “a” and fit a schema',
    ],
    [{ kind: 'latency_ms', max: 900 }, 'every reply within 900 ms'],
    [{ kind: 'latency_ms', max: 900, percentile: 95 }, '95 % of the replies within 900 ms'],
    [{ kind: 'tokens', max: 5 }, 'at most 5 tokens in the conversation'],
    [{ kind: 'cost_usd', max: 0.5 }, 'at most $0.5 for the conversation'],
  ])('%j', (check, words) => {
    expect(checkWords(check)).toBe(words);
  });

  it('has no more than 200 characters of a text', () => {
    expect(checkWords({ kind: 'regex', pattern: 'a'.repeat(200) })).toContain('a'.repeat(200));
    expect(checkWords({ kind: 'regex', pattern: 'a'.repeat(201) })).toMatch(/\/a{1,199} … \(the rest is cut\)\/$/);
  });
});

it('what limits time, tokens or money is a limit, and nothing else', () => {
  expect(CHECK_KINDS.filter((kind) => isLimit({ kind }))).toEqual(['latency_ms', 'tokens', 'cost_usd']);
});

it('a stored check of a kind that is not known is none', () => {
  expect(readCheck({ kind: 'tokens', max: 5 })).toEqual({ kind: 'tokens', max: 5 });
  expect(readCheck({ kind: 'mood', max: 5 })).toBeNull();
  expect(readCheck(undefined)).toBeNull();
});
