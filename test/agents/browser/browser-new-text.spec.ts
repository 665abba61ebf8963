import fc from 'fast-check';
import {
  addedTexts,
  isPlaceholder,
  newMessages,
  replyInLines,
  linesOf,
  MAX_LINES,
  countMessage,
  isMessage,
  linesAfterMessage,
} from '../../../src/agents/browser/page-reader';

describe('what came to a page', () => {
  it.each([
    ['at its end', ['a', 'b'], ['a', 'b', 'c'], ['c']],
    ['above what always stands at the end', ['a', 'footer'], ['a', 'b', 'c', 'footer'], ['b', 'c']],
    ['though it was said before', ['a', 'yes', 'footer'], ['a', 'yes', 'b', 'yes', 'footer'], ['b', 'yes']],
    ['beside a counter that changed', ['1 message', 'a'], ['3 messages', 'a', 'b', 'c'], ['3 messages', 'b', 'c']],
    ['while old lines went', ['a', 'b', 'c', 'footer'], ['c', 'd', 'footer'], ['d']],
    ['to an empty page', [], ['a'], ['a']],
    ['not at all', ['a'], ['a'], []],
  ])('is told %s', (_name, before, after, added) => {
    expect(addedTexts(before, after)).toEqual(added);
  });

  it('is everything that was inserted, wherever and whatever it is', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const added = addedTexts(before, after);
        // What is left of the page when the new texts are taken out is a part of the old page, in order.
        expect(after.length - added.length).toBeLessThanOrEqual(before.length);
        expect(isSubsequence(added, after)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(texts, texts, (before, more) => expect(addedTexts(before, [...before, ...more])).toEqual(more)),
    );
  });

  it('is bounded in its cost', () => {
    const before = Array.from({ length: 50_000 }, (_, line) => `old ${line}`);
    const after = ['head', ...before.map((line) => `${line}!`), 'new', 'tail'];
    expect(addedTexts(['first', ...before, 'last'], after)).toContain('new');
  });
});

describe('new messages', () => {
  it.each([
    ['counted, though old ones changed', ['hi, 1 min ago'], ['hi, 2 min ago', 'there'], ['there']],
    ['at the top of a list that grows there', ['b', 'a'], ['d', 'c', 'b', 'a'], ['c', 'd']],
    ['in the one place that every reply takes', ['first'], ['second'], ['second']],
    ['when the list keeps the last ones only', ['a', 'b', 'c'], ['b', 'c', 'd'], ['d']],
  ])('are found %s', (_name, before, after, expected) => {
    expect(newMessages(before, after)).toEqual(expected);
  });
});

describe("the patient's own message", () => {
  it.each([
    ['alone in its line', ['It hurts.', 'Where?'], ['Where?']],
    ['behind a label', ['You: It hurts.', 'Where?'], ['Where?']],
    ['in several lines', ['It', 'hurts.', 'Where?'], ['Where?']],
    ['rendered', ['*It* hurts', 'Where?'], ['Where?']],
    ['repeated by the agent', ['It hurts.', 'It hurts.'], ['It hurts.']],
    ['followed by nothing', ['It hurts.'], []],
    ['not shown', ['Where?'], ['Where?']],
  ])('is left out, %s', (_name, lines, expected) => {
    expect(linesAfterMessage(lines, 'It hurts.')).toEqual(expected);
  });

  it('is counted as a whole, not as a part of other words', () => {
    expect(countMessage(['This is no emergency service.', 'No.', 'now', 'no'], 'No.')).toBe(2);
    expect(countMessage(['Since this', 'morning.'], 'Since this morning.')).toBe(1);
  });
});

