import { randomUUID } from 'node:crypto';
import { TooManyScheduledRuns } from '../../../src/engine/ledger/new-test-run';
import { TestRunLedger } from '../../../src/engine/ledger/test-run.ledger';
import { CommittedEvents } from '../../../src/engine/ledger/run-log';
import type { NewRunSet } from '../../../src/engine/ledger/new-run-set';
import type { Transaction } from '../../../src/platform/database/connections';
import { untilWaiting } from '../../setup/lock-waits';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
beforeEach(async () => {
  runs = await openStoredRuns();
});
afterEach(() => runs.close());

const newSet = async (scheduledAt: string | null = null): Promise<NewRunSet> => {
  const first = await runs.newRun({ scenarios: 2, trials: 2, scheduledAt });
  const planned = first.planned.map((one, place) => ({ ...one, seed: place }));
  const others = [1, 2].map(() => ({ ...first, id: randomUUID(), planned, test_run_id: `run_${randomUUID()}` }));
  return { id: randomUUID(), name: 'Which one', runs: [{ ...first, planned }, ...others] };
};

const countOf = async (table: string): Promise<number> => (await runs.database.query(`SELECT FROM ${table}`)).length;

describe('a new set of runs', () => {
  test('is stored whole, each run with its place and the same seeds', async () => {
    const set = await newSet();
    const claims = await runs.testRuns.createSet(set);
    expect(claims.map(({ testRunId }) => testRunId)).toEqual(set.runs.map(({ id }) => id));
    expect(await runs.database.query('SELECT id, name FROM run_sets')).toEqual([{ id: set.id, name: 'Which one' }]);
    const rows = await runs.database.query(
      `SELECT t.run_set_place AS place, array_agg(s.examination->>'seed' ORDER BY s.position) AS seeds,
              array_agg(DISTINCT s.examination->>'region') AS regions
       FROM test_runs t JOIN scenario_runs s ON s.test_run_id = t.id WHERE t.run_set_id = $1 GROUP BY 1 ORDER BY 1`,
      [set.id],
    );
    const region = set.runs[0]?.region ?? null;
    expect(rows).toEqual([1, 2, 3].map((place) => ({ place, seeds: ['0', '1', '2', '3'], regions: [region] })));
  });

  test('is stored once when the answer was lost, and answered the same', async () => {
    const set = await newSet();
    const claims = await runs.testRuns.createSet(set);
    expect(await runs.testRuns.createSet(set)).toEqual(claims);
    expect([await countOf('run_sets'), await countOf('scenario_runs'), await countOf('run_log')]).toEqual([1, 12, 3]);
    expect(runs.told.map(({ run_id, seq }) => [run_id, seq])).toEqual(set.runs.map(({ id }) => [id, 1]));
  });

  test('is not stored at all when one of its runs would be one too many that wait', async () => {
    const limits = { mostScheduled: 2, graceSeconds: 3_600 };
    const ledger = new TestRunLedger(runs.database, new CommittedEvents(), limits);
    const set = await newSet(new Date(Date.now() + 3_600_000).toISOString());
    await expect(ledger.createSet(set)).rejects.toThrow(TooManyScheduledRuns);
    expect([await countOf('run_sets'), await countOf('test_runs'), await countOf('scenario_runs')]).toEqual([0, 0, 0]);
  });

  test('is canceled together, once; what is not there is told', async () => {
    const set = await newSet();
    await runs.testRuns.createSet(set);
    const ids = set.runs.map(({ id }) => id);
    const unknown = randomUUID();
    await runs.testRuns.cancel(ids[1] ?? '');
    const told = runs.told.length;
    const outcomes = await runs.testRuns.cancelAll([...ids, unknown]);
    expect(ids.map((id) => outcomes.get(id)?.kind)).toEqual(['canceled', 'alreadyFinal', 'canceled']);
    expect(outcomes.get(unknown)).toEqual({ kind: 'unknown' });
    const canceled = runs.told.slice(told);
    expect(new Set(canceled.map(({ run_id }) => run_id))).toEqual(new Set([ids[0], ids[2]]));
    expect(canceled.filter(({ type }) => type === 'test_run_canceled')).toHaveLength(2);
  });

  test('is canceled in the order in which every writer locks several runs, however they are named', async () => {
    const set = await newSet();
    await runs.testRuns.createSet(set);
    const [first = '', second = '', last = ''] = set.runs.map(({ id }) => id).sort();
    const canceling = await whileLocked('SELECT FROM test_runs WHERE id = $1 FOR UPDATE', [second], async (tx) => {
      const outcome = runs.testRuns.cancelAll([last, second, first]);
      await untilWaiting(runs.database, outcome);
      const free = await tx.query<{ id: string }>(
        'SELECT id FROM test_runs WHERE id = ANY($1::uuid[]) FOR UPDATE SKIP LOCKED',
        [[first, last]],
      );
      return { free: free.map(({ id }) => id), outcome };
    });
    expect(canceling.free).toEqual([last]);
    expect([...(await canceling.outcome).values()].map(({ kind }) => kind)).toEqual(Array(3).fill('canceled'));
  });

  test('waits for a change of its scenarios that is under way, so that all of its runs examine by the same copies', async () => {
    const set = await newSet();
    const storing = await whileLocked(`UPDATE scenarios SET name = 'Changed ' || name`, [], async () => {
      const claims = runs.testRuns.createSet(set);
      await untilWaiting(runs.database, claims);
      return { claims };
    });
    expect(await storing.claims).toHaveLength(3);
    expect(await runs.database.query('SELECT DISTINCT scenario_name AS name FROM scenario_runs ORDER BY 1')).toEqual([
      { name: 'Changed Scenario 1' },
      { name: 'Changed Scenario 2' },
    ]);
  });
});

/** What is done while another session has locked something; it commits afterwards. */
const whileLocked = <Done>(lock: string, params: unknown[], work: (other: Transaction) => Promise<Done>) =>
  runs.database.engine.transaction(async (tx) => {
    await tx.query(lock, params);
    return work(tx);
  });
