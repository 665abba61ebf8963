import { holdsText } from '../../src/domain/text-search';
import { superlinearGrowth } from '../fuzz/growth';

const SIZES = [32_768, 262_144] as const;
const half = (length: number): number => length >> 1;

test.each<readonly [string, (length: number) => string]>([
  ['one letter, the other first', (length) => `b${'a'.repeat(half(length))}`],
  ['one letter, the other last', (length) => `${'a'.repeat(half(length))}b`],
  ['the other in the middle', (length) => `${'a'.repeat(length >> 2)}b${'a'.repeat(length >> 2)}`],
  ['a period of two', (length) => `b${'ab'.repeat(length >> 2)}`],
  ['a period of two, beyond Latin-1', (length) => `一${'ab'.repeat(length >> 2)}`],
])('a needle of %s is looked for in proportion to its length and the text’s', async (_name, needleOf) => {
  const look = (text: string): unknown => {
    const needle = needleOf(text.length);
    return [text, 'ab'.repeat(half(text.length)), `${text}一`].map((one) => holdsText(one, needle));
  };
  expect(await superlinearGrowth(look, (length) => 'a'.repeat(length), SIZES)).toBeNull();
});

test('V8’s own search is seen to grow faster, so that the measure is one', async () => {
  const look = (text: string): boolean => {
    const quarter = 'a'.repeat(text.length >> 2);
    return text.includes(`${quarter}b${quarter}`);
  };
  expect(await superlinearGrowth(look, (length) => 'a'.repeat(length), [8_192, 65_536], 1)).toMatch(/took .* took/);
});
