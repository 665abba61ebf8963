import { randomUUID } from 'node:crypto';
import type { Counts } from '../../../src/domain/run-events';
import { MAX_ATTEMPTS } from '../../../src/engine/ledger/lease';
import { FailedSupervisions } from '../../../src/engine/ledger/failed-supervisions';
import { CommittedEvents, appendEvents } from '../../../src/engine/ledger/run-log';
import { CLAIM } from '../../../src/engine/ledger/functions';
import { countScenarioRuns } from '../../../src/engine/ledger/run-end';
import type { AttemptRef } from '../../../src/engine/ledger/scenario-run.changes';
import { rowsRead } from '../../setup/rows-read';
import { exchange, openStoredRuns, PASSED, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

async function claimedRun(scenarios: number) {
  const owner = randomUUID();
  const { testRunId, unsettled } = await runs.createRun({ scenarios, owner });
  const refs: AttemptRef[] = [];
  for (const scenarioRunId of unsettled) {
    await runs.claim(scenarioRunId, testRunId, owner);
    refs.push({ scenarioRunId, testRunId, owner, attempt: 1 });
  }
  return { testRunId, owner, refs };
}

/** The counts beside the run's last event. */
async function keptCounts(testRunId: string): Promise<Counts> {
  const [kept] = await runs.database.query<Counts>(
    `SELECT passed_count AS passed, failed_count AS failed, error_count AS error, canceled_count AS canceled,
            total_scenarios AS total FROM test_runs WHERE id = $1`,
    [testRunId],
  );
  if (kept === undefined) throw new Error('The run is gone.');
  return kept;
}

const expectKept = async (testRunId: string) =>
  expect(await keptCounts(testRunId)).toEqual(await countScenarioRuns(runs.database, testRunId));

const lastTold = (testRunId: string) =>
  runs.told.filter((event) => event.run_id === testRunId).flatMap((event) => ('counts' in event ? [event.counts] : []));

const record = (ref: AttemptRef, change: 'turn' | 'verdict' | 'lost' | 'failure' | 'release') => {
  switch (change) {
    case 'turn':
      return runs.scenarioRuns.record({
        ...ref,
        kind: 'turn',
        exchange: exchange(1),
        continuation: null,
        metadata: {},
        startsGrading: true,
      });
    case 'verdict':
    case 'lost': {
      const verdict = { ...PASSED, passed: change === 'verdict' };
      return runs.scenarioRuns.record({ ...ref, kind: 'verdict', verdict, metadata: {} });
    }
    case 'failure': {
      const failure = { code: 'provider_error', message: 'No.' } as const;
      return runs.scenarioRuns.record({ ...ref, kind: 'failure', failure, metadata: {} });
    }
    case 'release':
      return runs.scenarioRuns.record({ ...ref, kind: 'release', sentTurns: 0 });
  }
};

test('the counts kept with a run are those of its rows after every kind of change', async () => {
  const { testRunId, owner, refs } = await claimedRun(6);
  const [passed, failed, broken, released, tired, waiting] = refs;
  if (!passed || !failed || !broken || !released || !tired || !waiting) throw new Error('There are six.');
  await expectKept(testRunId);
  for (const ref of [passed, failed]) await record(ref, 'turn');
  await expectKept(testRunId);
  await Promise.all([record(passed, 'verdict'), record(failed, 'lost'), record(broken, 'failure')]);
  await expectKept(testRunId);
  // A repeated one, whose answer was lost, is counted once.
  await Promise.all([record(passed, 'verdict'), record(broken, 'failure')]);
  await expectKept(testRunId);
  await record(released, 'release');
  await runs.claim(released.scenarioRunId, testRunId, owner);
  await runs.database.query('UPDATE scenario_runs SET attempt = $2 WHERE id = $1', [tired.scenarioRunId, MAX_ATTEMPTS]);
  expect(await runs.claim(tired.scenarioRunId, testRunId, owner)).toMatchObject({ kind: 'exhausted' });
  await expectKept(testRunId);
  expect(lastTold(testRunId).at(-1)).toEqual({ passed: 1, failed: 1, error: 2, canceled: 0, total: 6 });
  await runs.testRuns.cancel(testRunId);
  await expectKept(testRunId);
  expect(await keptCounts(testRunId)).toEqual({ passed: 1, failed: 1, error: 2, canceled: 2, total: 6 });
});

test('so they are in a run that ends by itself, and in one that is given up', async () => {
  const ended = await claimedRun(2);
  for (const ref of ended.refs) await record(ref, 'failure');
  await runs.testRuns.finish({ ...ended, attempt: 1 });
  await expectKept(ended.testRunId);
  const givenUp = await claimedRun(3);
  const [first] = givenUp.refs;
  if (first) await record(first, 'failure');
  await new FailedSupervisions(runs.database, new CommittedEvents()).end(givenUp.testRunId);
  await expectKept(givenUp.testRunId);
  expect(await keptCounts(givenUp.testRunId)).toMatchObject({ error: 3, total: 3 });
});

test('what is answered of a run is counted from its rows, whatever is kept beside it', async () => {
  const { testRunId, refs } = await claimedRun(3);
  const [first] = refs;
  if (first) await record(first, 'failure');
  await runs.database.query(
    `UPDATE test_runs SET passed_count = 9, failed_count = 9, error_count = 9, canceled_count = 9, total_scenarios = 9
     WHERE id = $1`,
    [testRunId],
  );
  expect(await runs.reads.find(testRunId)).toMatchObject({
    passed_count: 0,
    failed_count: 0,
    error_count: 1,
    canceled_count: 0,
    total_scenarios: 3,
  });
});

/** Of 5,000 scenario runs that wait in the run. */
const WAITING = `INSERT INTO scenario_runs (id, test_run_id, scenario_id, position, scenario_name, scenario)
  SELECT gen_random_uuid(), '$RUN', gen_random_uuid(), 1000 + n, '', '{}' FROM generate_series(1, 5000) n`;
const CLAIM_NOTHING = `SELECT FROM ${CLAIM.name}(ARRAY['$RUN']::uuid[], ARRAY[gen_random_uuid()], gen_random_uuid(), 15, '{}', '{}', 50, '{}', 0)`;

describe('in a run of thousands', () => {
  async function largeRun() {
    const run = await claimedRun(2);
    await runs.database.query(WAITING.replace('$RUN', run.testRunId));
    await runs.database.query('UPDATE test_runs SET total_scenarios = 5002 WHERE id = $1', [run.testRunId]);
    return run;
  }

  test('a scenario run that settles has the database read none of the others', async () => {
    const { testRunId, refs } = await largeRun();
    const scenario_run_id = refs[0]?.scenarioRunId ?? '';
    const read = await runs.database.transaction(async (tx) => {
      const before = await rowsRead(tx);
      await tx.query(`UPDATE scenario_runs SET status = 'error' WHERE id = $1`, [scenario_run_id]);
      await appendEvents(tx, testRunId, [
        { type: 'scenario_error', scenario_run_id, error_code: 'internal', error: '' },
      ]);
      return (await rowsRead(tx)) - before;
    });
    expect(read).toBeLessThanOrEqual(10);
    expect(read).toBeGreaterThan(0);
    await expectKept(testRunId);
  });

  const ANALYZE = 'ANALYZE scenario_runs';
  const ALL = (status: string) => `UPDATE scenario_runs SET status = '${status}' WHERE owner IS NULL`;

  // PostgreSQL plans by statistics, which are as old as the last ANALYZE: autovacuum makes one at any moment, or not for a minute.
  test.each<[string, string[]]>([
    ['they are of now', [ANALYZE]],
    [
      'they are of when the table was all but empty',
      ['DELETE FROM scenario_runs WHERE owner IS NULL', ANALYZE, WAITING],
    ],
    ['they are of when everything had ended', [ALL('passed'), ANALYZE, ALL('pending')]],
    ['they are of when everything was under way', [ALL('running'), ANALYZE, ALL('pending')]],
    [
      'the plan is of when the table was all but empty',
      ['DELETE FROM scenario_runs WHERE owner IS NULL', ANALYZE, CLAIM_NOTHING, WAITING],
    ],
  ])('a claim looks at none of those that wait, where of statistics %s', async (_when, before) => {
    const { testRunId, owner, refs } = await largeRun();
    const mine = refs[0]?.scenarioRunId;
    const read = await runs.database.transaction(async (tx) => {
      await tx.query('DISCARD PLANS');
      for (const statement of before) await tx.query(statement.replaceAll('$RUN', testRunId));
      await tx.query('UPDATE scenario_runs SET owner = NULL WHERE id = $1', [mine]);
      const already = await rowsRead(tx);
      const claimed = await tx.query<{ kind: string | null }>(
        `SELECT kind FROM ${CLAIM.name}($1, $2, $3, 15, '{}', '{}', 50, '{}', 0)`,
        [[testRunId], [mine], owner],
      );
      expect(claimed.map(({ kind }) => kind)).toEqual(['claimed', null]);
      return (await rowsRead(tx)) - already;
    });
    expect(read).toBeLessThan(20);
  });
});
