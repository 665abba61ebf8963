import { inSharedTurn, ownTurn } from '../../../src/platform/concurrency/own-turn';
import { LoopTurns } from '../../setup/loop-turns';

const LARGE = 1024 * 1024;

describe('A turn of the event loop of its own', () => {
  let turns: LoopTurns;
  beforeEach(() => (turns = new LoopTurns()));
  afterEach(() => turns.stop());

  /** The turns in which pieces of work of these sizes begin, all asked for at once. */
  const begun = (...sizes: readonly number[]): Promise<number[]> =>
    Promise.all(sizes.map((size) => ownTurn(size).then(() => turns.present)));

  it('is for each large piece another one, in the order in which they were asked for', async () => {
    const at = await begun(LARGE, LARGE, LARGE, LARGE);
    expect(at).toEqual([...new Set(at)].sort((one, next) => one - next));
  });

  it('is not the one in which it was asked for, nor one in which a large piece was begun before', async () => {
    const asked = turns.present;
    const [first] = await begun(LARGE);
    expect(first).toBeGreaterThan(asked);
    const [second] = await begun(LARGE);
    expect(second).toBeGreaterThan(first ?? NaN);
  });

  it('is not waited for by small pieces, whoever waits', async () => {
    const waiting = begun(LARGE, LARGE);
    expect(await begun(0, 1, 32_768)).toEqual([0, 0, 0]);
    await waiting;
  });
});

describe('A turn of the event loop that small pieces share', () => {
  let turns: LoopTurns;
  beforeEach(() => (turns = new LoopTurns()));
  afterEach(() => turns.stop());

  /** Keeps the processor busy. */
  const work = (milliseconds: number): number => {
    for (const end = performance.now() + milliseconds; performance.now() < end;);
    return turns.present;
  };

  it('is a later one, for all that take little, in the order in which they were asked for', async () => {
    const asked = turns.present;
    const order: number[] = [];
    const pieces = [1, 2, 3].map((piece) => inSharedTurn(() => (order.push(piece), turns.present)));
    expect(order).toEqual([]);
    const at = await Promise.all(pieces);
    expect(new Set(at).size).toBe(1);
    expect(at[0]).toBeGreaterThan(asked);
    expect(order).toEqual([1, 2, 3]);
  });

  it('ends after a few milliseconds: what is left has the next ones', async () => {
    const at = await Promise.all(Array.from({ length: 4 }, () => inSharedTurn(() => work(6))));
    expect(new Set(at).size).toBe(4);
  });

  it('is not lost to a piece that fails, or that asks for another', async () => {
    const failed = inSharedTurn(() => {
      throw new Error('This piece fails.');
    });
    let inner: Promise<string> | null = null;
    const outer = inSharedTurn(() => (inner = inSharedTurn(() => 'done')));
    await expect(failed).rejects.toThrow('This piece fails.');
    await expect(outer).resolves.toBe('done');
    await expect(inner).resolves.toBe('done');
    await expect(inSharedTurn(() => 'later')).resolves.toBe('later');
  });
});
