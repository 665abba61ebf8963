import { sectionsOf } from '../../../src/examiners/tester/clinical-sections';

type Section = readonly [heading: string | null, sentences: readonly string[]];

test.each<readonly [string, string, readonly Section[]]>([
  [
    'list items have the words that introduce them',
    'Staff must:\n- ask about allergies\n- call 911 at once',
    [[null, ['Staff must ask about allergies', 'Staff must call 911 at once']]],
  ],
  [
    'a list item goes on in lines that are indented, or that begin no sentence',
    '- Ask about allergies.\n  Then about medicines.\n- Call 911\nand wait.',
    [[null, ['Ask about allergies.', 'Then about medicines.', 'Call 911 and wait.']]],
  ],
  [
    'a sentence at the margin after a finished item begins anew',
    '- Ask about allergies.\nAlways call 911.\n- Never wait.',
    [[null, ['Ask about allergies.', 'Always call 911.', 'Never wait.']]],
  ],
  [
    'the introduction of another list begins anew',
    'Nurses must:\n- ask about allergies\nDoctors must:\n- call 911',
    [[null, ['Nurses must ask about allergies', 'Doctors must call 911']]],
  ],
  [
    'lines without an empty one between them are one paragraph',
    'Always ask\nabout pain.\nNever wait.',
    [[null, ['Always ask about pain.', 'Never wait.']]],
  ],
  [
    'without headings each paragraph is a section',
    'Always ask about pain.\n\nNever wait.',
    [
      [null, ['Always ask about pain.']],
      [null, ['Never wait.']],
    ],
  ],
  [
    'below a title alone each paragraph is a section, and a label is its heading',
    '# Triage\n\nChest pain: call 911.\n\nFever: ask about it.',
    [
      ['Chest pain', ['call 911.']],
      ['Fever', ['ask about it.']],
    ],
  ],
  [
    'below several headings a label is text',
    '# Heart\n\nAlways ask.\n\nFever: call 911.\n\n# Skin\n\nNever wait.',
    [
      ['Heart', ['Always ask.', 'Fever: call 911.']],
      ['Skin', ['Never wait.']],
    ],
  ],
])('%s', (_what, text, sections) => {
  expect(sectionsOf(text).map(({ heading, sentences }) => [heading, sentences])).toEqual(sections);
});
