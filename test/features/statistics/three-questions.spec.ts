import { falseAlarmsIn, familyOf, type FamilyFound } from '../../../bench/simulation/families';
import { drawMarkedWorld, meanScoreOf, scoring, type MarkedWorld } from '../../../bench/simulation/marked-worlds';
import { Random } from '../../../bench/simulation/random';
import type { WorldLimits } from '../../../bench/simulation/worlds';
import { drawnOfAPart, signFlip, signFlipSteps } from '../../../src/domain/statistics/sign-flip';

// The short form of what `npm run bench -- statistics` draws 2,000 worlds for.
const SEED = 20_261_124;
const SMALL: WorldLimits = { scenarios: [20, 30], trials: [1, 2], rate: [0.3, 0.95] };
const FLOORED: WorldLimits = { scenarios: [60, 60], trials: [3, 3], rate: [0.179, 0.179] };
const GATE: WorldLimits = { scenarios: [60, 60], trials: [3, 3], rate: [0.5, 0.95] };

async function families(
  worlds: number,
  limits: WorldLimits,
  changed: (world: MarkedWorld) => MarkedWorld,
): Promise<FamilyFound[]> {
  const random = new Random(SEED);
  const found: FamilyFound[] = [];
  for (let drawn = 0; drawn < worlds; drawn += 1) {
    const world = drawMarkedWorld(random, limits);
    found.push(await familyOf(world, changed(world), { random, confidence: 0.95 }));
  }
  return found;
}

const worseIn = (found: readonly FamilyFound[]): number => found.filter(({ verdict }) => verdict === 'worse').length;

describe('three questions as one family', () => {
  test('call an unchanged agent changed in at most five of a hundred comparisons', async () => {
    const found = await families(100, SMALL, (world) => world);
    expect(found.filter(({ verdict }) => verdict !== null).length).toBeLessThanOrEqual(5);
  });

  test('find scores that fell to nothing, though hardly anything passed before', async () => {
    const found = await families(5, FLOORED, (world) => scoring(world, 0.02));
    expect(worseIn(found)).toBe(5);
  });

  test('find a mean score that fell by ten points, 60 scenarios × 3 trials, in eight of ten comparisons', async () => {
    const found = await families(10, GATE, (world) => scoring(world, meanScoreOf(world) - 0.1));
    expect(worseIn(found)).toBeGreaterThanOrEqual(8);
  });

  test('adjust by Holm: the least p-value threefold, the next twice, and never less than the one before', async () => {
    for (const { tests } of await families(2, GATE, (world) => scoring(world, meanScoreOf(world) - 0.05))) {
      const sorted = [...tests].sort((one, other) => (one.p_value ?? 1) - (other.p_value ?? 1));
      let least = 0;
      sorted.forEach(({ p_value: p, adjusted_p_value: adjusted }, rank) => {
        least = Math.max(least, Math.min(1, (3 - rank) * (p ?? 1)));
        expect(adjusted).toBeCloseTo(least, 12);
      });
    }
  });
});

test('of sets of four equal agents at most one in twenty is told a difference; pair by pair it would be more', async () => {
  const random = new Random(SEED);
  const told = { together: 0, apart: 0 };
  const sets = 20;
  for (let drawn = 0; drawn < sets; drawn += 1) {
    const { together, apart } = await falseAlarmsIn(drawMarkedWorld(random, SMALL), 4, { random, confidence: 0.95 });
    told.together += together > 0 ? 1 : 0;
    told.apart += apart > 0 ? 1 : 0;
  }
  expect(told.together).toBeLessThanOrEqual(sets / 20);
  expect(told.apart).toBeGreaterThan(sets / 20);
});

describe('a sign-flip test in steps', () => {
  /** Scores of twenty thousand scenarios, in tenths of a point. */
  const differences = Array.from({ length: 20_000 }, (_, place) => ((place * 7_919) % 1_001) / 10 - 50);

  test('comes to the same p-value, and pauses within a few milliseconds’ work', () => {
    const some = differences.slice(0, 400);
    const steps = signFlipSteps(some);
    let [pauses, result] = [0, steps.next()];
    while (result.done !== true) {
      pauses += 1;
      result = steps.next();
    }
    expect(result.value).toBe(signFlip(some));
    // 20,000 patterns, with the signs of eight at a time.
    expect(pauses).toBeGreaterThanOrEqual(3);
  });

  test('is bounded for one test of many: fewer patterns, the more scenarios there are', () => {
    expect(drawnOfAPart(60)).toBe(20_000);
    expect(drawnOfAPart(1_000)).toBe(10_000);
    expect(drawnOfAPart(20_000)).toBe(1_000);
    expect(drawnOfAPart(0)).toBe(20_000);
  });

  test('goes through all patterns of up to sixteen, whatever the unit', () => {
    const sixteen = differences.slice(0, 16);
    const inAnotherUnit = sixteen.map((one) => one / 100);
    expect(signFlip(sixteen)).toBeCloseTo(signFlip(inAnotherUnit), 12);
    expect(signFlip(Array.from({ length: 16 }, () => 12.5))).toBe(2 / 2 ** 16);
  });

  test('of nothing that moved is 1', () => {
    expect(signFlip([])).toBe(1);
    expect(signFlip([0, 0, 1e-12])).toBe(1);
  });
});
