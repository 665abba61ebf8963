import { ReadRubrics } from '../../../src/features/statistics/read-rubrics';

interface Written {
  readonly points?: number;
  readonly tags?: readonly string[];
  readonly check?: object;
}

const rubric = (words: readonly string[], { points = 2, tags = ['safety'], check }: Written = {}) =>
  words.map((criterion) => ({ criterion, points, tags, check }));

describe('the rubrics of a run', () => {
  const HOSTILE = ['says "criterion": "no"', 'ends in a backslash \\', '\\"', 'über\nzwei Zeilen', ''];

  test('have the points and tags of each criterion, and its words when they are asked for', () => {
    const rubrics = new ReadRubrics();
    rubrics.add('a', JSON.stringify(rubric(HOSTILE)));
    expect(rubrics.kinds.get('a')).toEqual(HOSTILE.map(() => ({ points: 2, tags: ['safety'] })));
    expect(rubrics.words('a')).toEqual(HOSTILE);
    expect(rubrics.kinds.get('b')).toBeUndefined();
    expect(rubrics.words('b')).toEqual([]);
  });

  test('are one array where all but the words is alike', () => {
    const rubrics = new ReadRubrics();
    rubrics.add('a', JSON.stringify(rubric(HOSTILE)));
    rubrics.add('b', JSON.stringify(rubric(HOSTILE.map((words) => `${words}, otherwise`))));
    expect(rubrics.kinds.get('b')).toBe(rubrics.kinds.get('a'));
    expect(rubrics.words('b')[0]).toBe('says "criterion": "no", otherwise');
  });

  test.each<[string, Written]>([
    ['points', { points: -2 }],
    ['tags', { tags: ['criterion'] }],
    ['tags that look like words', { tags: ['safety', '"criterion":"x"'] }],
    ['more tags', { tags: ['safety', 'history'] }],
  ])('are different ones with other %s', (_what, written) => {
    const rubrics = new ReadRubrics();
    rubrics.add('a', JSON.stringify(rubric(['Asks'])));
    rubrics.add('b', JSON.stringify(rubric(['Asks'], written)));
    const { points = 2, tags = ['safety'] } = written;
    expect(rubrics.kinds.get('a')).toEqual([{ points: 2, tags: ['safety'] }]);
    expect(rubrics.kinds.get('b')).toEqual([{ points, tags }]);
  });

  test('are read as they were written, with spaces and fields in any order', () => {
    const rubrics = new ReadRubrics();
    rubrics.add('a', '[ {"tags": ["x"], "criterion" : "One", "points": 1}, {"points":3,"criterion":"Two","tags":[]} ]');
    expect(rubrics.kinds.get('a')).toEqual([
      { points: 1, tags: ['x'] },
      { points: 3, tags: [] },
    ]);
    expect(rubrics.words('a')).toEqual(['One', 'Two']);
  });
});
