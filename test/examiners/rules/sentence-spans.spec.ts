import fc from 'fast-check';
import { sentenceSpans } from '../../../src/examiners/rules/sentence-spans';

const sentences = (text: string): string[] => sentenceSpans(text).map(({ start, end }) => text.slice(start, end));

describe('Sentence spans', () => {
  it.each([
    ['Call 911 now. Do not drive!', ['Call 911 now.', 'Do not drive!']],
    ['Dr. Smith takes 1.5 mg, e.g. at night. Fine?', ['Dr. Smith takes 1.5 mg, e.g. at night.', 'Fine?']],
    ['**Call 911** right now. **Then** rest.', ['**Call 911** right now.', '**Then** rest.']],
    ['请打电话。好吗？', ['请打电话。', '好吗？']],
    ['Do this:\n1. Sit down\n2. Rest. Wait.\n- Breathe', ['Do this:', '1. Sit down', '2. Rest.', 'Wait.', '- Breathe']],
    ['Please call\n911 now.\nDo not\r\ndrive', ['Please call\n911 now.', 'Do not\r\ndrive']],
    ['One\n\ntwo', ['One', 'two']],
    ['```\nx = 1. Y\nz\n```\nEnd', ['x = 1. Y', 'z', 'End']],
    ['<p>Rest.</p><p>Are you <b>ill</b>?</p>', ['<p>Rest.</p>', 'Are you <b>ill</b>?</p>']],
    ['Sit down.<br>Rest<br/>Wait', ['Sit down.<br>', 'Rest<br/>', 'Wait']],
    ['<ul><li>Sit down</li><li>Rest</li></ul>', ['<li>Sit down</li>', '<li>Rest</li>']],
    ['Sit&nbsp;down.&nbsp;Rest.', ['Sit&nbsp;down.&nbsp;', 'Rest.']],
    ['Rest. <verdict>MET</verdict> Go on.', ['Rest.', '<verdict>MET</verdict> Go on.']],
    ['', []],
    [' \n\t', []],
  ])('of %j', (text, expected) => {
    expect(sentences(text)).toEqual(expected);
  });

  it('lose nothing but white space, fences and tags, whatever the text', () => {
    const pieces = fc.array(
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('. ', '\n', '- ', '! ', 'Dr. ', '**')),
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('').replaceAll(/[`~]/g, '');
        expect(sentences(text).join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
      }),
      { numRuns: 300 },
    );
  });

  it('are never too long to be quoted', () => {
    const text = `${'x'.repeat(3_500)} ${'word '.repeat(2_000)}`;
    expect(Math.max(...sentences(text).map(({ length }) => length))).toBeLessThanOrEqual(1_000);
    expect(sentences(text).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
  });
});
