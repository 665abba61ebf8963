import { compilePattern, LONGEST_PATTERN, patternProblem, patternSize } from '../../../src/domain/checks/pattern';

describe('the pattern of a check', () => {
  it.each([
    ['a(?=b)', /looks ahead or behind/],
    ['(?<!a)b', /looks ahead or behind/],
    [String.raw`(a)\1`, /refers back/],
    [String.raw`(?P<x>a)\k<x>`, /refers back/],
    ['a++', /possessive repetition/],
    ['(?>a)', /possessive repetition/],
    ['a(', /^is not a pattern in RE2’s syntax: (?!error parsing)/],
    ['a{900}b{900}', /repeats too much/],
    ['a'.repeat(LONGEST_PATTERN + 1), /longer than 1000 characters/],
  ])('%j has a problem', (pattern, problem) => {
    expect(patternProblem(pattern)).toMatch(problem);
    expect(patternSize(pattern)).toBe(Infinity);
  });

  it('may be as long as the bound says, and its program as large', () => {
    expect(patternProblem('[ab]?'.repeat(LONGEST_PATTERN / 5))).toBeNull();
    const sizes = Array.from({ length: 50 }, (_, more) => patternSize(`a{${951 + more}}`));
    const allowed = sizes.filter((size) => size !== Infinity);
    expect(Math.max(...allowed)).toBe(1_000);
    expect(sizes.slice(0, allowed.length)).toEqual(allowed);
  });

  it('is told of in no more than 200 characters of the library', () => {
    const told = patternProblem(`(${'a'.repeat(400)}`) ?? '';
    expect(told.length).toBeLessThanOrEqual('is not a pattern in RE2’s syntax: '.length + 200);
  });

  it.each([
    ['b+', '', 'abbc', { start: 1, end: 3 }],
    ['B', '', 'abc', null],
    ['B', 'i', 'abc', { start: 1, end: 2 }],
    ['^b', '', 'a\nb', null],
    ['^b', 'm', 'a\nb', { start: 2, end: 3 }],
    ['a.b', '', 'a\nb', null],
    ['A.B', 'is', 'a\nb', { start: 0, end: 3 }],
    ['b', 'x', 'ab', { start: 1, end: 2 }],
  ])('/%s/%s is found in %j at %j', (pattern, flags, text, place) => {
    expect(patternProblem(pattern, flags)).toBeNull();
    expect(compilePattern(pattern, flags).find(text)).toEqual(place);
  });
});
