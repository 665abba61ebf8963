import { randomUUID } from 'node:crypto';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

async function claimed(owner: string) {
  const { testRunId, unsettled } = await runs.createRun({ owner });
  const [scenarioRunId = ''] = unsettled;
  await runs.claim(scenarioRunId, testRunId, owner);
  return { testRunId, scenarioRunId, attempt: { scenarioRunId, attempt: 1 } };
}

describe('the attempts that a process no longer owns', () => {
  test('are those of others, of later attempts, of canceled runs and of deleted ones, each with the reason', async () => {
    const owner = randomUUID();
    const [kept, taken, repeated, canceled, deleted] = [
      await claimed(owner),
      await claimed(owner),
      await claimed(owner),
      await claimed(owner),
      await claimed(owner),
    ];
    await runs.database.query('UPDATE scenario_runs SET owner = $2 WHERE id = $1', [taken.scenarioRunId, randomUUID()]);
    await runs.claim(repeated.scenarioRunId, repeated.testRunId, owner);
    await runs.testRuns.cancel(canceled.testRunId);
    await runs.database.query('DELETE FROM scenario_runs WHERE id = $1', [deleted.scenarioRunId]);
    const all = [kept, taken, repeated, canceled, deleted].map(({ attempt }) => attempt);
    const lost = await runs.ownership.findLostAttempts(owner, all);
    expect(new Map(lost.map(({ scenarioRunId, isCanceled }) => [scenarioRunId, isCanceled]))).toEqual(
      new Map([
        [taken.scenarioRunId, false],
        [repeated.scenarioRunId, false],
        [canceled.scenarioRunId, true],
        [deleted.scenarioRunId, true],
      ]),
    );
    expect(lost.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1]);
    expect(await runs.ownership.findLostAttempts(owner, [])).toEqual([]);
  });
});

describe('the runs that were called off', () => {
  test('are those that were canceled or deleted, and no others', async () => {
    const owner = randomUUID();
    const [going, canceled, deleted] = [await claimed(owner), await claimed(owner), await claimed(owner)];
    await runs.testRuns.cancel(canceled.testRunId);
    await runs.testRuns.delete(deleted.testRunId);
    const found = await runs.ownership.findCanceledRuns([going.testRunId, canceled.testRunId, deleted.testRunId]);
    expect(new Set(found)).toEqual(new Set([canceled.testRunId, deleted.testRunId]));
    expect(await runs.ownership.findCanceledRuns([])).toEqual([]);
  });
});

describe('how scenario runs stand', () => {
  test('is told of those that are there, with the attempt and whether a living process has them', async () => {
    const owner = randomUUID();
    const [{ testRunId, scenarioRunId }, silent] = [await claimed(owner), await claimed(owner)];
    await runs.database.query(`UPDATE scenario_runs SET heartbeat_at = now() - interval '1 hour' WHERE id = $1`, [
      silent.scenarioRunId,
    ]);
    const standings = await runs.ownership.findStanding([scenarioRunId, silent.scenarioRunId, randomUUID()]);
    expect(standings).toHaveLength(2);
    const alike = { status: 'running', attempt: 1 };
    expect(standings).toContainEqual({ ...alike, scenarioRunId, testRunId, isUnowned: false });
    expect(standings).toContainEqual({
      ...alike,
      scenarioRunId: silent.scenarioRunId,
      testRunId: silent.testRunId,
      isUnowned: true,
    });
    expect(await runs.ownership.findStanding([])).toEqual([]);
  });
});

describe('heartbeats', () => {
  const isBeating = async (table: string, id: string) =>
    (await runs.database.query(`SELECT FROM ${table} WHERE id = $1 AND heartbeat_at > now() - interval '1 hour'`, [id]))
      .length > 0;

  test('are renewed of runs where a process has no attempt, of attempts where it has no run, and of both', async () => {
    const owner = randomUUID();
    const { testRunId, scenarioRunId, attempt } = await claimed(owner);
    const renewed = async (attempts: Parameters<StoredRuns['ownership']['renew']>[1], testRunIds: string[]) => {
      const age = `now() - interval '1 day'`;
      await runs.database.query(`UPDATE test_runs SET heartbeat_at = ${age} WHERE id = $1`, [testRunId]);
      await runs.database.query(`UPDATE scenario_runs SET heartbeat_at = ${age} WHERE id = $1`, [scenarioRunId]);
      await runs.ownership.renew(owner, attempts, testRunIds);
      return [await isBeating('test_runs', testRunId), await isBeating('scenario_runs', scenarioRunId)];
    };
    expect(await renewed([], [testRunId])).toEqual([true, false]);
    expect(await renewed([attempt], [])).toEqual([false, true]);
    expect(await renewed([attempt], [testRunId])).toEqual([true, true]);
    expect(await renewed([], [])).toEqual([false, false]);
  });

  test('of a run that has ended, or that another process has, are left as they are', async () => {
    const owner = randomUUID();
    const [ended, taken, own] = [await claimed(owner), await claimed(randomUUID()), await claimed(owner)];
    await runs.testRuns.cancel(ended.testRunId);
    const ids = [ended.testRunId, taken.testRunId, own.testRunId];
    await runs.database.query(
      `UPDATE test_runs SET heartbeat_at = now() - interval '1 day' WHERE id = ANY($1::uuid[])`,
      [ids],
    );
    await runs.ownership.renew(owner, [], ids);
    expect(await Promise.all(ids.map((id) => isBeating('test_runs', id)))).toEqual([false, false, true]);
  });
});

test('the time until a moment is that of the database’s clock, and below zero once it has passed', async () => {
  const hours = async (interval: string) => {
    const [row] = await runs.database.query<{ time: Date }>(`SELECT now() + $1::interval AS time`, [interval]);
    return Math.round((await runs.ownership.millisecondsUntil(row?.time.toISOString() ?? '')) / 3_600_000);
  };
  expect(await hours('9 hours')).toBe(9);
  expect(await hours('-9 hours')).toBe(-9);
});
