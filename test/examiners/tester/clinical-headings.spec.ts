import { sectionsOf } from '../../../src/examiners/tester/clinical-sections';

const found = (text: string) => sectionsOf(text).map(({ heading, sentences }) => [heading, ...sentences]);

/** Two sections, so that neither heading is taken for a title. */
const under = (heading: string) => found(`${heading}\n\nAlways ask about it.\n\n# Another\n\nNever wait.`)[0];

describe('a heading', () => {
  test.each([
    ['# Chest pain', 'Chest pain'],
    ['###### Chest pain ##', 'Chest pain'],
    ['Protocol 3 for chest pain', 'Protocol 3 for chest pain'],
    ['appendix b:', 'appendix b'],
    ['Protocol 3: chest pain', 'Protocol 3: chest pain'],
    ['# Issue #3', 'Issue #3'],
    ['1. Chest pain', 'Chest pain'],
    ['1.2.3 Chest pain', 'Chest pain'],
    ['12) chest pain:', 'chest pain'],
    ['3. Pain: the chest:', 'Pain: the chest'],
    ['Pain: the chest:', 'Pain: the chest'],
    ['CHEST PAIN, ADULTS', 'CHEST PAIN, ADULTS'],
    ['CHEST PAIN:', 'CHEST PAIN'],
    ['Chest pain', 'Chest pain'],
    ['Chest pain:', 'Chest pain'],
    ['2nd line', '2nd line'],
    [`${'PAIN '.repeat(17)}PAINS`, `${'PAIN '.repeat(17)}PAINS`],
    [`# ${'x'.repeat(200)}`, 'x'.repeat(200)],
  ])('is a line such as "%s"', (line, heading) => {
    expect(under(line)).toEqual([heading, 'Always ask about it.']);
  });

  test.each([
    ['a sentence', 'Chest pain hurts.'],
    ['a line that begins small', 'chest pain'],
    ['a line that begins small and goes on in capitals', 'chest Pain'],
    ['a line with one word in capitals', 'what an ECG shows'],
    ['an item of a list in capitals', '- CHEST PAIN'],
    ['a mark alone', '# #'],
    ['a rule', 'Ask about it'],
    ['a line with a comma', 'Pain, and more'],
    ['a letter with a dot', 'a. Pain'],
    ['a line of more than ninety characters', `${'PAIN '.repeat(17)}PAINED`],
    ['two words of two capitals', 'AB, CD'],
  ])('is not %s', (_what, line) => {
    expect(under(line)?.[0]).toBeNull();
  });

  test('has 200 characters at most', () => {
    expect(under(`# ${'x'.repeat(201)}`)?.[0]).toBeNull();
  });

  test('stands at the start or below an empty line, unless it is marked as one', () => {
    expect(found('Staff know this.\nChest pain\nNever wait.')).toEqual([
      [null, 'Staff know this.', 'Chest pain Never wait.'],
    ]);
    expect(found('Staff know this.\n# Pain\nAlways ask.\n# Fever\nNever wait.')).toEqual([
      [null, 'Staff know this.'],
      ['Pain', 'Always ask.'],
      ['Fever', 'Never wait.'],
    ]);
  });

  test('alone below a text is no title: it holds all that follows', () => {
    expect(found('Staff know this.\n\n# Pain\n\nAlways ask.\n\nNever wait.')).toEqual([
      [null, 'Staff know this.'],
      ['Pain', 'Always ask.', 'Never wait.'],
    ]);
  });

  test('may follow another directly', () => {
    expect(found('# Pain\nChest\nAlways ask.')).toEqual([['Chest', 'Always ask.']]);
  });
});

