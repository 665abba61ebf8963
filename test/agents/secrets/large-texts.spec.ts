import { Secrets } from '../../../src/agents/secrets/secrets';
import { superlinearGrowth } from '../../fuzz/growth';
import { LoopTurns } from '../../setup/loop-turns';

// In a file of its own: instrumented code, as `npm run mutation` makes it, takes minutes.

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a secret of a megabyte', () => {
  let turns: LoopTurns;
  beforeEach(() => (turns = new LoopTurns()));
  afterEach(() => turns.stop());

  it.each([
    ['everything in it is escaped', '"&/%\u{1fa7a}'.repeat(100_000)],
    ['nothing in it is', 'a7'.repeat(400_000)],
  ])('is made ready while others have their turns, and then removed like any: %s', async (_, secret) => {
    const secrets = Secrets.of({ api_key: secret });
    await secrets.prepare();
    expect(turns.present).toBeGreaterThan(10);
    const echoes = [secret, JSON.stringify(secret), encodeURIComponent(secret), base64(secret), base64(`k:${secret}`)];
    for (const echo of echoes) expect(secrets.remove(`You sent ${echo}`).length).toBeLessThan(40);
  });

  it('that comes up later is made ready the same way', async () => {
    const secrets = Secrets.of({});
    await secrets.learn('a7'.repeat(400_000));
    expect(turns.present).toBeGreaterThan(10);
  });
});

describe('time', () => {
  it.each([
    ['the secret over and over', (key: string) => key],
    ['its beginning over and over', (key: string) => key.slice(0, 9)],
    ['all of it but its end', (key: string) => `${key.slice(0, -1)}~`],
    ['one character', () => 'a'],
  ])('grows with the text alone: %s', async (_, piece) => {
    const key = `${'a'.repeat(200)}b1`;
    const cookies = Array.from({ length: 99 }, (__, index) => ({
      name: 'c',
      value: `${'a'.repeat(150)}${index}-${index}`,
    }));
    const short = Object.fromEntries(Array.from({ length: 40 }, (__, index) => [`key${index}_key`, `a${index}_aa`]));
    const secrets = Secrets.of({ api_key: key, storage_state: { cookies }, ...short });
    expect(
      await superlinearGrowth(
        (text) => secrets.remove(text),
        (length) => piece(key).repeat(Math.ceil(length / piece(key).length)),
        [262_144, 1_048_576],
      ),
    ).toBeNull();
  });
});

/** What looks like a secret nearly everywhere: compared in vain from each place, a secret of 100,000 characters cost 12 s. */
describe('near misses', () => {
  // Both longer than the secrets: a text that is one to its end is removed in one comparison.
  const SIZES = [262_144, 1_048_576] as const;
  const near = (length: number, piece: string): string => piece.repeat(Math.ceil(length / piece.length));

  it.each([
    ['one letter', 'a', 'b'],
    ['a period of two', 'ab', 'x'],
    ['a period of nine', 'abcdefgh-', '!'],
  ])('of a long secret of %s take time in proportion to the text', async (_name, piece, last) => {
    const secrets = Secrets.of({ api_key: near(100_000, piece) + last });
    await secrets.prepare();
    secrets.remove('');
    expect(
      await superlinearGrowth(
        (text) => secrets.remove(text),
        (length) => near(length, piece),
        SIZES,
      ),
    ).toBeNull();
  });

  it('of a hundred secrets with the same beginning do too, in one text and in many', async () => {
    const headers = Array.from({ length: 100 }, (_, at) => [`x-${at}`, `${'a'.repeat(9 + at)}-${'b'.repeat(200)}`]);
    const secrets = Secrets.of({ headers: Object.fromEntries(headers) });
    secrets.remove('');
    const inLines = (text: string) => secrets.removeFrom(text.match(/.{1,50}/g) ?? []);
    for (const read of [(text: string) => secrets.remove(text), inLines]) {
      expect(await superlinearGrowth(read, (length) => 'a'.repeat(length), SIZES)).toBeNull();
    }
  });

  it('leave what a text says beside a few of them', () => {
    const numbers = Array.from({ length: 100 }, (_, at) => `${at * at}-`).join('');
    const secret = `sk-live-${numbers}!`;
    const said = `It was not ${secret.slice(0, 300)}. `.repeat(20);
    expect(Secrets.of({ api_key: secret }).remove(said + secret)).toBe(`${said}[removed]`);
  });

  it('of which there are too many to compare are removed, and no secret stays', () => {
    const secret = `${'ab'.repeat(5_000)}!`;
    const clean = Secrets.of({ api_key: secret }).remove('ab'.repeat(200_000) + secret);
    expect(clean).not.toContain(secret);
  });
});
