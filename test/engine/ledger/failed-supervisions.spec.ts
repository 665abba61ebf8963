import { randomUUID } from 'node:crypto';
import type { RunEvent } from '../../../src/domain/run-events';
import { MAX_FAILED_SUPERVISIONS } from '../../../src/engine/ledger/lease';
import { CommittedEvents } from '../../../src/engine/ledger/run-log';
import { EventLogStore } from '../../../src/features/stream/event-log.store';
import { FailedSupervisions } from '../../../src/engine/ledger/failed-supervisions';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
let failures: FailedSupervisions;
const told: RunEvent[] = [];
beforeAll(async () => {
  runs = await openStoredRuns();
  const committed = new CommittedEvents();
  committed.stream.subscribe((event) => told.push(event));
  failures = new FailedSupervisions(runs.database, committed);
});
afterAll(() => runs.close());

const adoptable = async (testRunId: string) => {
  const claims = await runs.testRuns.adopt(randomUUID(), 100);
  return claims.find((claim) => claim.testRunId === testRunId);
};

describe('a run whose supervision fails', () => {
  test('is adopted again until it has failed too often; then it is found and ended', async () => {
    const owner = randomUUID();
    const run = await runs.createRun({ scenarios: 3, owner });
    const [settled = '', ...open] = run.unsettled;
    await runs.claim(settled, run.testRunId, owner);
    const failure = { code: 'provider_error', message: 'No.' } as const;
    await runs.scenarioRuns.record({
      scenarioRunId: settled,
      testRunId: run.testRunId,
      owner,
      attempt: 1,
      kind: 'failure',
      failure,
      metadata: {},
    });
    let supervision = { testRunId: run.testRunId, owner, attempt: run.attempt };
    for (let failed = 1; failed < MAX_FAILED_SUPERVISIONS; failed += 1) {
      await failures.note(supervision);
      expect(await failures.find()).toEqual([]);
      const nextOwner = randomUUID();
      const [claim] = await runs.testRuns.adopt(nextOwner, 100);
      if (claim === undefined) throw new Error('The run was not adopted.');
      supervision = { testRunId: run.testRunId, owner: nextOwner, attempt: claim.attempt };
    }
    await failures.note({ ...supervision, attempt: 1 });
    expect(await failures.find()).toEqual([]);
    await failures.note(supervision);
    expect(await failures.find()).toEqual([run.testRunId]);
    expect(await adoptable(run.testRunId)).toBeUndefined();

    expect(await failures.end(run.testRunId)).toBe(true);
    expect(await failures.end(run.testRunId)).toBe(false);
    expect(await failures.end(randomUUID())).toBe(false);
    expect(await failures.find()).toEqual([]);
    expect(await runs.reads.find(run.testRunId)).toMatchObject({
      status: 'failed',
      error_message: expect.stringContaining(`${MAX_FAILED_SUPERVISIONS} failures`),
      error_count: 3,
      total_scenarios: 3,
    });
    expect(await runs.scenarioRunReads.find(settled)).toMatchObject({ error_message: 'No.' });
    const stored = await new EventLogStore(runs.database).readAfter(run.testRunId, 3, { events: 10, bytes: 100_000 });
    expect(stored.map(({ json }) => JSON.parse(json))).toEqual([
      ...open.map((_, at) =>
        expect.objectContaining({
          seq: 4 + at,
          type: 'scenario_error',
          scenario_run_id: expect.any(String),
          error_code: 'internal',
          counts: expect.objectContaining({ error: 2 + at, total: 3 }),
        }),
      ),
      expect.objectContaining({ seq: 6, type: 'test_run_failed', error_count: 3 }),
    ]);
    // Each in an error of its own, in whatever order.
    const ended = told.flatMap((event) => (event.type === 'scenario_error' ? [event.scenario_run_id] : []));
    expect(ended.sort()).toEqual([...open].sort());
    // Whoever follows the run hears its end as it was stored, once.
    expect(told).toEqual(stored.map(({ json }) => JSON.parse(json)));
  });

  test('is not counted as failing by handing it over', async () => {
    const owner = randomUUID();
    const run = await runs.createRun({ owner });
    for (let times = 0; times <= MAX_FAILED_SUPERVISIONS; times += 1) await runs.ownership.releaseAll();
    await runs.testRuns.release({ testRunId: run.testRunId, owner, attempt: 1 });
    expect(await failures.find()).toEqual([]);
    expect(await adoptable(run.testRunId)).toMatchObject({ attempt: 2 });
  });
});
