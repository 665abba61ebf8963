import { formsInTurns, formsOf, shortFormOf } from '../../../src/agents/secrets/secret-forms';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('The forms of a secret', () => {
  it('are the value with and without its scheme, and as others write it', () => {
    const forms = formsOf(' Bearer a/"b c&d<e>\'f ');
    expect(forms).toEqual(
      expect.arrayContaining([
        'Bearer a/"b c&d<e>\'f',
        'a/"b c&d<e>\'f',
        'a/\\"b c&d<e>\'f',
        'a/\\\\\\"b c&d<e>\'f',
        'a\\/"b c&d<e>\'f',
        "a%2F%22b%20c%26d%3Ce%3E'f",
        "a%2f%22b%20c%26d%3ce%3e'f",
        "a%2F%22b+c%26d%3Ce%3E'f",
        'a/&quot;b c&amp;d&lt;e&gt;&#39;f',
        base64('a/"b c&d<e>\'f').slice(0, 16),
      ]),
    );
    expect(new Set(forms).size).toBe(forms.length);
  });

  it.each(['Bearer', 'basic', 'TOKEN', 'ApiKey'])('are without the scheme %s', (scheme) => {
    expect(formsOf(`${scheme}  abcd1234-x`)).toContain('abcd1234-x');
  });

  it('of a plain word are only those that no sentence holds', () => {
    for (const word of ['optional', 'Optional', 'OPTIONAL']) {
      const forms = formsOf(word);
      expect(forms).toContain(`Bearer ${word}`);
      expect(forms).not.toContain(word);
      expect(forms).toContain(base64(`${word} `).slice(0, 8));
    }
    expect(formsOf('Optionally12')).toContain('Optionally12');
    expect(formsOf('OptionallyThisIsLong')).toContain('OptionallyThisIsLong');
  });

  it('of a short value are those, too, in Base64 from eight characters on', () => {
    expect(formsOf('a1b2c3')).toEqual(expect.arrayContaining(['Bearer a1b2c3', base64('a1b2c3')]));
    expect(formsOf('a1b2c3')).not.toContain('a1b2c3');
    expect(formsOf('a1b2c')).toEqual(['Bearer a1b2c']);
    expect(formsOf('a1b2')).toEqual(['Bearer a1b2']);
    expect(formsOf('a1b')).toEqual([]);
    expect(formsOf('Bearer abc')).toEqual([]);
  });

  it('in Base64 are found at any place of a longer text', () => {
    const secret = 'sk-0123456789abcdef';
    const forms = formsOf(secret);
    for (const before of ['', 'u', 'u:', 'usr']) {
      const echo = base64(`${before}${secret}, and more`);
      expect(forms.some((form) => form.length >= 16 && echo.includes(form))).toBe(true);
    }
    const odd = 'sk-ÿÿÿ>>>???~~~0123';
    expect(formsOf(odd).some((form) => Buffer.from(`u${odd}`).toString('base64url').includes(form))).toBe(true);
  });

  it('are the same for a long value, whose characters are escaped piece by piece', async () => {
    const long = `${'a'.repeat(16_383)}😀"${'b'.repeat(20_000)}`;
    const forms = formsOf(long);
    expect(forms).toContain(JSON.stringify(long).slice(1, -1));
    expect(forms).toContain(encodeURIComponent(long));
    expect((await formsInTurns([long, 'a1b2'])).get(long)).toEqual(forms);
    expect((await formsInTurns([long, 'a1b2'])).get('a1b2')).toEqual(formsOf('a1b2'));
  });
});

it.each([
  ['a1b2', 'a1b2'],
  [' Bearer a1b2c3d ', 'a1b2c3d'],
  ['a1b2c3d4', null],
  ['a1b', null],
])('%j is looked for where it stands alone, as %j', (value, short) => {
  expect(shortFormOf(value)).toBe(short);
});
