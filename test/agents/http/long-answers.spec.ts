import { AnswerPath } from '../../../src/agents/http/answer-path';
import { PathBudget } from '../../../src/agents/http/path-budget';
import { superlinearGrowth } from '../../fuzz/growth';

// In a file of its own: instrumented code, as `npm run mutation` makes it, takes half a minute.

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
