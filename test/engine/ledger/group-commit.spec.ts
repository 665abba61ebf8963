import { type CommitEnd, GroupCommit, measuredCommits } from '../../../src/engine/ledger/group-commit';
import { PrometheusMetrics } from '../../../src/platform/telemetry/metrics/prometheus.metrics';

interface Change {
  readonly row: string;
  readonly run: string;
  readonly chars: number;
}

class Locked extends Error {}

/** Writes that are kept until they are let go, so that everything else shares the batches after them. */
function recorder(options: { poison?: string; locked?: () => string | null; onEnd?: (end: CommitEnd) => void } = {}) {
  const batches: (readonly Change[])[] = [];
  let goOn: () => void = () => undefined;
  const firstMayEnd = new Promise<void>((resolve) => (goOn = resolve));
  const commits = new GroupCommit<Change, string>({
    write: async (changes) => {
      batches.push(changes);
      if (batches.length === 1) await firstMayEnd;
      const locked = options.locked?.() ?? null;
      if (changes.some(({ run }) => run === locked)) {
        await new Promise(setImmediate);
        throw new Locked();
      }
      if (changes.some(({ row }) => row === options.poison)) throw new Error('poison');
      return changes.map(({ row }) => `${row} of batch ${batches.length}`);
    },
    rowOf: ({ row }) => row,
    runOf: ({ run }) => run,
    charsOf: ({ chars }) => chars,
    isPoison: () => true,
    isLockedOut: (error) => error instanceof Locked,
    ...(options.onEnd === undefined ? {} : { onEnd: options.onEnd }),
  });
  return { commits, batches, goOn };
}

const change = (row: string, { run = 'run', chars = 100 } = {}): Change => ({ row, run, chars });

const QUARTER = 256 * 1024;

