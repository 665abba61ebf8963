import fc from 'fast-check';
import { AnswerPath } from '../../../src/agents/http/answer-path';
import { MOST_PATH_CHARACTERS, PathBudget, PathOverrun } from '../../../src/agents/http/path-budget';

/** What a path makes of an answer with so many characters left; a text where it is more than that. */
function madeWith(left: number, path: string, answer: unknown): unknown {
  const budget = new PathBudget();
  budget.spend(MOST_PATH_CHARACTERS - left);
  try {
    return AnswerPath.of(path).in(answer, budget);
  } catch (error) {
    if (error instanceof PathOverrun) return 'overrun';
    throw error;
  }
}

describe('What a path makes of an answer costs', () => {
  it('at least as many characters as JSON has, whatever is written', () => {
    const answers = fc.jsonValue({ stringUnit: fc.constantFrom('a', '"', '\\', '\u0001', '\n', 'é', '😀') });
    fc.assert(
      fc.property(answers, (answer) => {
        const written = JSON.stringify(answer);
        if (typeof answer === 'string') return;
        expect(madeWith(written.length - 1, 'to_string(@)', answer)).toBe('overrun');
        // And not much more: brackets, commas and a number’s digits are reckoned at their longest.
        expect(madeWith(30 * written.length, 'to_string(@)', answer)).toBe(answer === null ? 'null' : written);
      }),
    );
  });

  it.each<[string, unknown[], number]>([
    ['plain', ['abc'], 10],
    ['quoted', ['a"\\'], 12],
    ['controlled', ['\u0001\u001f '], 20],
    ['broken', ['\ud800a'], 15],
    ['several', ['a', 'b'], 13],
    ['empty', [[], []], 9],
  ])('so much, and no less: %s', (_, answer, cost) => {
    expect(madeWith(cost, 'to_string(@)', answer)).toBe(JSON.stringify(answer));
    expect(madeWith(cost - 1, 'to_string(@)', answer)).toBe('overrun');
  });

  it.each<[string, unknown, number, unknown]>([
    ["contains(@, 'bc')", 'abcd', 6, true],
    ["contains(@, 'bc')", ['bc'], 0, true],
    ["join(', ', @)", ['a', 'bc'], 7, 'a, bc'],
    ['length(@)', 'a😀', 3, 2],
    ['length(@)', ['a'], 0, 1],
    ['to_string(@)', 'abc', 0, 'abc'],
    ["starts_with(@, 'a')", 'abc', 0, true],
  ])('%s of %j takes %i', (path, answer, cost, made) => {
    expect(madeWith(cost, path, answer)).toEqual(made);
    if (cost > 0) expect(madeWith(cost - 1, path, answer)).toBe('overrun');
  });

  it('names of fields, too', () => {
    expect(madeWith(3 + 5 + 24, 'to_string(@)', { a: 1 })).toBe('{"a":1}');
    expect(madeWith(3 + 5 + 23, 'to_string(@)', { a: 1 })).toBe('overrun');
  });

  it('nothing outside of a path', () => {
    expect(() => PathBudget.spend(Number.MAX_SAFE_INTEGER)).not.toThrow();
    const budget = new PathBudget();
    expect(budget.during(() => 'made')).toBe('made');
    expect(budget.during(() => JSON.parse('{'))).toBeUndefined();
    expect(() => PathBudget.spend(Number.MAX_SAFE_INTEGER)).not.toThrow();
  });
});

it.each([
  ['name', { name: 'a' }, 'a'],
  ['$.name', { name: 'a' }, 'a'],
  ['$name', { name: 'a' }, 'a'],
  [' name ', { name: 'a' }, 'a'],
  ['name', {}, null],
  ['name', 'text', null],
  ['@', undefined, null],
  ['length(@)', 7, null],
])('A path %s of %j leads to %j', (path, answer, found) => {
  expect(AnswerPath.of(path).in(answer, new PathBudget())).toBe(found);
});

it('A path is as long as 300 characters, and has as many as 40 steps', () => {
  expect(AnswerPath.of(` ${'a'.repeat(300)} `).text).toHaveLength(300);
  expect(() => AnswerPath.of('a'.repeat(301))).toThrow('is longer than 300 characters');
  const steps = (count: number) => Array.from({ length: count }, () => 'a').join('.');
  expect(() => AnswerPath.of(steps(60))).toThrow('has more than 40 steps');
  expect(AnswerPath.of(steps(20)).text).toBe(steps(20));
  expect(() => AnswerPath.of('a[1:][2:]')).toThrow('holds more than one slice');
  expect(AnswerPath.of('a[1:]').text).toBe('a[1:]');
  expect(() => AnswerPath.of('[a, b, c]')).toThrow('makes lists of more than 2 values');
  expect(AnswerPath.of('[a, b]').text).toBe('[a, b]');
  expect(() => AnswerPath.of('a[')).toThrow('is not a path in JMESPath, such as data.reply');
});
