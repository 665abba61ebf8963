import { Removal } from '../../src/agents/removal';

const KEY = 'sk-live-0123456789';

describe('A secret in a text', () => {
  it.each<[string, readonly string[], string, string]>([
    ['is removed wherever it stands', [KEY], `${KEY}: it was ${KEY}.`, '[removed]: it was [removed].'],
    ['is left where only its beginning is the same', [KEY], `sk-live-0, and ${KEY}`, 'sk-live-0, and [removed]'],
    ['is removed where the text ends in its midst', [KEY], 'It was sk-live-012', 'It was [removed]'],
    ['is removed as the beginning of a text that ends at once', [KEY], 'sk-live-', '[removed]'],
    ['is left where less than that is there', [KEY], 'sk-live', 'sk-live'],
    ['is removed where it begins within what resembled it', ['aaaaaaaaab'], 'aaaaaaaaaaaaab', 'aaaa[removed]'],
    ['is one placeholder where it stands several times in a row', [KEY], `It was ${KEY}${KEY}!`, 'It was [removed]!'],
    ['is one placeholder for each that stands by itself', [KEY], `${KEY} ${KEY}`, '[removed] [removed]'],
    [
      'goes whole where it contains another one',
      [KEY, `${KEY}-more`],
      `${KEY}-more ${KEY}- ok`,
      '[removed] [removed]- ok',
    ],
    ['is any of those with one beginning', ['sk-live-a', 'sk-live-b'], 'sk-live-b sk-live-c', '[removed] sk-live-c'],
    ['is taken by its letters alone', ['[a-z]+.*(x)'], '[a-z]+.*(x) abcdefgh', '[removed] abcdefgh'],
  ])('%s', (_, secrets, text, clean) => {
    const removal = new Removal(secrets);
    expect(removal.from(text)).toBe(clean);
    // Nothing is kept of a text that was read before.
    expect(removal.from(text)).toBe(clean);
  });

  it('is looked for where there is none, too', () => {
    expect(new Removal([]).from(`It was ${KEY}.`)).toBe(`It was ${KEY}.`);
  });

  it('is removed unseen from a text that was made to resemble it everywhere', () => {
    const piece = 'abcdefgh-';
    const secret = `${piece.repeat(200)}!`;
    const near = piece.repeat(4_000);
    const clean = new Removal([secret]).from(`Hello. ${near}${secret}`);
    expect(clean).not.toContain(secret);
    expect(clean.startsWith(`Hello. ${piece}`)).toBe(true);
    expect(clean).toContain('[removed]');
    // A few of the kind are no reason.
    const few = `It was not ${piece.repeat(20)}. `.repeat(3);
    expect(new Removal([secret]).from(few)).toBe(few);
  });
});
