import { GridStore, type GridPage } from '../../../src/features/statistics/grid.store';
import { storeGradedRun, storeScenarios, type GradedRunOptions } from '../../setup/graded-run';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
let ids: readonly string[];
const NAMES = ['A', 'B', 'C'];
beforeAll(async () => {
  runs = await openStoredRuns();
  ids = [
    ...(await storeScenarios(runs.database, ['A', 'B'], 'burns')),
    ...(await storeScenarios(runs.database, ['C'], 'asthma')),
  ];
});
afterAll(() => runs.close());

/** A run of the scenarios that have an outcome. */
const run = (outcomes: readonly (string | null)[], options: GradedRunOptions = {}): Promise<string> =>
  storeGradedRun(
    runs.database,
    outcomes.flatMap((of, at) => (of === null ? [] : [{ id: ids[at] ?? '', name: NAMES[at] ?? '', outcomes: [of] }])),
    options,
  );

const read = (runIds: readonly string[], page: Partial<GridPage> = {}) =>
  new GridStore(runs.database).read(runIds, { order: 'worst', limit: 25, offset: 0, ...page });

describe('a grid of runs', () => {
  test('counts all of its scenarios, and those that a run does not have, on whatever page', async () => {
    const [one, other] = [await run(['passed', 'failed', null]), await run(['passed', null, 'failed'])];
    for (const [offset, names] of [
      [0, ['B']],
      [1, ['C']],
      [2, ['A']],
      [3, []],
    ] as const) {
      const { results, ...counts } = await read([one, other], { limit: 1, offset });
      expect(counts).toEqual({ total: 3, missing_somewhere: 2, groups: [] });
      expect(results.map(({ scenario_name }) => scenario_name)).toEqual(names);
    }
  });

  test('has groups where it is ordered by them, and only there', async () => {
    const one = await run(['passed', 'passed', 'failed']);
    expect((await read([one], { order: 'category' })).groups).toEqual([
      { name: 'asthma', scenarios: 1 },
      { name: 'burns', scenarios: 2 },
    ]);
    await runs.database.query(`UPDATE scenarios SET severity = 'critical' WHERE id = $1`, [ids[1]]);
    const { groups, results } = await read([one], { order: 'severity' });
    expect(groups[0]).toEqual({ name: 'critical', scenarios: 1 });
    expect(results[0]).toMatchObject({ scenario_name: 'B', severity: 'critical' });
    for (const order of ['worst', 'differing'] as const) expect((await read([one], { order })).groups).toEqual([]);
  });

  test('begins with what differs most between the runs, where that is asked for', async () => {
    const [one, other] = [await run(['failed', 'passed', 'passed']), await run(['failed', 'passed', 'failed'])];
    const names = async (order: GridPage['order']) =>
      (await read([one, other], { order })).results.map(({ scenario_name }) => scenario_name);
    expect(await names('worst')).toEqual(['A', 'C', 'B']);
    expect(await names('differing')).toEqual(['C', 'A', 'B']);
  });

  test('of no run is empty', async () => {
    expect(await read([])).toEqual({ total: 0, missing_somewhere: 0, groups: [], results: [] });
  });
});

test('runs in which rules stood in for a model are named', async () => {
  const [offline, other] = [await run(['passed'], { metadata: { offline: true } }), await run(['passed'])];
  expect(await new GridStore(runs.database).offline([offline, other])).toEqual(new Set([offline]));
});
