import { assertPattern, assertSubject, SubjectMap } from '../../../src/engine/bus/subject-map';

/** What is matched with each of these patterns in the map, under its own name. */
function mapOf(...patterns: string[]) {
  const map = new SubjectMap<string>();
  const removals = new Map(patterns.map((pattern) => [pattern, map.add(pattern, pattern)]));
  return {
    match: (subject: string) => map.match(subject).sort(),
    remove: (pattern: string) => removals.get(pattern)?.(),
  };
}

describe('values by the pattern of a subject', () => {
  it.each([
    ['a.b', ['a.b']],
    ['a.*', ['a.b', 'a.c']],
    ['*.b', ['a.b']],
    ['*.*', ['a.b', 'a.c']],
    ['*', ['a']],
    ['a.>', ['a.b', 'a.c', 'a.b.c']],
    ['a.*.c', ['a.b.c']],
    ['*.b.>', ['a.b.c']],
    ['>', ['a', 'a.b', 'a.c', 'a.b.c']],
  ])('%s covers %j', (pattern, covered) => {
    const { match } = mapOf(pattern);
    expect(['a', 'a.b', 'a.c', 'a.b.c'].filter((subject) => match(subject).length > 0)).toEqual(covered);
  });

  it('has each of several patterns that cover a subject', () => {
    const { match } = mapOf('a.b', 'a.*', '>', '*.b', 'b.b', 'a.b.>');
    expect(match('a.b')).toEqual(['*.b', '>', 'a.*', 'a.b']);
  });

  it.each([
    [['a.b', 'a.*'], 'a.b'],
    [['*.x', '*.>'], '*.x'],
    [['*.>', '*.x'], '*.>'],
    [['*', '*.x'], '*'],
    [['*.x', '*'], '*.x'],
    [['*.x.y', '*.x.z'], '*.x.y'],
    [['*.x.y', '*.x'], '*.x.y'],
    [['*.x', '*.x.y'], '*.x'],
    [['a.>', '>'], 'a.>'],
  ])('of %j keeps the others when %s is removed, also twice', (patterns, removed) => {
    const { match, remove } = mapOf(...patterns);
    const subjects = ['a', 'a.b', 'a.x', 'a.x.y', 'a.x.z'];
    const before = subjects.map(match);
    remove(removed);
    remove(removed);
    expect(subjects.map(match)).toEqual(before.map((found) => found.filter((pattern) => pattern !== removed)));
  });

  it('keeps one value of an exact subject when another is removed, and takes a new one when none is left', () => {
    const map = new SubjectMap<number>();
    const removals = [map.add('a', 1), map.add('a', 2)];
    removals[0]?.();
    expect(map.match('a')).toEqual([2]);
    removals[1]?.();
    map.add('a', 3);
    removals[1]?.();
    expect(map.match('a')).toEqual([3]);
  });
});

it.each(['', 'a b', '.a', 'a.', 'a..b', 'a.*', '>', 'a.>', 'a*'])('%j is no subject to publish on', (subject) => {
  expect(() => assertSubject(subject)).toThrow(`Not a subject to publish on: ${subject}`);
});

it.each(['', 'a b', '.a', 'a.', 'a..b', '>.a', 'a.>.b', 'a*', 'a>', '**'])('%j is no pattern', (pattern) => {
  expect(() => assertPattern(pattern)).toThrow(`Not a subject pattern: ${pattern}`);
  expect(() => new SubjectMap().add(pattern, 1)).toThrow('Not a subject pattern');
});

it.each(['a', 'ab.c-d.9', 'a.b.c.d'])('%s is a subject and a pattern', (subject) => {
  expect(() => assertSubject(subject)).not.toThrow();
  expect(() => assertPattern(subject)).not.toThrow();
});
