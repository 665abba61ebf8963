import { simulateDay } from '../../bench/scale/day';
import { needsOf, type Costs, type Demand } from '../../bench/scale/needs';

const DEMAND: Demand = {
  scenarioRunsADay: 86_400,
  scenariosARun: 24,
  turns: 6,
  turnSeconds: 5,
  markingSeconds: 10,
  peak: 3,
  keptDays: 10,
};
const COSTS: Costs = {
  bytesOf: { testRun: 2_400, scenarioRun: 5_000, turn: 1_000, event: 300 },
  walBytesATurn: 10_000,
  serviceMsATurn: 2,
  databaseMsATurn: 1,
  liveBytes: 1e6,
};

describe('what a demand needs', () => {
  it('is its rate times what each piece costs', () => {
    const needs = needsOf(DEMAND, COSTS);
    expect(needs.turnsASecond).toEqual([6, 18]);
    expect(needs.eventsASecond).toEqual([10, 30]);
    expect(needs.commitsASecond).toEqual([8, 24]);
    expect(needs.bytesADay).toBe(86_400 * (100 + 5_000 + 6_000 + 3_000));
    expect(needs.bytesKept).toBe(needs.bytesADay * 10);
    expect(needs.live).toBe(120);
    expect(needs.serviceProcessors).toBeCloseTo(0.06);
  });
});

describe('a simulated day', () => {
  it('has nobody wait where there are places for the peak, as many under way as the rate says', () => {
    const day = simulateDay(DEMAND, 1_000);
    expect(day.waitP99).toBe(0);
    expect(day.mostLive).toBeGreaterThan(120);
    expect(day.mostLive).toBeLessThan(240);
  });

  it('makes conversations wait where there are too few, and holds no more than there are', () => {
    const day = simulateDay(DEMAND, 60);
    expect(day.mostLive).toBe(60);
    expect(day.waitP99).toBeGreaterThan(60);
  });

  it('is the same day for the same seed', () => {
    expect(simulateDay(DEMAND, 150, 7)).toEqual(simulateDay(DEMAND, 150, 7));
  });
});
