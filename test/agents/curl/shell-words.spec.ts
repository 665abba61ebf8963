import * as fc from 'fast-check';
import { CurlLineError } from '../../../src/agents/curl/curl-line-error';
import { shellWords } from '../../../src/agents/curl/shell-words';
import { tries } from '../../setup/sample';

const words = (line: string, environment = {}): readonly string[] => shellWords(line, environment).words;

describe('the words of a line', () => {
  it.each<[string, string, string[]]>([
    ['quotes of both kinds', `curl 'a b' "c \\"d\\" $" e\\ f`, ['curl', 'a b', 'c "d" $', 'e f']],
    ['parts that touch, and an empty one', `curl a'b'"c" ''`, ['curl', 'abc', '']],
    ['a quote within single quotes', `curl 'it'\\''s'`, ['curl', "it's"]],
    ['lines that go on', "curl \\\n  -H 'a: b' \\\r\n  x", ['curl', '-H', 'a: b', 'x']],
    [
      'what browsers write',
      String.raw`curl --data-raw $'{"q":"it\'s \u00e9 \x41\n\t\101 \\ \U0001F600"}'`,
      ['curl', '--data-raw', '{"q":"it\'s é A\n\tA \\ 😀"}'],
    ],
    ['variables', 'curl "$KEY" ${KEY}x $5 \'$KEY\'', ['curl', 'abc', 'abcx', '$5', '$KEY']],
    ['an empty line before the command', '\n\n curl a', ['curl', 'a']],
    ['a line that goes on within double quotes', 'curl "a\\\nb\\c"', ['curl', 'ab\\c']],
    [
      'every escape of what browsers write',
      String.raw`curl $'\r\a\b\e\E\f\v\"\?\q\x4\u41\U41\7\U110000'`,
      ['curl', '\r\u0007\b\u001b\u001b\f\v"?\\q\u0004AA\u0007\ufffd'],
    ],
    ['the last character that there is', String.raw`curl $'\U10ffff'`, ['curl', '\u{10ffff}']],
    ['a backslash before a letter and a line break', 'curl \\a\nb', ['curl', 'a']],
    ['an empty word in quotes at the beginning', "'' a", ['', 'a']],
    ['a dollar sign before a quote within double quotes', `curl "a$'b'"`, ['curl', `a$'b'`]],
    ['a name that is no variable’s', 'curl "${}" $ a$', ['curl', '${}', '$', 'a$']],
  ])('%s', (_name, line, expected) => {
    expect(words(line, { KEY: 'abc' })).toEqual(expected);
  });

  it.each([
    ["curl 'a", "a ' without its end"],
    ['curl "a', 'a " without its end'],
    ["curl $'a", "a $' without its end"],
    ['curl "$(cat key)"', 'another command within itself'],
    ['curl `cat key`', 'another command within itself'],
    ['curl $UNSET', 'the variable UNSET, which is not set'],
  ])('refuses %s', (line, sentence) => {
    expect(() => words(line)).toThrow(new RegExp(sentence.replace(/[$"']/g, '.')));
  });

  it('ends at a pipe, a redirection and another command', () => {
    for (const end of ['| jq .', '&& rm x', '> out', '\nls', '; ls', '< in']) {
      expect(shellWords(`curl a ${end}`, {})).toMatchObject({ words: ['curl', 'a'], rest: end });
    }
  });

  it('gives back whatever was quoted, and reads anything else to an end or refuses it', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (given) => {
        const line = given.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
        expect(words(line)).toEqual(given);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...`'"\\$\`{}|&;<> \n\rxuU0aK(`) }), (line) => {
        try {
          expect(shellWords(line, { K: 'v' }).words.join('').length).toBeLessThanOrEqual(line.length * 2);
        } catch (error) {
          expect(error).toBeInstanceOf(CurlLineError);
        }
      }),
      { numRuns: tries({ inCi: 2_000, elsewhere: 300 }) },
    );
  });
});
