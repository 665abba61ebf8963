import { ClusterCountsStore, type ClusterCount } from '../../../src/features/runs/cluster-counts.store';
import type { TestRunRecord } from '../../../src/features/runs/test-run.row';
import { SettledRates } from '../../../src/features/statistics/settled-rates';
import { OFFLINE, storeGradedRun, storeScenarios, type GradedRunOptions } from '../../setup/graded-run';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
let ids: string[];
const NAMES = ['Chest pain', 'Headache', 'Fever'];
beforeAll(async () => {
  runs = await openStoredRuns();
  ids = await storeScenarios(runs.database, NAMES);
});
afterAll(() => runs.close());

/** Notes which runs it was asked for, query by query. */
class NotedCounts extends ClusterCountsStore {
  readonly asked: (readonly string[])[] = [];

  override read(testRunIds: readonly string[]): Promise<ClusterCount[]> {
    this.asked.push(testRunIds);
    return super.read(testRunIds);
  }
}

function open() {
  const store = new NotedCounts(runs.database);
  return { store, rates: new SettledRates(store) };
}

/** A run with these outcomes of each scenario. */
async function stored(
  outcomes: readonly (readonly string[])[],
  options: GradedRunOptions = {},
): Promise<TestRunRecord> {
  const scenarios = outcomes.map((of, at) => ({ id: ids[at] ?? '', name: NAMES[at] ?? '', outcomes: of }));
  const run = await runs.reads.find(await storeGradedRun(runs.database, scenarios, options));
  if (run === null) throw new Error('The run was not stored.');
  return run;
}

describe('the rate of a run that has ended', () => {
  test('is that of what was graded, in percent, with its interval of 95 %', async () => {
    const run = await stored([['passed'], ['failed'], ['passed']]);
    const of = (await open().rates.of([run])).get(run.id);
    expect(of?.graded_pass_rate?.value).toBeCloseTo(66.667, 2);
    // Wilson's score interval of two of three.
    expect(of?.graded_pass_rate?.low).toBeCloseTo(20.766, 2);
    expect(of?.graded_pass_rate?.high).toBeCloseTo(93.851, 2);
    expect(of?.must_pass_violated_count).toBe(0);
  });

  test('counts all trials of a scenario, whatever number of them was graded', async () => {
    const run = await stored([
      ['passed', 'failed'],
      ['passed', 'connect_failed'],
    ]);
    const of = (await open().rates.of([run])).get(run.id);
    expect(of?.graded_pass_rate?.value).toBeCloseTo(66.667, 2);
  });

  test('is none where nothing was graded', async () => {
    const run = await stored([['connect_failed']], { status: 'failed' });
    expect((await open().rates.of([run])).get(run.id)).toEqual({ graded_pass_rate: null, must_pass_violated_count: 0 });
  });

  test('stands beside how many conversations violate what must pass', async () => {
    const criteria = ({ name }: { readonly name: string }) => [
      {
        criterion: 'Calls for help',
        tags: name === 'Fever' ? [] : ['must_pass'],
        decision: name === 'Headache' ? 'MET' : 'NOT MET',
        max_points: 5,
      },
    ];
    const run = await stored([['failed'], ['failed'], ['failed']], { criteria, metadata: OFFLINE });
    expect((await open().rates.of([run])).get(run.id)).toMatchObject({ must_pass_violated_count: 1 });
  });

  test('is its own, though the rates of several are read at once', async () => {
    const [good, bad] = [await stored([['passed'], ['passed']]), await stored([['failed'], ['failed'], ['failed']])];
    const { store, rates } = open();
    const found = await rates.of([good, bad]);
    expect([found.get(good.id)?.graded_pass_rate?.value, found.get(bad.id)?.graded_pass_rate?.value]).toEqual([100, 0]);
    expect(store.asked).toEqual([[good.id, bad.id]]);
  });
});

test('a run that is under way has none, and is looked at again when it has ended', async () => {
  const ended = await stored([['passed']]);
  const live: TestRunRecord = { ...ended, status: 'running' };
  const { store, rates } = open();
  expect((await rates.of([live])).size).toBe(0);
  expect(store.asked).toEqual([]);
  expect((await rates.of([ended])).has(ended.id)).toBe(true);
});

describe('what a list of runs asks for', () => {
  test('is read once: only what is new is read later', async () => {
    const [one, other] = [await stored([['passed']]), await stored([['failed']])];
    const { store, rates } = open();
    const first = await rates.of([one]);
    const both = await rates.of([one, other]);
    expect(both.get(one.id)).toEqual(first.get(one.id));
    expect([...both.keys()]).toEqual([one.id, other.id]);
    expect([...(await rates.of([other])).keys()]).toEqual([other.id]);
    expect(store.asked).toEqual([[one.id], [other.id]]);
  });

  test('is forgotten after 10,000 others, the oldest first', async () => {
    const run = await stored([['passed']]);
    class Many extends NotedCounts {
      override read(testRunIds: readonly string[]): Promise<ClusterCount[]> {
        this.asked.push(testRunIds);
        return Promise.resolve([]);
      }
      override readViolations = () => Promise.resolve([]);
    }
    const store = new Many(runs.database);
    const rates = new SettledRates(store);
    const many = Array.from({ length: 10_001 }, (_, at) => ({ ...run, id: `run ${at}` }));
    expect((await rates.of(many)).size).toBe(10_001);
    await rates.of(many.slice(1));
    expect(store.asked).toHaveLength(1);
    await rates.of(many.slice(0, 2));
    expect(store.asked[1]).toEqual(['run 0']);
    // Whose place was taken by the first.
    await rates.of(many.slice(0, 3));
    expect(store.asked[2]).toEqual(['run 1']);
  });
});
