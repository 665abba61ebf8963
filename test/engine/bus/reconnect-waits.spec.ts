import { ReconnectWaits } from '../../../src/engine/bus/nats-link';

/** The most that each of so many waits may take, in milliseconds. */
function longestWaits(count: number): readonly number[] {
  const longest = [100];
  while (longest.length < count) longest.push(Math.min(2_000, (longest.at(-1) ?? 0) * 1.5));
  return longest;
}

it('waits grow to two seconds with each attempt, with chance in them, and begin anew once the connection stands', () => {
  const waits = new ReconnectWaits();
  for (let round = 0; round < 20; round += 1) {
    for (const longest of longestWaits(12)) {
      const wait = waits.current;
      expect(wait).toBeGreaterThanOrEqual(longest / 2);
      expect(wait).toBeLessThanOrEqual(longest);
      // The client asks again after it has waited.
      expect(waits.current).toBe(wait);
      waits.grow();
    }
    waits.reset();
  }
  const firsts = Array.from({ length: 50 }, () => {
    waits.reset();
    return waits.current;
  });
  expect(new Set(firsts).size).toBeGreaterThan(1);
});
