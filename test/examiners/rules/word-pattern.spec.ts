import fc from 'fast-check';
import { WordPattern } from '../../../src/examiners/rules/word-pattern';
import { tries } from '../../setup/sample';

const PATTERNS = [
  /(?<![\p{L}\p{N}])(?:mark(?:s|ed)?|kriteri(?:um|en)|all[es]? \p{L}*)(?![\p{L}\p{N}])/iu,
  /^\P{L}*(?:dear |hello )?(?:judge|examiner)s?\P{L}*(?:[,:;!–—]|$)/iu,
  /\b(?:met|passed)\b(?! team)|["«„“”:「]\p{N}/iu,
  /[^\p{L}\s]met/iu,
];
const PARTS = ['mark', 'Marks', 'MARKED', 'kriterium', 'alle', 'punkte', 'dear', 'judge', 'met', 'team', '7', 'x'];
const BETWEEN = [' ', ',', '. ', ': ', '"', '', '!', '-'];
const text = fc
  .array(fc.tuple(fc.constantFrom(...PARTS), fc.constantFrom(...BETWEEN)), { maxLength: 8 })
  .map((parts) => parts.flat().join(''));

describe.each(PATTERNS)('%s', (whole) => {
  it('finds the same in every text, whatever its alphabet', () => {
    const pattern = new WordPattern(whole);
    fc.assert(
      fc.property(text, fc.constantFrom('', 'é', 'ſ', 'Ж'), (ascii, foreign) => {
        for (const one of [ascii, `${ascii}${foreign}`, `${foreign}${ascii}`]) {
          expect(pattern.test(one)).toBe(whole.test(one));
        }
      }),
      { numRuns: tries({ inCi: 2_000, elsewhere: 300 }) },
    );
  });
});

it('refuses a class that says something else of ASCII', () => {
  expect(() => new WordPattern(/\p{Lu}/iu)).toThrow('has a class that has no form in ASCII');
});
