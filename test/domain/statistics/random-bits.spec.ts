import { RandomBits } from '../../../src/domain/statistics/random-bits';

const WORD = 2n ** 32n;

/** sfc32 as its author publishes it, in whole numbers without signs: words from 0 to 2³² − 1. */
function* published(seed: number): Generator<number, never> {
  let [a, b, c, counter] = [0n, BigInt(seed) % WORD, 0n, 1n];
  for (let drawn = 0; ; drawn += 1) {
    const word = (a + b + counter) % WORD;
    counter = (counter + 1n) % WORD;
    a = b ^ (b >> 9n);
    b = (c + c * 8n) % WORD;
    c = (((c << 21n) | (c >> 11n)) + word) % WORD;
    // Its state is mixed before the first word is given.
    if (drawn >= 12) yield Number(word);
  }
}

function words(seed: number, count: number): number[] {
  const source = published(seed);
  return Array.from({ length: count }, () => source.next().value);
}

const SEEDS = [0, 1, 20_261_121, 2 ** 31 + 5];

describe('random bits', () => {
  test.each(SEEDS)('are those of sfc32, by the seed %i', (seed) => {
    const random = new RandomBits(seed);
    expect(Array.from({ length: 200 }, () => random.next() >>> 0)).toEqual(words(seed, 200));
  });

  test('are signed words', () => {
    const random = new RandomBits(1);
    const drawn = Array.from({ length: 200 }, () => random.next());
    expect(drawn.every((word) => word === (word | 0))).toBe(true);
    expect(drawn.some((word) => word < 0)).toBe(true);
  });

  test('are fractions in the middle of 2³² equal parts, never 0 nor 1', () => {
    const random = new RandomBits(7);
    for (const word of words(7, 50)) expect(random.fraction()).toBe((word + 0.5) / 2 ** 32);
  });

  test('are whole numbers below a bound, each as likely', () => {
    for (const below of [1, 2, 6, 1_000, 2 ** 32]) {
      const random = new RandomBits(3);
      for (const word of words(3, 50)) expect(random.integer(below)).toBe(Math.floor((word / 2 ** 32) * below));
    }
  });

  test.each([0, 1, 31, 32, 33, 64, 100, 257])('are so many coins, of which heads are counted: %i', (coins) => {
    const random = new RandomBits(11);
    const source = published(11);
    for (let time = 0; time < 20; time += 1) {
      let [bits, left] = ['', coins];
      for (; left > 0; left -= 32) bits += source.next().value.toString(2).padStart(32, '0').slice(0, left);
      expect(random.heads(coins)).toBe([...bits].filter((bit) => bit === '1').length);
    }
  });
});