describe('a list', () => {
  test.each(['- ', '* ', '• ', '– ', '1. ', '2) ', 'a) '])('has items that begin with "%s"', (mark) => {
    expect(found(`Staff must:\n${mark}ask about pain\n${mark}call 911`)).toEqual([
      [null, 'Staff must ask about pain', 'Staff must call 911'],
    ]);
  });

  test('is joined to its introduction in small letters, but for words in capitals', () => {
    expect(found('Staff must:\n- Ask for an X-ray or CT\n- ECG at once')).toEqual([
      [null, 'Staff must ask for an X-ray or CT', 'Staff must ECG at once'],
    ]);
  });

  test('has no introduction of more than 120 characters, nor one that stood above another heading', () => {
    const introduction = (length: number) => `${'Staff must '.padEnd(length - 1, 'x')}:`;
    expect(found(`${introduction(120)}\n- ask`)).toEqual([[null, `${introduction(120).slice(0, -1)} ask`]]);
    expect(found(`${introduction(121)}\n- ask`)[0]).toHaveLength(3);
    expect(found('# Pain\nStaff must:\n# Fever\n- ask about it')).toEqual([['Fever', 'ask about it']]);
  });

  test('goes on in a line without a capital, and in one that is indented', () => {
    expect(found('- Ask.\nthen wait.\n- Call 911\n  Then wait.')).toEqual([
      [null, 'Ask.', 'then wait.', 'Call 911 Then wait.'],
    ]);
  });
});

describe('what follows a list', () => {
  test('is a paragraph of its own below an empty line', () => {
    expect(found('- Ask.\n\nAlways wait.')).toEqual([
      [null, 'Ask.'],
      [null, 'Always wait.'],
    ]);
  });

  test('is part of its last item where that has no end, or the line begins small', () => {
    expect(found('- Ask about pain\nAlways call.')).toEqual([[null, 'Ask about pain Always call.']]);
    expect(found('- Ask about pain, e.g. of the chest\nAlways call.')).toEqual([
      [null, 'Ask about pain, e.g. of the chest Always call.'],
    ]);
    expect(found('Staff must:\n- ask.\nthen page Dr Lee.\n- call 911')).toEqual([
      [null, 'Staff must ask.', 'then page Dr Lee.', 'Staff must call 911'],
    ]);
  });

  test('has nothing to do with the introduction of the list where it is a sentence at the margin', () => {
    expect(found('Staff must:\n- ask.\nNever wait.\n- call 911')).toEqual([
      [null, 'Staff must ask.', 'Never wait.', 'call 911'],
    ]);
  });
});

test('a label is read in a paragraph alone, and not in an item of a list', () => {
  expect(found('Staff are told this.\n\n- Fever: call 911.')).toEqual([
    [null, 'Staff are told this.', 'Fever: call 911.'],
  ]);
  expect(found('- Fever: call 911.')).toEqual([[null, 'Fever: call 911.']]);
  expect(found('Fever: call 911.\nPain: wait.')).toEqual([['Fever', 'call 911.', 'Pain: wait.']]);
});

test('a paragraph is one text, also where a line of it ends in a colon', () => {
  expect(found('Staff, who are busy,\nmust all:\n- ask about pain')).toEqual([
    [null, 'Staff, who are busy, must all ask about pain'],
  ]);
});

test('lines may end as on any system', () => {
  expect(found('Always ask\rabout pain.\r\n\r\nNever wait.')).toEqual([
    [null, 'Always ask about pain.'],
    [null, 'Never wait.'],
  ]);
});

describe('a label at the start of a paragraph', () => {
  test('is its heading, unless it states a rule', () => {
    expect(found('Fever: call 911.\n\nPain: wait.')).toEqual([
      ['Fever', 'call 911.'],
      ['Pain', 'wait.'],
    ]);
    expect(found('Always ask: is it new?')).toEqual([[null, 'Always ask: is it new?']]);
  });

  test('begins a section even where that above it says nothing yet', () => {
    expect(found('# Rules\n\nFever: call 911.')).toEqual([['Fever', 'call 911.']]);
    expect(found('# Rules\n\nAlways ask.')).toEqual([['Rules', 'Always ask.']]);
  });
});
