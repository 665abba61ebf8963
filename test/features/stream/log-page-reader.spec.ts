import { EventLogStore } from '../../../src/features/stream/event-log.store';
import { LogPageReader } from '../../../src/features/stream/log-page-reader';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

/** Its reads end when the test says so. */
class HeldLog extends EventLogStore {
  readonly begun: string[] = [];
  private readonly held: (() => void)[] = [];
  isAway = false;

  override async readAfter(...asked: Parameters<EventLogStore['readAfter']>) {
    this.begun.push(`${asked[0]} ${asked[1]}`);
    await new Promise<void>((resolve) => this.held.push(resolve));
    if (this.isAway) throw new Error('The database is away.');
    return super.readAfter(...asked);
  }

  letGo(): void {
    for (const go of this.held.splice(0)) go();
  }
}

const turn = () => new Promise(setImmediate);

describe('pages of the log', () => {
  test('are read once for all who stand at the same place and asked before the read began', async () => {
    const { testRunId } = await runs.createRun();
    const log = new HeldLog(runs.database);
    const pages = new LogPageReader(log);
    const busy = [1, 2, 3].map((number) => pages.read(`00000000-0000-4000-8000-00000000000${number}`, 0));
    await turn();
    const [one, same, further] = [pages.read(testRunId, 0), pages.read(testRunId, 0), pages.read(testRunId, 1)];
    expect(log.begun).toHaveLength(3);
    log.letGo();
    await Promise.all(busy);
    await turn();
    expect(log.begun.slice(3)).toEqual([`${testRunId} 0`, `${testRunId} 1`]);
    // What is committed now is not in the read that has begun: who asks now has one of its own.
    await runs.testRuns.cancel(testRunId);
    const later = pages.read(testRunId, 0);
    await turn();
    expect(log.begun.slice(3)).toEqual([`${testRunId} 0`, `${testRunId} 1`, `${testRunId} 0`]);
    log.letGo();
    expect(await same).toBe(await one);
    expect((await later).frames.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect((await later).joined).toMatchObject({ seq: 3, final: true });
    expect((await further).frames.map(({ seq }) => seq)).toEqual([2, 3]);
  });

  test('are read by a few at a time, and a read that fails gives its place back', async () => {
    const { testRunId } = await runs.createRun();
    const log = new HeldLog(runs.database);
    const pages = new LogPageReader(log);
    log.isAway = true;
    const failing = [1, 2, 3, 4, 5].map((after) => pages.read(testRunId, after));
    const failed = Promise.allSettled(failing);
    await turn();
    expect(log.begun).toHaveLength(3);
    log.letGo();
    await turn();
    await turn();
    expect(log.begun).toHaveLength(5);
    log.letGo();
    expect(new Set((await failed).map(({ status }) => status))).toEqual(new Set(['rejected']));
    log.isAway = false;
    const page = pages.read(testRunId, 1);
    await turn();
    log.letGo();
    expect(await page).toEqual({ frames: [], joined: undefined });
  });
});
