import { SpokenWaits } from '../../../src/engine/actors/spoken-waits';

/** By a clock that stands still until it is moved; `count` of them wait already. */
function waiting(count: number, longestMs?: number) {
  let now = 0;
  const waits = new SpokenWaits(() => now, longestMs);
  const waitsMs = Array.from({ length: count }, (_, at) => waits.add(`${at}`));
  return { waits, waitsMs, pass: (ms: number) => (now += ms) };
}

describe('scenario runs that wait for a place to speak', () => {
  it.each([
    [0, 1_000],
    [49, 1_000],
    [50, 2_000],
    [99, 2_000],
    [100, 3_000],
  ])('come again, behind %i others, in %i ms', (others, ms) => {
    expect(waiting(others).waits.add('one')).toBe(ms);
  });

  it('wait no longer than the longest wait, however many there are', () => {
    expect([149, 150, 199].map((others) => waiting(others, 3_500).waits.add('one'))).toEqual([3_000, 3_500, 3_500]);
  });

  it('wait for none that has come back', () => {
    const { waits } = waiting(50);
    waits.remove('7');
    expect(waits.add('one')).toBe(1_000);
  });

  it('wait for none that has not come back a minute after it was due: it is somebody else’s, or canceled', () => {
    const { waits, pass } = waiting(50);
    pass(61_000);
    expect(waits.add('one')).toBe(2_000);
    waits.remove('one');
    pass(1);
    expect(waits.add('one')).toBe(1_000);
  });

  it('are due later the more of them there are', () => {
    const { waitsMs, waits, pass } = waiting(100);
    expect(waitsMs).toEqual(Array.from({ length: 100 }, (_, at) => (at < 50 ? 1_000 : 2_000)));
    // The first fifty are forgotten, the others due a second later.
    pass(61_001);
    expect(waits.add('one')).toBe(2_000);
    pass(1_000);
    expect(waits.add('other')).toBe(1_000);
  });
});
