import { AttemptLeases } from '../../src/actors/attempt-leases';
import { OwnershipStore, type OwnedAttempt } from '../../src/persistence/ownership.store';
import { openStoredRuns, type StoredRuns } from '../setup/stored-run';

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

const { signal } = new AbortController();
/** Longer ago than an attempt may take its row for granted. */
const LONG_AGO_MS = 60_000;

class CountedLooks extends OwnershipStore {
  /** Of each look, how many attempts it asked about. */
  readonly looks: number[] = [];

  override findLostAttempts(owner: string, attempts: readonly OwnedAttempt[]) {
    this.looks.push(attempts.length);
    return super.findLostAttempts(owner, attempts);
  }
}

/** Attempts of one process, which last saw themselves own their rows so long ago. */
async function attempts(count: number, seenMsAgo: number) {
  const run = await runs.createRun({ scenarios: count });
  const ownership = new CountedLooks(runs.database);
  const leases = new AttemptLeases(ownership, runs.database);
  const owner = '5f0e4f4e-6f0c-4d0c-9d8e-0c6f3c8a1b2d';
  const { testRunId } = run;
  const began = await Promise.all(
    run.unsettled.map(async (scenarioRunId) => {
      const claim = await runs.claim(scenarioRunId, testRunId, owner);
      if (claim.kind !== 'claimed') throw new Error('The scenario run was not claimed.');
      const ref = { scenarioRunId, testRunId, owner, attempt: claim.attempt };
      return leases.begin(ref, performance.now() - seenMsAgo);
    }),
  );
  return { testRunId, ownership, leases, began };
}

describe('an outside call', () => {
  test('asks nobody while the row was seen to be the attempt’s a moment ago', async () => {
    const { ownership, began } = await attempts(1, 0);
    await began[0]?.assure(signal);
    expect(ownership.looks).toEqual([]);
  });

  test('asks the rows when that is long ago, in one look with all others who ask meanwhile', async () => {
    const { ownership, began } = await attempts(3, LONG_AGO_MS);
    await Promise.all(began.map((lease) => lease.assure(signal)));
    expect(ownership.looks).toEqual([3]);
    await Promise.all(began.map((lease) => lease.assure(signal)));
    expect(ownership.looks).toEqual([3]);
  });

  test('asks nobody when a look at all rows of the process has renewed the lease', async () => {
    const { ownership, leases, began } = await attempts(3, LONG_AGO_MS);
    await leases.look(began);
    await Promise.all(began.map((lease) => lease.assure(signal)));
    expect(ownership.looks).toEqual([3]);
  });

  test('is not made for a row that was canceled, and the actor hears of it first', async () => {
    const { testRunId, began } = await attempts(1, LONG_AGO_MS);
    await runs.testRuns.cancel(testRunId);
    const heard: string[] = [];
    began[0]?.onLoss((loss) => heard.push(loss));
    await expect(began[0]?.assure(signal)).rejects.toThrow('canceled');
    expect(heard).toEqual(['canceled']);
  });

  test('is not made for a row that another attempt owns', async () => {
    const { leases, began } = await attempts(1, LONG_AGO_MS);
    const [lease] = began;
    await runs.ownership.releaseAll();
    const { scenarioRunId = '', testRunId = '', owner = '' } = lease?.ref ?? {};
    const next = await runs.claim(scenarioRunId, testRunId, owner);
    if (next.kind !== 'claimed') throw new Error('The scenario run was not claimed again.');
    const newer = leases.begin({ scenarioRunId, testRunId, owner, attempt: next.attempt }, performance.now());
    await expect(lease?.assure(signal)).rejects.toThrow('superseded');
    await leases.look([newer]);
    await newer.assure(signal);
  });
});