describe('a page that is made to cost time', () => {
  const message = 'It has hurt since this morning. '.repeat(8);
  const normalizations = jest.spyOn(String.prototype, 'normalize');
  beforeEach(() => normalizations.mockClear());
  afterAll(() => normalizations.mockRestore());

  it('has each line worked out once, however long the message is', () => {
    const lines = Array.from({ length: 2_000 }, (_, line) => String.fromCharCode(97 + (line % 26)));
    expect(linesAfterMessage(lines, message)).toEqual(lines);
    expect(normalizations.mock.calls.length).toBeLessThanOrEqual(lines.length + 1);
    normalizations.mockClear();
    expect(countMessage(lines, message)).toBe(0);
    expect(normalizations.mock.calls.length).toBeLessThanOrEqual(lines.length + 1);
  });

  it('is searched in its last lines only, a million lines or not', () => {
    const shown = linesOf(['x\n'.repeat(1_000_000), `${message}\nWhere?\n`]);
    expect(shown).toHaveLength(MAX_LINES);
    expect(linesAfterMessage(shown, message)).toEqual(['Where?']);
    expect(normalizations.mock.calls.length).toBeLessThanOrEqual(MAX_LINES + 1);
  });

  it('is not worked out where a line is far too long to be the message, nor beyond what is searched', () => {
    const long = '\uFDFA'.repeat(100_000);
    const longer = long.repeat(10);
    expect(linesAfterMessage([long, message, longer], message)).toEqual([longer]);
    expect(isMessage(long, message)).toBe(false);
    const many = Array.from({ length: 2_000 }, () => 'y'.repeat(1_000));
    expect(linesAfterMessage([...many, message, 'Where?'], message)).toEqual(['Where?']);
    const worked = normalizations.mock.contexts.reduce((sum: number, text) => sum + String(text).length, 0);
    expect(worked).toBeLessThan(300_000);
  });

  it('cannot hide the message behind long lines, nor put it together across them', () => {
    const long = 'z'.repeat(5_000);
    expect(linesAfterMessage(['It', long, 'hurts.'], 'It hurts.')).toEqual(['It', long, 'hurts.']);
    expect(linesAfterMessage([long, 'You:', 'It hurts.', 'Where?'], 'It hurts.')).toEqual(['Where?']);
    expect(countMessage([long, 'It', 'hurts.', long], 'It hurts.')).toBe(1);
  });
});

describe("finding the patient's message", () => {
  it('finds what comparing all runs of lines finds', () => {
    const lines = fc.array(fc.constantFrom('a', 'ab', 'b.', '?', 'aab', 'x'.repeat(12), 'y'.repeat(60)), {
      maxLength: 10,
    });
    const messages = fc.array(fc.constantFrom('a', 'b', 'x'), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(lines, messages, (shown, letters) => {
        const message = letters.join('');
        const runs = shown.flatMap((_, from) =>
          shown.slice(from).map((__, more) => {
            const said = shown
              .slice(from, from + more + 1)
              .map((line) => (line === '?' ? line : line.replace('.', '')));
            return { to: from + more, said: said.join('') };
          }),
        );
        const found = runs.find(({ said }) => said.endsWith(message) && said.length - message.length <= 24);
        expect(linesAfterMessage(shown, message)).toEqual(found === undefined ? shown : shown.slice(found.to + 1));
        expect(countMessage(shown, message)).toBe(runs.filter(({ said }) => said === message).length);
      }),
    );
  });

  it('reads lines from the end, without what is empty', () => {
    expect(linesOf([' a \n\n b', '', '\n', 'c\n'])).toEqual(['a', 'b', 'c']);
  });
});

describe('a reply in lines', () => {
  it('goes without times and receipts, unless it is one', () => {
    expect(replyInLines(['10:31 AM', 'Read', 'Please rest.', 'Drink water.', '10:31'])).toBe(
      'Please rest.\nDrink water.',
    );
    expect(replyInLines(['10:30'])).toBe('10:30');
  });

  it.each(['…', '...', '•••', 'Assistant is typing…', 'Thinking', 'Ada is writing'])('is still to come: %s', (text) => {
    expect(isPlaceholder(text)).toBe(true);
    expect(replyInLines([text])).toBe('');
  });

  it.each([
    'Yes.',
    '10:30',
    'Stop typing and call an ambulance now, please.',
    'I was thinking about the pain you described.',
  ])('is one: %s', (text) => {
    expect(isPlaceholder(text)).toBe(false);
  });
});

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let found = 0;
  for (const text of whole) if (text === part[found]) found += 1;
  return found === part.length;
}
