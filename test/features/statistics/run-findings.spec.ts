import type { Examiners } from '../../../src/engine/ledger';
import {
  queuedStatements,
  readFindings,
  readParticipants,
  type Ending,
} from '../../../src/features/statistics/run-findings';
import { scenariosToRun } from '../../setup/graded-run';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
let ids: readonly string[];
let run: Awaited<ReturnType<typeof scenariosToRun>>['run'];
beforeAll(async () => {
  runs = await openStoredRuns();
  ({ ids, run } = await scenariosToRun(runs.database, ['A', 'B', 'C', 'D']));
});
afterAll(() => runs.close());

const by = (judge: string): Examiners => ({
  tester: { name: 'offline', model: null, prompt_version: null },
  judge: { name: judge, model: 'm', prompt_version: 'v1' },
});

/** Tells of the conversations in these places of a run that others examined. */
const examinedBy = (id: string, examiners: Examiners | null, positions: readonly number[]) =>
  runs.database.query('UPDATE scenario_runs SET examiners = $2 WHERE test_run_id = $1 AND position = ANY($3::int[])', [
    id,
    examiners === null ? null : JSON.stringify(examiners),
    positions,
  ]);

describe('who examined in a run', () => {
  test('is told with those who examined most conversations first, however they ended, and without those of whom nobody did', async () => {
    const id = await run([['passed'], ['failed'], ['connect_failed'], ['passed']]);
    await examinedBy(id, by('often'), [1, 2, 3]);
    await examinedBy(id, by('once'), [4]);
    expect((await readFindings(runs.database, id)).examiners).toEqual([by('often'), by('once')]);
    await examinedBy(id, null, [1, 2, 3]);
    expect((await readFindings(runs.database, id)).examiners).toEqual([by('once')]);
    expect((await readParticipants(runs.database, id)).examiners).toEqual([by('once')]);
  });

  test('stands beside the patients who took part, each once, in alphabetical order', async () => {
    const id = await run([['passed'], ['passed'], ['canceled']], {
      patients: [
        { style: 'low_literacy', language: 'en' },
        { style: 'anxious', language: 'de' },
      ],
    });
    // Those of whom most conversations ended alike are read first.
    await runs.database.query(
      `UPDATE scenario_runs SET status = 'failed', examiners = $2 WHERE test_run_id = $1 AND position = 2`,
      [id, JSON.stringify(by('rare'))],
    );
    await runs.database.query(
      `DELETE FROM scenario_runs WHERE test_run_id = $1 AND position > 2 AND patient->>'style' = 'anxious'`,
      [id],
    );
    const found = await readParticipants(runs.database, id);
    expect(found.patients).toEqual(['anxious patient, de', 'low literacy patient']);
    expect(found.examiners).toHaveLength(2);
    expect(found.examiners[1]).toEqual(by('rare'));
  });
});

test('what stands out in a run is told in its order, and how many conversations ended alike', async () => {
  const id = await run(
    [
      ['passed', 'passed'],
      ['provider_timeout', 'passed'],
      ['failed', 'provider_timeout'],
    ],
    {
      criteria: ({ name }) => [
        { criterion: 'Calls for help', tags: ['must_pass'], decision: name === 'B' ? 'MET' : 'NOT MET', max_points: 5 },
      ],
    },
  );
  const { notable, endings } = await readFindings(runs.database, id);
  expect(notable.map(({ scenario_name, trial }) => [scenario_name, trial])).toEqual([
    ['A', 1],
    ['C', 1],
    ['A', 2],
  ]);
  expect(notable[1]).toMatchObject({
    scenario_id: ids[2],
    status: 'failed',
    findings: { violations: [{ criterion: 'Calls for help', kind: 'missed' }] },
  });
  const counts = (endings satisfies readonly Ending[]).map(({ status, error_code, count }) => [
    status,
    error_code,
    count,
  ]);
  expect(counts).toEqual([
    ['passed', null, 3],
    ['error', 'provider_timeout', 2],
    ['failed', null, 1],
  ]);
});

describe('statements on one connection', () => {
  /** Answers when it is told to. */
  class Connection {
    readonly sent: string[] = [];
    private readonly waiting: ((failed: boolean) => void)[] = [];

    query<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]> {
      this.sent.push(`${sql} ${JSON.stringify(params)}`);
      return new Promise((resolve, reject) => {
        this.waiting.push((failed) => (failed ? reject(new Error(`${sql} failed`)) : resolve([])));
      });
    }

    async answer(failed = false): Promise<void> {
      this.waiting.shift()?.(failed);
      await new Promise(setImmediate);
    }
  }

  test('are sent one after the other, each when the one before was answered', async () => {
    const connection = new Connection();
    const queue = queuedStatements(connection);
    const answers = [queue.query('first', [1]), queue.query('second')];
    await new Promise(setImmediate);
    expect(connection.sent).toEqual(['first [1]']);
    await connection.answer();
    expect(connection.sent).toEqual(['first [1]', 'second undefined']);
    await connection.answer();
    expect(await Promise.all(answers)).toEqual([[], []]);
  });

  test('fail one by one: the next is sent all the same', async () => {
    const connection = new Connection();
    const queue = queuedStatements(connection);
    const first = expect(queue.query('first')).rejects.toThrow('first failed');
    const second = queue.query('second');
    await new Promise(setImmediate);
    await connection.answer(true);
    await first;
    await connection.answer();
    expect(await second).toEqual([]);
  });
});
