import { randomUUID } from 'node:crypto';
import { clearDeletedRun, deleteOlderThan, type Cleared } from '../../../src/features/runs/deleted-runs.store';
import { silentLog } from '../../../src/platform/config/log';
import { ADVISORY_LOCKS } from '../../../src/platform/database/advisory-locks';
import { UpkeepTask, type Upkeep } from '../../../src/platform/jobs/upkeep';
import { EventLogStore } from '../../../src/features/stream/event-log.store';
import type { AttemptRef } from '../../../src/engine/ledger/scenario-run.changes';
import { exchange, openStoredRuns, type StoredRuns } from '../../setup/stored-run';

const ALL = { events: 100_000, bytes: 1e9 };

let runs: StoredRuns;
beforeEach(async () => {
  runs = await openStoredRuns();
});
afterEach(() => runs.close());

/** A canceled run; its first scenario run has two turns. */
async function storedRun(scenarios: number): Promise<AttemptRef> {
  const owner = randomUUID();
  const { testRunId, unsettled } = await runs.createRun({ scenarios });
  const [scenarioRunId = ''] = unsettled;
  await runs.claim(scenarioRunId, testRunId, owner);
  const ref = { testRunId, scenarioRunId, owner, attempt: 1 };
  for (const turn of [1, 2]) {
    const said = { kind: 'turn', exchange: exchange(turn), continuation: null, metadata: {} } as const;
    expect(await runs.scenarioRuns.record({ ...ref, ...said })).toBe('committed');
  }
  await runs.testRuns.cancel(testRunId);
  return ref;
}

/** Ends the run so long ago. */
const endedDaysAgo = (testRunId: string, days: number) =>
  runs.database.query(
    `UPDATE test_runs SET created_at = now() - make_interval(days => $2, mins => 2),
       completed_at = now() - make_interval(days => $2, mins => 1) WHERE id = $1`,
    [testRunId, days],
  );

const clearPiece = () => runs.database.transaction(clearDeletedRun);
const upkeep: Upkeep = {
  name: 'clear deleted runs',
  everyMs: 60_000,
  lock: ADVISORY_LOCKS.deletedRuns,
  round: (inPieces) => inPieces(clearDeletedRun),
};
const deleteOld = (days: number, clock?: Date) => runs.database.transaction((tx) => deleteOlderThan(tx, days, clock));

async function clearAll(): Promise<Cleared[]> {
  const pieces: Cleared[] = [];
  for (let piece = await clearPiece(); piece !== null; piece = await clearPiece()) pieces.push(piece);
  return pieces;
}

async function rowsLeft(): Promise<Record<string, number>> {
  const [row] = await runs.database.query<Record<string, number>>(
    `SELECT (SELECT count(*) FROM test_runs)::int AS runs, (SELECT count(*) FROM scenario_runs)::int AS scenario_runs,
            (SELECT count(*) FROM turns)::int AS turns, (SELECT count(*) FROM run_log)::int AS events,
            (SELECT count(*) FROM run_examiners)::int AS examiners, (SELECT count(*) FROM deleted_test_runs)::int AS noted`,
  );
  return row ?? {};
}

describe('clearing away what deleted runs left behind', () => {
  test('goes piece by piece, takes everything of them, and nothing of others', async () => {
    const kept = await storedRun(2);
    const before = await rowsLeft();
    const large = await storedRun(120);
    await runs.testRuns.delete(large.testRunId);
    const pieces = await clearAll();
    expect(pieces.map(({ runs, scenarioRuns }) => [runs, scenarioRuns])).toEqual([
      [0, 50],
      [0, 50],
      [1, 20],
    ]);
    expect(pieces.reduce((turns, piece) => turns + piece.turns, 0)).toBe(2);
    expect(await rowsLeft()).toEqual(before);
    expect(await runs.scenarioRunReads.find(kept.scenarioRunId)).toMatchObject({ turns: 2 });
  });

  test('takes the events first, the last of them first: whoever still reads misses none in between', async () => {
    const { testRunId } = await storedRun(1_200);
    await runs.testRuns.delete(testRunId);
    await clearPiece();
    const left = await new EventLogStore(runs.database).readAfter(testRunId, 0, ALL);
    expect(left.map(({ seq }) => seq)).toEqual(left.map((_, place) => place + 1));
    expect(left.length).toBeGreaterThan(0);
    expect(await runs.database.query('SELECT FROM scenario_runs WHERE test_run_id = $1', [testRunId])).toHaveLength(
      1_200,
    );
  });

  test('goes on where a process was killed, and is done by one process at a time', async () => {
    const { testRunId } = await storedRun(60);
    await runs.testRuns.delete(testRunId);
    await clearPiece();
    const other = await openStoredRuns(runs.testDatabase);
    const others = new UpkeepTask(upkeep, other.database, silentLog);
    await runs.database.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [upkeep.lock]);
      await others.round();
      expect(await rowsLeft()).toMatchObject({ scenario_runs: 10, noted: 1 });
    });
    await others.round();
    expect(await rowsLeft()).toMatchObject({ scenario_runs: 0, noted: 0 });
    await other.close();
  });
});

describe('deleting runs that ended too long ago', () => {
  test('takes those that are final and older, and no others', async () => {
    const old = await storedRun(1);
    const young = await storedRun(1);
    const { testRunId: live } = await runs.createRun();
    const { testRunId: scheduled } = await runs.createRun({ scheduledAt: '2199-01-01T00:00:00Z' });
    await endedDaysAgo(old.testRunId, 30);
    await endedDaysAgo(young.testRunId, 29);
    await runs.database.query(
      `UPDATE test_runs SET created_at = now() - interval '90 days' WHERE id = ANY($1::uuid[])`,
      [[live, scheduled]],
    );
    expect(await deleteOld(30)).toHaveLength(1);
    expect(await deleteOld(30)).toHaveLength(0);
    const left = await runs.database.query<{ id: string }>('SELECT id FROM test_runs');
    expect(new Set(left.map(({ id }) => id))).toEqual(new Set([young.testRunId, live, scheduled]));
    expect(await clearAll()).toHaveLength(1);
  });

  test('keeps the baseline of an agent for as long as it is one', async () => {
    const { testRunId } = await storedRun(1);
    await endedDaysAgo(testRunId, 400);
    await runs.database.query(
      'UPDATE agents SET baseline_test_run_id = $1 WHERE id = (SELECT agent_id FROM test_runs WHERE id = $1)',
      [testRunId],
    );
    expect(await deleteOld(30)).toHaveLength(0);
    await runs.database.query('UPDATE agents SET deleted_at = now() WHERE baseline_test_run_id = $1', [testRunId]);
    expect(await deleteOld(30)).toHaveLength(1);
  });

  test('believes no clock alone: neither PostgreSQL’s nor that of the process deletes what the other one calls young', async () => {
    const days = (number: number): Date => new Date(Date.now() + number * 86_400_000);
    const { testRunId } = await storedRun(1);
    await endedDaysAgo(testRunId, 31);
    expect(await deleteOld(30, days(-10))).toEqual([]);
    await endedDaysAgo(testRunId, 29);
    expect(await deleteOld(30, days(4_000))).toEqual([]);
    await endedDaysAgo(testRunId, 31);
    expect(await deleteOld(30)).toEqual([testRunId]);
  });

  test('takes a few at a time', async () => {
    for (let run = 0; run < 23; run += 1) await endedDaysAgo((await storedRun(1)).testRunId, 30);
    expect(await deleteOld(30)).toHaveLength(20);
    expect(await deleteOld(30)).toHaveLength(3);
  });
});
