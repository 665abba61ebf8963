import { untilAvailable } from '../../../src/engine/actors/persistent-retry';

const away = new Error('away');
const broken = new Error('broken');
const isAway = (error: unknown) => error === away;

/** Fails as it is said, then succeeds. */
function work(...failures: readonly Error[]) {
  const calls: (Error | undefined)[] = [];
  const run = async () => {
    const failure = failures[calls.length];
    calls.push(failure);
    if (failure !== undefined) throw failure;
    return 'done';
  };
  return { calls, run };
}

describe('work on something that may be away', () => {
  const { signal } = new AbortController();

  it('is repeated until it is there', async () => {
    const { run, calls } = work(away, away);
    const done = untilAvailable(run, isAway, signal);
    // A loop without waits would keep a server from coming back.
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    expect(calls).toHaveLength(1);
    expect(await done).toBe('done');
    expect(calls).toEqual([away, away, undefined]);
  });

  it('waits twice as long each time, up to two seconds, and not as long as others who began with it', async () => {
    const waits: number[] = [];
    const { run } = work(...Array.from({ length: 8 }, () => away));
    await untilAvailable(run, isAway, signal, async (ms) => waits.push(ms));
    const longest = [100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000];
    expect(waits.map((ms, at) => ms <= (longest[at] ?? 0) && ms >= (longest[at] ?? 0) / 2)).toEqual(
      longest.map(() => true),
    );
    expect(new Set(waits.slice(-3)).size).toBe(3);
  });

  it('is not repeated after an error that waiting cannot mend', async () => {
    const { run, calls } = work(away, broken);
    await expect(untilAvailable(run, isAway, signal)).rejects.toBe(broken);
    expect(calls).toHaveLength(2);
  });

  it('does not begin after its end', async () => {
    const { run, calls } = work();
    await expect(untilAvailable(run, isAway, AbortSignal.abort(broken))).rejects.toBe(broken);
    expect(calls).toEqual([]);
  });

  it('ends while it waits, and when it fails after its end', async () => {
    const waiting = new AbortController();
    const { run, calls } = work(away, away);
    let isOver = false;
    const ended = untilAvailable(run, isAway, waiting.signal).finally(() => (isOver = true));
    await new Promise(setImmediate);
    waiting.abort();
    await Promise.all([
      expect(ended).rejects.toMatchObject({ name: 'AbortError' }),
      // Not after the wait.
      new Promise(setImmediate).then(() => expect(isOver).toBe(true)),
    ]);
    expect(calls).toHaveLength(1);

    const during = new AbortController();
    const failing = untilAvailable(
      async () => {
        during.abort();
        throw away;
      },
      isAway,
      during.signal,
    );
    await expect(failing).rejects.toBe(away);
  });
});