describe('changes that wait for a write', () => {
  test('share the next one, however many there are, up to a number', async () => {
    const { commits, batches, goOn } = recorder();
    const all = Array.from({ length: 501 }, (_, at) => commits.submit(change(`${at}`)));
    goOn();
    await Promise.all(all);
    expect(batches.map(({ length }) => length)).toEqual([200, 200, 101]);
  });

  test('share it up to an amount of text; a larger one goes alone', async () => {
    const { commits, batches, goOn } = recorder();
    const sizes = [1, 1, 1, 1, 1, 9, 1, 1];
    const all = sizes.map((size, at) => commits.submit(change(`${at}`, { chars: size * QUARTER })));
    goOn();
    await Promise.all(all);
    expect(batches.map((batch) => batch.map(({ chars }) => chars / QUARTER))).toEqual([[1, 1, 1, 1], [1], [9], [1, 1]]);
  });

  test('of the same row follow each other in their order', async () => {
    const { commits, batches, goOn } = recorder();
    const all = ['a', 'b', 'a', 'c', 'a', 'b'].map((row) => commits.submit(change(row)));
    goOn();
    await Promise.all(all);
    expect(batches.map((batch) => batch.map(({ row }) => row).join(''))).toEqual(['abc', 'ab', 'a']);
  });

  test('fail alone when one of them is at fault', async () => {
    const { commits, goOn } = recorder({ poison: 'b' });
    const all = ['a', 'b', 'c'].map((row) => commits.submit(change(row)));
    goOn();
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test.each([
    ['with the others', null],
    ['by themselves', 'slow'],
  ])('all fail at once where none of them is at fault, and none is tried again: %s', async (_how, lockedRun) => {
    let locked: string | null = lockedRun;
    const batches: number[] = [];
    const commits = new GroupCommit<Change, string>({
      write: async (changes) => {
        batches.push(changes.length);
        await new Promise(setImmediate);
        if (changes.some(({ run }) => run === locked)) {
          locked = null;
          throw new Locked();
        }
        throw new Error('The database is gone.');
      },
      rowOf: ({ row }) => row,
      runOf: ({ run }) => run,
      charsOf: ({ chars }) => chars,
      isPoison: () => false,
      isLockedOut: (error) => error instanceof Locked,
    });
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c'].map((row) => commits.submit(change(row, { run: 'slow' }))),
    );
    const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : 'none'));
    expect(reasons).toEqual(Array(3).fill('Error: The database is gone.'));
    expect(batches).toEqual(lockedRun === null ? [3] : [3, 3]);
  });

  test('of a locked run wait by themselves, in their order; the others go on', async () => {
    let locked: string | null = 'slow';
    const { commits, batches, goOn } = recorder({ locked: () => locked });
    const told: string[] = [];
    const submit = (row: string, run: string) => commits.submit(change(row, { run })).then(() => told.push(row));
    const slow = [submit('s1', 'slow'), submit('s2', 'slow'), submit('s1', 'slow')];
    const others = [submit('a', 'one'), submit('b', 'two')];
    goOn();
    await Promise.all(others);
    const later = [submit('s3', 'slow'), submit('c', 'one')];
    await later[1];
    expect(told).toEqual(['a', 'b', 'c']);
    locked = null;
    await Promise.all([...slow, ...later]);
    const written = batches
      .filter((batch) => batch.every(({ run }) => run === 'slow'))
      .map((batch) => batch.map(({ row }) => row).join());
    expect(written.slice(-2)).toEqual(['s1,s2', 's1,s3']);
    // Once it is known to be locked, nothing waits for it with the others.
    const shared = batches.filter((batch) => new Set(batch.map(({ run }) => run === 'slow')).size === 2);
    expect(shared).toHaveLength(1);
  });

  test('hear in the end that the lock was not to be had', async () => {
    const { commits, batches, goOn } = recorder({ locked: () => 'slow' });
    goOn();
    await expect(commits.submit(change('s', { run: 'slow' }))).rejects.toBeInstanceOf(Locked);
    // With the others once, then fifteen times by itself.
    expect(batches).toHaveLength(16);
  });

  test('of a locked run fail alone too when one of them is at fault', async () => {
    let locked: string | null = 'slow';
    const { commits, batches, goOn } = recorder({ poison: 'b', locked: () => locked });
    const all = ['a', 'b', 'c'].map((row) => commits.submit(change(row, { run: 'slow' })));
    goOn();
    const outcomes = Promise.allSettled(all);
    while (batches.length < 2) await new Promise(setImmediate);
    locked = null;
    expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('of many locked runs are written two runs at a time, and then with the others again', async () => {
    const runs = ['r1', 'r2', 'r3', 'r4', 'r5'];
    const batches: string[][] = [];
    const waits: number[] = [];
    let isLocked = true;
    let open = 0;
    let most = 0;
    const commits = new GroupCommit<Change, string>({
      write: async (changes, lockWaitMs) => {
        batches.push(changes.map(({ row }) => row));
        waits.push(lockWaitMs);
        open += 1;
        most = Math.max(most, open);
        await new Promise(setImmediate);
        open -= 1;
        if (isLocked) {
          isLocked = false;
          throw new Locked();
        }
        return changes.map(({ row }) => row);
      },
      rowOf: ({ row }) => row,
      runOf: ({ run }) => run,
      charsOf: ({ chars }) => chars,
      isPoison: () => true,
      isLockedOut: (error) => error instanceof Locked,
    });
    const submitAll = () => Promise.all(runs.map((run) => commits.submit(change(run, { run }))));
    expect(await submitAll()).toEqual(runs);
    expect(batches).toEqual([runs, ...runs.map((run) => [run])]);
    expect(most).toBe(2);
    // A run by itself may wait for its lock longer than a batch that others share.
    const [shared = 0, ...lone] = waits;
    expect(lone.every((wait) => wait > shared)).toBe(true);
    await new Promise(setImmediate);
    expect(await submitAll()).toEqual(runs);
    expect(batches.at(-1)).toEqual(runs);
  });
});

test('a write takes no more seconds than have passed', async () => {
  const ends: CommitEnd[] = [];
  const { commits, goOn } = recorder({ poison: 'p', onEnd: (end) => ends.push(end) });
  goOn();
  const start = performance.now();
  await commits.submit(change('a'));
  await expect(commits.submit(change('p'))).rejects.toThrow('poison');
  const passed = (performance.now() - start) / 1_000;
  expect(ends).toMatchObject([
    { changes: 1, outcome: 'committed' },
    { changes: 1, outcome: 'failed' },
  ]);
  const [committed, failed] = ends.map(({ seconds }) => seconds);
  expect(committed).toBeGreaterThanOrEqual(0);
  expect(failed).toBeGreaterThanOrEqual(0);
  expect((committed ?? 0) + (failed ?? 0)).toBeLessThanOrEqual(passed);
});

test('each write is timed by how it ended, and what was written is counted', async () => {
  const metrics = new PrometheusMetrics([]);
  let locked: string | null = 'slow';
  const { commits, goOn } = recorder({
    poison: 'p',
    locked: () => locked,
    onEnd: measuredCommits('changes', metrics),
  });
  const first = commits.submit(change('a'));
  goOn();
  await first;
  await Promise.all([commits.submit(change('b')), commits.submit(change('c'))]);
  await expect(commits.submit(change('p'))).rejects.toThrow('poison');
  const slow = commits.submit(change('s', { run: 'slow' }));
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  locked = null;
  await slow;
  const text = await metrics.scrape();
  const counted = (outcome: string) =>
    Number(
      new RegExp(`^osce_commit_duration_seconds_count{ledger="changes",outcome="${outcome}"} (\\d+)$`, 'm').exec(
        text,
      )?.[1],
    );
  expect(counted('failed')).toBe(1);
  expect(counted('locked_out')).toBeGreaterThanOrEqual(1);
  expect(text).toMatch(/^osce_commit_changes_sum{ledger="changes"} 4$/m);
  expect(text).toMatch(new RegExp(`^osce_commit_changes_count{ledger="changes"} ${counted('committed')}$`, 'm'));
});
