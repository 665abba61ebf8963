import { AnswerPath } from '../../../src/agents/http/answer-path';
import { PathBudget } from '../../../src/agents/http/path-budget';
import { TemplateFault } from '../../../src/agents/placeholders';

const found = (path: string, answer: unknown): unknown => AnswerPath.of(path).in(answer, new PathBudget());

describe('What the functions of a path answer', () => {
  test.each<readonly [string, unknown, unknown]>([
    ["contains('abc', 'b')", {}, true],
    ["contains(@, 'closed')", ['open', 'closed'], true],
    ["contains(@, 'clos')", ['open', 'closed'], false],
    ['contains(@, `1`)', ['1', 1], true],
    ['contains(@, `1`)', 'a1', null],
    ["contains(@, 'a')", 7, null],
    ["join(', ', @)", ['a', 'b'], 'a, b'],
    ["join('', @)", [], ''],
    ["join(', ', @)", ['a', 1], null],
    ["join(', ', @)", 'a', null],
    ['to_string(@)', { a: ['"\n', 1, null, true] }, '{"a":["\\"\\n",1,null,true]}'],
    ['to_string(@)', 'a"b', 'a"b'],
    ['length(@)', 'a😀\ud83d', 3],
    ['length(@)', ['a', 'b'], 2],
    ['length(@)', { a: 1 }, 1],
    ['length(@)', 1, null],
    ["starts_with(@, 'ab')", 'abc', true],
    ["ends_with(@, 'bc')", 'abc', true],
    ["ends_with(@, 'abcd')", 'abc', false],
    ['not_null(a, b)', { b: 1 }, 1],
    ['keys(@)', { b: 1 }, ['b']],
    ['values(@)', { b: 1 }, [1]],
    ['type(@)', 1, 'number'],
  ])('%s of %j is %j', (path, answer, expected) => {
    expect(found(path, answer)).toEqual(expected);
  });
});

describe('What an answer could multiply', () => {
  test.each([
    ['join(glue, list)', 'takes from the answer what join needs in the path itself'],
    ["join(to_string(@), ['a', 'b'])", 'takes from the answer what join needs in the path itself'],
    ['a[?contains(b, c)]', 'takes from the answer what contains needs in the path itself'],
    ["pad_left(a, `100000000`, 'b')", 'uses the function pad_left'],
    ["replace(a, '', b)", 'uses the function replace'],
    ['zip(a, a)', 'uses the function zip'],
    ['items(a)', 'uses the function items'],
    ['map(&to_string(@), a)', 'uses the function map'],
    ['sort_by(a, &b)', 'uses the function sort_by'],
    ['group_by(a, &b)', 'uses the function group_by'],
    ['find_first(a, b)', 'uses the function find_first'],
    ['split(a, b)', 'uses the function split'],
    ['{a: @, b: @, c: @}', 'uses more of JMESPath'],
    ['$.a[*].[$]', 'uses more of JMESPath'],
    ['let $a = @ in [$a, $a]', 'uses more of JMESPath'],
  ])('%s is refused: it %s', (path, sentence) => {
    expect(() => AnswerPath.of(path)).toThrow(TemplateFault);
    expect(() => AnswerPath.of(path)).toThrow(sentence);
  });

  test('records are made once, of a few fields, and only where they are asked for', () => {
    const path = 'steps[].{ name: tool, arguments: input, result: output, id: id }';
    const steps = [{ tool: 'a', input: { b: 1 }, output: null }];
    expect(AnswerPath.ofRecords(path).in({ steps }, new PathBudget())).toEqual([
      { name: 'a', arguments: { b: 1 }, result: null, id: null },
    ]);
    expect(() => AnswerPath.of(path)).toThrow('uses more of JMESPath');
    expect(() => AnswerPath.ofRecords('{a: a, b: b, c: c, d: d, e: e}')).toThrow('makes records of more than 4 fields');
    expect(() => AnswerPath.ofRecords('a.{b: b} | {c: @}')).toThrow('makes records more than once');
    expect(() => AnswerPath.ofRecords('a.{b: map(&c, d)}')).toThrow('uses the function map');
  });
});
