import { setTimeout as sleep } from 'node:timers/promises';
import { Endings, StateClock } from '../../../src/engine/actors/live-actor';
import { elapsedMs, instantNow } from '../../../src/engine/actors/two-clock-instant';

const at = (steadyMs: number, wallMs: number) => ({ steadyMs, wallMs });

describe('the time between two moments', () => {
  it.each([
    ['both clocks went on', at(1_000, 5_000), at(1_300, 5_300), 300],
    ['the machine was suspended', at(1_000, 5_000), at(1_010, 9_000), 4_000],
    ['the wall clock was held', at(1_000, 5_000), at(1_800, 5_000), 800],
    ['the wall clock was set back', at(1_000, 5_000), at(1_010, 4_999), Infinity],
    ['none has passed', at(1_000, 5_000), at(1_000, 5_000), 0],
  ])('when %s', (_what, since, now, elapsed) => {
    expect(elapsedMs(since, now)).toBe(elapsed);
  });

  it('passes', async () => {
    const since = instantNow();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const now = instantNow();
    expect(now.steadyMs).toBeGreaterThan(since.steadyMs);
    expect(now.wallMs).toBeGreaterThan(since.wallMs);
  });
});

describe('the clock of a state', () => {
  it('says since when an actor has been in it, whatever happened inside', async () => {
    const clock = new StateClock();
    clock.note({ live: 'running' });
    const { since } = clock;
    await sleep(5);
    clock.note({ live: 'running' });
    expect(clock.since).toBe(since);
    clock.note({ live: 'pending' });
    expect(Date.parse(clock.since)).toBeGreaterThan(Date.parse(since));
  });
});

describe('endings', () => {
  it('are awaited until the last is over, however it ends', async () => {
    const endings = new Endings();
    expect(endings.isEmpty).toBe(true);
    let end: () => void = () => undefined;
    const first = endings.add(new Promise<string>((resolve) => (end = () => resolve('over'))));
    const second = endings.add(Promise.reject(new Error('failed')));
    await expect(second).rejects.toThrow('failed');
    expect(endings.isEmpty).toBe(false);
    end();
    expect(await first).toBe('over');
    expect(endings.isEmpty).toBe(true);
  });
});
