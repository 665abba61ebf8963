import { systemClock } from '../../../src/agents/outbound/clock';
import { ProviderError } from '../../../src/agents/errors';
import { InProcessRequestBudget } from '../../../src/agents/outbound/in-process.request-budget';
import { Limiter, limiterKey } from '../../../src/agents/outbound/limiter';
import { manualClock } from '../../fakes/manual-clock';
import { unaborted } from '../provider.contract';

/** A clock on which time stands still but for the waits that the test lets pass. */
function steppedClock() {
  let time = 0;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  return {
    now: () => time,
    wallTime: () => time,
    random: () => 0.5,
    sleep: (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const sleeper = { at: time + ms, wake: resolve };
        sleepers.add(sleeper);
        signal.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(ProviderError.canceled());
        });
      }),
    /** Waits that are neither over nor aborted. */
    get waiting(): number {
      return [...sleepers].filter(({ at }) => at > time).length;
    },
    async advance(ms: number): Promise<void> {
      time += ms;
      for (const { at, wake } of sleepers) if (at <= time) wake();
      await settled();
    },
  };
}

/** Lets everything that waits only for promises go on. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('request budget of one process', () => {
  it('takes fractions: 0.1 a minute is one request in ten minutes', async () => {
    const clock = steppedClock();
    const budget = new InProcessRequestBudget(clock);
    const admitted: number[] = [];
    const all = Promise.all(
      [1, 2, 3].map((name) => budget.acquire('key', 0.1, unaborted()).then(() => admitted.push(name))),
    );
    await settled();
    expect(admitted).toEqual([1]);
    await clock.advance(599_999);
    expect(admitted).toEqual([1]);
    await clock.advance(1);
    expect(admitted).toEqual([1, 2]);
    await clock.advance(600_000);
    expect(admitted).toEqual([1, 2, 3]);
    await all;
  });

  it('of a key is kept while requests have to wait for it, however many other keys there are', async () => {
    const clock = steppedClock();
    const budget = new InProcessRequestBudget(clock);
    const admitted: string[] = [];
    const ask = (key: string) => budget.acquire(key, 1, unaborted()).then(() => admitted.push(key));
    await ask('used');
    const waiting = ask('used');
    await ask('just used');
    for (let other = 0; other < 1_100; other += 1) await budget.acquire(`key ${other}`, 60_000, unaborted());
    const all = [waiting, ask('used'), ask('just used')];
    await settled();
    expect(admitted).toEqual(['used', 'just used']);
    await clock.advance(60_000);
    expect(admitted.toSorted()).toEqual(['just used', 'just used', 'used', 'used']);
    for (let other = 0; other < 1_100; other += 1) await budget.acquire(`later ${other}`, 60_000, unaborted());
    await settled();
    expect(admitted).toHaveLength(4);
    await clock.advance(60_000);
    expect(admitted).toHaveLength(5);
    await Promise.all(all);
  });

  it('spreads requests evenly, in the order they asked', async () => {
    const clock = steppedClock();
    const budget = new InProcessRequestBudget(clock);
    const admitted: string[] = [];
    const ask = (name: string) => budget.acquire('key', 30, unaborted()).then(() => admitted.push(name));
    const all = Promise.all(['a', 'b', 'c'].map(ask));
    await settled();
    expect(admitted).toEqual(['a']);
    await clock.advance(1999);
    expect(admitted).toEqual(['a']);
    await clock.advance(1);
    expect(admitted).toEqual(['a', 'b']);
    await clock.advance(2000);
    expect(admitted).toEqual(['a', 'b', 'c']);
    await all;
  });

  it('saves nothing up while nobody asks', async () => {
    const clock = steppedClock();
    const budget = new InProcessRequestBudget(clock);
    await budget.acquire('key', 60, unaborted());
    await clock.advance(60_000);
    const admitted: number[] = [];
    const all = [1, 2, 3].map((name) => budget.acquire('key', 60, unaborted()).then(() => admitted.push(name)));
    await settled();
    expect(admitted).toEqual([1]);
    await clock.advance(1000);
    await clock.advance(1000);
    await Promise.all(all);
  });

  it('keeps budgets of different keys apart', async () => {
    const budget = new InProcessRequestBudget(steppedClock());
    await Promise.all(['a', 'b', 'c'].map((key) => budget.acquire(key, 1, unaborted())));
  });

  it('gives the place of one who leaves to the next', async () => {
    const clock = steppedClock();
    const budget = new InProcessRequestBudget(clock);
    await budget.acquire('key', 60, unaborted());
    const leaving = Array.from({ length: 50 }, () => new AbortController());
    const left = Promise.allSettled(leaving.map(({ signal }) => budget.acquire('key', 60, signal)));
    const staying = budget.acquire('key', 60, unaborted());
    leaving.forEach((abort) => abort.abort());
    expect((await left).every(({ status }) => status === 'rejected')).toBe(true);
    await clock.advance(1000);
    await staying;
  });

  it('keeps no timer for those who left', async () => {
    const clock = steppedClock();
    const budget = new InProcessRequestBudget(clock);
    await budget.acquire('key', 1, unaborted());
    const abort = new AbortController();
    const leaving = expect(budget.acquire('key', 1, abort.signal)).rejects.toBeInstanceOf(ProviderError);
    expect(clock.waiting).toBe(1);
    abort.abort();
    await leaving;
    expect(clock.waiting).toBe(0);
  });

  it('serves those who come after all others left', async () => {
    const clock = steppedClock();
    const budget = new InProcessRequestBudget(clock);
    await budget.acquire('key', 60, unaborted());
    const abort = new AbortController();
    const leaving = expect(budget.acquire('key', 60, abort.signal)).rejects.toBeInstanceOf(ProviderError);
    abort.abort();
    const staying = budget.acquire('key', 60, unaborted());
    await leaving;
    await settled();
    await clock.advance(1000);
    await staying;
  });

  it('keeps the rate although timers come late', async () => {
    let time = 0;
    const sleep = async (ms: number): Promise<void> => void (time += ms + 7);
    const late = { ...manualClock(), now: () => time, sleep };
    const budget = new InProcessRequestBudget(late);
    const began = late.now();
    await Promise.all(Array.from({ length: 101 }, () => budget.acquire('key', 600, unaborted())));
    const spent = late.now() - began;
    expect(spent).toBeGreaterThanOrEqual(9_900);
    expect(spent).toBeLessThan(10_200);
  });
});

describe('limiter', () => {
  const refusal = new ProviderError('rate_limited', 'Slow down.');

  it('does not believe a Retry-After of days for longer than ten minutes', async () => {
    const clock = steppedClock();
    const limiter = new Limiter(new InProcessRequestBudget(clock), clock);
    limiter.hold('key', 86_400_000, refusal);
    await expect(limiter.admit('key', null, clock.now() + 30_000, unaborted())).rejects.toBe(refusal);
    await clock.advance(600_000);
    await expect(limiter.admit('key', null, clock.now() + 30_000, unaborted())).resolves.toBe(0);
  });

  it('is not shortened by a later, shorter Retry-After', async () => {
    const clock = steppedClock();
    const limiter = new Limiter(new InProcessRequestBudget(clock), clock);
    limiter.hold('key', 60_000, refusal);
    limiter.hold('key', 1_000, refusal);
    await clock.advance(2_000);
    await expect(limiter.admit('key', null, clock.now() + 30_000, unaborted())).rejects.toBe(refusal);
  });

  it('holds those back too who stand in line when the hold begins, and spreads them out again after it', async () => {
    const clock = steppedClock();
    const limiter = new Limiter(new InProcessRequestBudget(clock), clock);
    const admitted: string[] = [];
    const ask = (name: string) => limiter.admit('key', 60, 1e9, unaborted()).then(() => admitted.push(name));
    const all = ['a', 'b', 'c'].map(ask);
    await settled();
    expect(admitted).toEqual(['a']);
    limiter.hold('key', 10_000, refusal);
    for (let second = 0; second < 10; second += 1) await clock.advance(1000);
    expect(admitted).toEqual(['a']);
    await clock.advance(250);
    expect(admitted).toHaveLength(2);
    await clock.advance(1000);
    expect(admitted).toHaveLength(3);
    await Promise.all(all);
  });

  it('keeps no credential in its keys', () => {
    const key = limiterKey('https://api.example', 'sk-secret');
    expect(key).not.toContain('sk-secret');
    expect(key).not.toBe(limiterKey('https://api.example', 'sk-other'));
    expect(key).not.toBe(limiterKey('https://other.example', 'sk-secret'));
  });
});

describe('system clock', () => {
  it('ends a sleep at once when it is aborted, and lets go of the signal when it is over', async () => {
    const abort = new AbortController();
    const removed = jest.spyOn(abort.signal, 'removeEventListener');
    await systemClock.sleep(1, abort.signal);
    expect(removed).toHaveBeenCalledTimes(1);
    const sleeping = expect(systemClock.sleep(60_000, abort.signal)).rejects.toBeInstanceOf(ProviderError);
    abort.abort();
    await sleeping;
    await expect(systemClock.sleep(1, abort.signal)).rejects.toBeInstanceOf(ProviderError);
  });
});
