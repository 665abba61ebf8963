import { editDistance } from '../../src/domain/edit-distance';

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['abc', 'abc', 0],
  ['kitten', 'sitting', 3],
  ['sitting', 'kitten', 3],
  ['flaw', 'lawn', 2],
  ['ab', 'ba', 2],
  ['a😀c', 'ac', 1],
  ['aaaa', 'a', 3],
])('%j is made of %j by %d changes of one character', (one, other, distance) => {
  expect(editDistance(one, other)).toBe(distance);
});
