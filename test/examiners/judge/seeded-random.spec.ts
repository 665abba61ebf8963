import { SeededRandom } from '../../../src/examiners/judge/seeded-random';

const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);
const wordsOf = (random: SeededRandom) => Array.from({ length: 4 }, () => random.integer(2 ** 32));

describe('Random numbers from a seed', () => {
  // Mulberry32 as its author published it, https://gist.github.com/tommyettinger/46a874533244883189143505d203312c
  it.each([
    [0, [1144304738, 1416247, 958946056, 627933444]],
    [1, [2693262067, 11749833, 2265367787, 4213581821]],
    [42, [2581720956, 1925393290, 3661312704, 2876485805]],
    [2 ** 32 - 1, [3850105811, 813802916, 3073704848, 4054706436]],
  ])('are those of mulberry32 for %d, so that a stored seed brings an examination back', (seed, words) => {
    expect(wordsOf(new SeededRandom(seed))).toEqual(words);
  });

  it('are every whole number below the bound, and no other', () => {
    const random = new SeededRandom(5);
    const numbers = SEEDS.map(() => random.integer(3));
    expect([...new Set(numbers)].sort()).toEqual([0, 1, 2]);
  });

  it('shuffle into every order, without loss and without a change to what was given', () => {
    const given = ['a', 'b', 'c'];
    const orders = SEEDS.map((seed) => new SeededRandom(seed).shuffled(given).join(''));
    expect([...new Set(orders)].sort()).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']);
    expect(given).toEqual(['a', 'b', 'c']);
  });

  it('of a fork do not depend on how many its origin has drawn since', () => {
    const [one, other] = [new SeededRandom(9), new SeededRandom(9)];
    const [fork, same] = [one.fork(), other.fork()];
    wordsOf(one);
    expect(wordsOf(fork)).toEqual(wordsOf(same));
    expect(wordsOf(fork)).not.toEqual(wordsOf(other));
  });
});
