import { FaultDice } from '../../../src/engine/bus/work-queue';

/** Of mulberry32, by seed: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
const WORDS: readonly (readonly [number, readonly number[]])[] = [
  [1, [2693262067, 11749833, 2265367787, 4213581821]],
  [42, [2581720956, 1925393290, 3661312704, 2876485805]],
];
const share = (word: number) => word / 2 ** 32;

describe('The dice of a bus', () => {
  it.each(WORDS)('fall as the seed %d says: a fault is below its share, and not at it', (seed, words) => {
    for (const [at, word] of words.entries()) {
      const [below, within] = [share(word), share(word + 1)].map((loseSettlements) => {
        const dice = new FaultDice({ seed, loseSettlements });
        for (let before = 0; before < at; before += 1) dice.losesSettlement();
        return dice.losesSettlement();
      });
      expect([below, within]).toEqual([false, true]);
    }
  });

  it('take no number for faults that are switched off', () => {
    const alone = new FaultDice({ seed: 7, loseSettlements: 0.5 });
    const among = new FaultDice({ seed: 7, loseSettlements: 0.5, duplicateWork: 0 });
    const lost = Array.from({ length: 50 }, () => alone.losesSettlement());
    const lostAmong = Array.from({ length: 50 }, () => {
      expect([among.copies(), among.duplicatesWork()]).toEqual([1, false]);
      return among.losesSettlement();
    });
    expect(lostAmong).toEqual(lost);
    expect(new Set(lost).size).toBe(2);
  });

  it('drop a message or repeat it, never both', () => {
    expect(new FaultDice({ seed: 7, dropMessages: 1, duplicateMessages: 1 }).copies()).toBe(0);
    expect(new FaultDice({ seed: 7, duplicateMessages: 1 }).copies()).toBe(2);
    expect(new FaultDice().copies()).toBe(1);
  });
});
