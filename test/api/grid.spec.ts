import { randomUUID } from 'node:crypto';
import type { GridView } from '../../contract/grid';
import type { PatientProfile } from '../../src/domain/patient';
import { Database } from '../../src/platform/database/database';
import { ApiClient } from '../setup/api-client';
import { storeGradedRun, storeScenarios, type GradedRunOptions } from '../setup/graded-run';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let database: Database;
let ids: string[];
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  database = service.app.get(Database);
  ids = await storeScenarios(
    database,
    Array.from({ length: 6 }, (_, place) => nameOf(place)),
  );
});
afterAll(() => service.close());

const nameOf = (place: number): string => `Scenario ${'ABCDEF'.charAt(place)}`;

/** A run of the scenarios that have outcomes. */
const run = (outcomes: readonly (readonly string[] | null)[], options: GradedRunOptions = {}): Promise<string> =>
  storeGradedRun(
    database,
    outcomes.flatMap((of, place) => (of === null ? [] : [{ id: ids[place] ?? '', name: nameOf(place), outcomes: of }])),
    options,
  );

const violation = { criterion: 'Calls 999', tags: ['must_pass'], decision: 'NOT MET', max_points: 5 };

/** A must-pass violation in one trial of one scenario. */
const violatedIn = (place: number, inTrial: number): GradedRunOptions => ({
  criteria: ({ id }, trial) => (id === ids[place] && trial === inTrial ? [violation] : []),
});

