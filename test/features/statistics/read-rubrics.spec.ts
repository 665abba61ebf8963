import { kindsIn, SEPARATOR, wordsIn } from '../../../src/features/statistics/read-rubrics';

describe('the kinds of rubrics', () => {
  test('have the points and tags of each criterion, one rubric after the other', () => {
    const texts = ['[[5,["safety","must_pass"]],[-2,[]]]', '[]', '[[1, ["says \\"no\\""]]]'];
    expect(kindsIn(texts.join(SEPARATOR))).toEqual([
      [
        { points: 5, tags: ['safety', 'must_pass'] },
        { points: -2, tags: [] },
      ],
      [],
      [{ points: 1, tags: ['says "no"'] }],
    ]);
  });

  test('are one array where they are alike, and none of no rubric', () => {
    const [one, other, third] = kindsIn(['[[5,["a"]]]', '[[5,["b"]]]', '[[5,["a"]]]'].join(SEPARATOR));
    expect(third).toBe(one);
    expect(other).not.toBe(one);
    expect(kindsIn('')).toEqual([[]]);
  });
});

test('the words of a rubric are read as they were written, in their order', () => {
  const words = ['says "criterion": "no"', 'ends in a backslash \\', '\\"', 'über\nzwei Zeilen', ''];
  expect(wordsIn(JSON.stringify(words.map((criterion) => ({ tags: [], criterion, points: 1 }))))).toEqual(words);
  expect(wordsIn('[ {"tags": ["x"], "criterion" : "One", "points": 1}, {"points":3,"criterion":"Two"} ]')).toEqual([
    'One',
    'Two',
  ]);
});
