import { inParts } from '../../../src/examiners/tester/language-model.generator';

describe('A text that is too long for one request is cut', () => {
  it.each([
    ['at a blank line', 'aaaa bbb\n\ncc dd eee', ['aaaa bbb', 'cc dd eee']],
    ['at the end of a line where there is no blank one', 'aaaa bbb\ncc dd eee', ['aaaa bbb', 'cc dd eee']],
    ['at a space where no line ends', 'aaaa bbb cc dd eee', ['aaaa bbb cc', 'dd eee']],
    ['at a line end rather than at a blank line in its first half', 'a\n\nbb ccc\nddd ee', ['a\n\nbb ccc', 'ddd ee']],
    ['inside a word that is longer than a request', 'abcdefghijklmnop', ['abcdefghijkl', 'mnop']],
    ['beside a character of two halves', 'abcdefghijk😀mnop', ['abcdefghijk', '😀mnop']],
    ['beside the first of those characters', 'abcdefghijk\u{10000}mnop', ['abcdefghijk', '\u{10000}mnop']],
    ['beside the last of those characters', 'abcdefghijk\u{10fc00}mnop', ['abcdefghijk', '\u{10fc00}mnop']],
    ['into parts that say something', `${' '.repeat(30)}abc${' '.repeat(30)}`, ['abc']],
    ['into parts that are more than half full', 'abcdef ghijklmnop', ['abcdef ghijk', 'lmnop']],
    ['beside a character that follows all those of two halves', 'abcdefghijk\uff01mnop', ['abcdefghijk\uff01', 'mnop']],
    ['nowhere when it just fits', 'aaaa bbb ccd', ['aaaa bbb ccd']],
    ['nowhere when it fits', 'abcdefghijkl', ['abcdefghijkl']],
  ])('%s', (_where, text, parts) => {
    expect(inParts(text, 12)).toEqual(parts);
  });
});
