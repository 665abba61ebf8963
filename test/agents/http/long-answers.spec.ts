import { AnswerPath } from '../../../src/agents/http/answer-path';
import { MOST_PATH_CHARACTERS, PathBudget, PathOverrun } from '../../../src/agents/http/path-budget';
import { AnswerReader } from '../../../src/agents/http/answer-reader';
import { readHttpAgentConfig } from '../../../src/agents/http/http-agent-config';
import { MAX_REPLY_BYTES } from '../../../src/agents/reply-text';
import { Secrets } from '../../../src/agents/secrets/secrets';
import { superlinearGrowth } from '../../fuzz/growth';

// In a file of its own: instrumented code, as `npm run mutation` makes it, takes most of a minute.

const found = (path: string, answer: unknown): unknown => AnswerPath.of(path).in(answer, new PathBudget());

describe('What an answer could multiply', () => {
  test('a join that would make more than the budget is not begun', () => {
    const list = Array.from({ length: 20_000 }, () => 'a');
    const path = AnswerPath.of([1, 2].map(() => `join('${'-'.repeat(120)}', b)`).join(' && '));
    const budget = new PathBudget();
    budget.spend(MOST_PATH_CHARACTERS - 3_000_000);
    expect(() => path.in({ b: list }, budget)).toThrow(PathOverrun);
  });

  test('texts that are written as JSON again and again come to an end', () => {
    // A level of lists for each time that quotes and backslashes are doubled.
    const times = (depth: number) => Array.from({ length: depth });
    const nested = times(8).reduce<unknown>((inner) => [inner], '"'.repeat(400_000));
    const path = (depth: number) => times(depth).reduce<string>((inner) => `to_string([*].${inner})`, 'to_string(@)');
    expect(String(found(path(1), nested)).length).toBeGreaterThan(1_600_000);
    expect(() => found(path(7), nested)).toThrow(PathOverrun);
  });

  test('the budget is that of the answer, whichever path spends it', () => {
    const budget = new PathBudget();
    const path = AnswerPath.of("contains(@, 'x')");
    const times = Math.floor(MOST_PATH_CHARACTERS / 1_000_001);
    for (let count = 0; count < times; count += 1) expect(path.in('a'.repeat(1_000_000), budget)).toBe(false);
    expect(() => path.in('a'.repeat(1_000_000), budget)).toThrow(PathOverrun);
    expect(path.in('a', new PathBudget())).toBe(false);
  });
});

/** The answers are as long as their limit and an eighth of it: what a path makes of one does not grow faster. */
test.each([
  ["contains(@, '%')", (length: number) => 'a'.repeat(length)],
  ["contains(@, '%')", (length: number) => 'ab'.repeat(length / 2)],
  ["join('%', @)", (length: number) => Array.from({ length: length / 50 }, () => 'a'.repeat(47))],
  ['[*].to_string(@) | to_string(@)', (length: number) => Array.from({ length: length / 50 }, () => ['"'.repeat(22)])],
  ['length(@)', (length: number) => '😀'.repeat(length / 2)],
] as const)('%s takes time in proportion to the answer', async (path, answerOf) => {
  const needle = `${'a'.repeat(120)}b${'a'.repeat(120)}`;
  const answerPath = AnswerPath.of(path.replace('%', needle));
  const read = (text: string): unknown => {
    try {
      return answerPath.in(answerOf(text.length), new PathBudget());
    } catch (error) {
      return error;
    }
  };
  expect(await superlinearGrowth(read, (length) => 'a'.repeat(length), [131_072, 1_048_576])).toBeNull();
});

test('a reply in events is no longer than a reply may be, over all of them', async () => {
  const textOf = async (config: object, ...pieces: readonly string[]): Promise<string> => {
    const settings = readHttpAgentConfig({ url: 'http://a.example', reply_path: 'd', ...config });
    const text = pieces.map((d) => `data: ${JSON.stringify({ d })}\n\n`).join('');
    const headers = { 'content-type': 'text/event-stream' };
    return (await new AnswerReader(settings, Secrets.of({})).read({ status: 200, headers, text })).text;
  };
  const half = 'a'.repeat(MAX_REPLY_BYTES / 2);
  expect(await textOf({}, half, half)).toHaveLength(MAX_REPLY_BYTES);
  await expect(textOf({}, half, half, 'a')).rejects.toThrow('longer than');
  expect(await textOf({ stream_text: 'cumulative' }, half, half, 'a')).toBe('a');
});
