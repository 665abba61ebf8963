import { ownTurn } from '../../../src/platform/concurrency/own-turn';
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