const grid = async (query: string): Promise<GridView> => {
  const { status, body } = await api.get(`/api/v1/grid?${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};

const names = ({ results }: GridView): string[] => results.map(({ scenario_name: name }) => name.slice(-1));

describe('the grid of one run', () => {
  it('has its conversations in the order of the run, the worst scenarios first', async () => {
    const patients: PatientProfile[] = [
      { style: 'cooperative', language: 'en' },
      { style: 'anxious', language: 'de' },
    ];
    const id = await run(
      [
        ['passed', 'failed'],
        ['failed', 'failed'],
        ['connect_failed', 'canceled'],
        ['passed', 'failed'],
        ['passed', 'passed'],
      ],
      { ...violatedIn(3, 2), patients },
    );
    const found = await grid(`test_run_id=${id}`);
    expect(names(found)).toEqual(['D', 'B', 'A', 'E', 'C']);
    expect(found).toMatchObject({ total: 5, missing_somewhere: 0, groups: [], runs: [{ id, offline: false }] });
    const [worst] = found.results;
    expect(worst?.cells).toMatchObject([{ held: 4, graded: 4, passed: 2, must_pass_violated: 2 }]);
    expect(
      worst?.cells[0]?.conversations?.map(({ trial, patient, status, must_pass_violated }) => [
        trial,
        patient.style,
        status,
        must_pass_violated,
      ]),
    ).toEqual([
      [1, 'cooperative', 'passed', false],
      [1, 'anxious', 'passed', false],
      [2, 'cooperative', 'failed', true],
      [2, 'anxious', 'failed', true],
    ]);
    expect(found.results[4]?.cells).toMatchObject([{ held: 4, graded: 0, passed: 0 }]);
  });

  it('names the conversation to look at first: with a violation, else failed, else the first', async () => {
    const id = await run([['failed', 'failed', 'passed'], ['passed', 'failed'], ['passed', 'passed'], ['timed_out']], {
      ...violatedIn(0, 2),
    });
    const { results } = await grid(`test_run_id=${id}`);
    const placeOf = (name: string): number | undefined => {
      const cell = results.find(({ scenario_name }) => scenario_name.endsWith(name))?.cells[0];
      return cell?.conversations?.findIndex(({ id: of }) => of === cell.worst_scenario_run_id);
    };
    expect(['A', 'B', 'C', 'D'].map(placeOf)).toEqual([1, 1, 0, 0]);
  });

  it('is read by pages, and by the label of the run', async () => {
    const id = await run([['passed'], ['failed'], ['passed'], ['failed'], ['passed']]);
    const pages = await Promise.all(
      [0, 2, 4, 6].map((offset) => grid(`test_run_id=run_${id}&limit=2&offset=${offset}`)),
    );
    expect(pages.map(names)).toEqual([['B', 'D'], ['A', 'C'], ['E'], []]);
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5, 5]);
  });

  it('groups by severity, the gravest first, and by category, the one with the worst scenario first', async () => {
    const [critical, minor, low] = await storeScenarios(database, ['P', 'Q', 'S'], 'triage');
    const rate = (id: string | undefined, severity: string, category: string): Promise<unknown> =>
      database.query(`UPDATE scenarios SET severity = $2, category = $3 WHERE id = $1`, [id, severity, category]);
    await rate(critical, 'critical', 'triage');
    await rate(minor, 'low', 'medication_safety');
    await rate(low, 'low', 'triage');
    const outcome = (id: string | undefined, name: string, of: string) => ({ id: id ?? '', name, outcomes: [of] });
    const gone = randomUUID();
    const id = await storeGradedRun(database, [
      outcome(critical, 'P', 'passed'),
      outcome(minor, 'Q', 'failed'),
      outcome(gone, 'R', 'failed'),
      outcome(low, 'S', 'failed'),
    ]);
    const bySeverity = await grid(`test_run_id=${id}&order=severity`);
    expect(names(bySeverity)).toEqual(['P', 'Q', 'S', 'R']);
    expect(bySeverity.groups).toEqual([
      { name: 'critical', scenarios: 1 },
      { name: 'low', scenarios: 2 },
      { name: null, scenarios: 1 },
    ]);
    const byCategory = await grid(`test_run_id=${id}&order=category`);
    expect(names(byCategory)).toEqual(['Q', 'S', 'P', 'R']);
    expect(byCategory.groups).toEqual([
      { name: 'medication_safety', scenarios: 1 },
      { name: 'triage', scenarios: 2 },
      { name: null, scenarios: 1 },
    ]);
  });

  it('says that rules stood in for a model', async () => {
    const id = await run([['passed']], { metadata: { offline: true } });
    expect((await grid(`test_run_id=${id}`)).runs).toEqual([{ id, offline: true }]);
  });
});

describe('the grid of several runs', () => {
  it('has the union of their scenarios, with a hole where a run lacks one', async () => {
    const before = await run([['passed', 'passed'], ['failed', 'passed'], null, ['failed', 'failed']]);
    const after = await run([['failed', 'failed'], ['passed', 'passed'], ['passed'], null], violatedIn(0, 1));
    const found = await grid(`test_run_id=${before},${after}`);
    expect(found).toMatchObject({ total: 4, missing_somewhere: 2, runs: [{ id: before }, { id: after }] });
    expect(
      found.results.map(({ scenario_name: name, cells }) => [
        name.slice(-1),
        ...cells.map((cell) => cell && `${cell.passed}/${cell.graded}`),
      ]),
    ).toEqual([
      ['A', '2/2', '0/2'],
      ['D', '0/2', null],
      ['B', '1/2', '2/2'],
      ['C', null, '1/1'],
    ]);
    expect(found.results.flatMap(({ cells }) => cells.map((cell) => cell?.conversations ?? null))).toEqual(
      Array.from({ length: 8 }, () => null),
    );
    const turned = await grid(`test_run_id=${after}&test_run_id=${before}&order=differing`);
    expect(names(turned)).toEqual(['A', 'B', 'D', 'C']);
    expect(turned.results[0]?.cells).toMatchObject([{ passed: 0, must_pass_violated: 1 }, { passed: 2 }]);
  });

  it('adds up what the scenario runs of twenty trials say', async () => {
    const outcomes = ids.map((_, place) =>
      Array.from(
        { length: 20 },
        (_unused, trial) => ['passed', 'failed', 'timed_out'][(place * 5 + trial * 7) % 3] ?? '',
      ),
    );
    const id = await run(outcomes);
    const { results } = await grid(`test_run_id=${id}`);
    for (const [place, of] of outcomes.entries()) {
      const row = results.find(({ scenario_id }) => scenario_id === ids[place]);
      const passed = of.filter((one) => one === 'passed').length;
      const graded = of.filter((one) => one !== 'timed_out').length;
      expect(row?.cells[0]).toMatchObject({ held: 20, graded, passed });
      expect(row?.cells[0]?.conversations).toHaveLength(20);
    }
  });
});

describe('a grid that cannot be shown', () => {
  let id: string;
  beforeAll(async () => {
    id = await run([['passed']]);
  });

  it.each<[string, () => string, number, string]>([
    ['names no run', () => '', 400, 'test_run_id'],
    ['names a run that does not exist', () => `test_run_id=${id},nightly`, 404, 'Test run not found: nightly'],
    ['names a run twice', () => `test_run_id=${id},run_${id}`, 400, 'is named twice'],
    [
      'names nine runs',
      () => `test_run_id=${Array.from({ length: 9 }, () => randomUUID()).join()}`,
      400,
      'test_run_id',
    ],
    ['asks for an order that there is not', () => `test_run_id=${id}&order=best`, 400, 'order'],
  ])('%s', async (_what, query, status, words) => {
    const answer = await api.get(`/api/v1/grid?${query()}`);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).toContain(words);
  });

  it('has nothing of a deleted run', async () => {
    await api.delete(`/api/v1/tests/${id}`);
    expect((await api.get(`/api/v1/grid?test_run_id=${id}`)).status).toBe(404);
  });
});
