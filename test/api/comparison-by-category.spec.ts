import { Database } from '../../src/platform/database/database';
import { ApiClient, type Answer } from '../setup/api-client';
import { storeGradedRun, storeScenarios, type GradedScenario } from '../setup/graded-run';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let database: Database;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  database = service.app.get(Database);
});
afterAll(() => service.close());

/** So many new scenarios of a category. */
async function scenariosOf(category: string, count: number): Promise<readonly { id: string; name: string }[]> {
  const names = Array.from({ length: count }, (_, place) => `${category} ${place + 1}`);
  const ids = await storeScenarios(database, names, category);
  return names.map((name, place) => ({ id: ids[place] ?? '', name }));
}

const ran = (
  scenarios: readonly { id: string; name: string }[],
  outcomesOf: (place: number) => readonly string[],
): GradedScenario[] => scenarios.map((scenario, place) => ({ ...scenario, outcomes: outcomesOf(place) }));

async function compare(before: readonly GradedScenario[], after: readonly GradedScenario[]): Promise<Answer['body']> {
  const [was, is] = [await storeGradedRun(database, before), await storeGradedRun(database, after)];
  const { status, body } = await api.get(`/api/v1/tests/${is}/comparison?before=${was}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

const one = (passes: boolean) => [passes ? 'passed' : 'failed'];
const five = (passed: number) => Array.from({ length: 5 }, (_, trial) => (trial < passed ? 'passed' : 'failed'));

describe('the difference of each category', () => {
  test('is that of the whole where all scenarios are of one, and has the same interval', async () => {
    const all = await scenariosOf('asthma', 24);
    const found = await compare(
      ran(all, (place) => five(place % 6)),
      ran(all, (place) => five((place * 5) % 6)),
    );
    const { value, low, high, method } = found.difference;
    expect(found.by_category).toEqual([
      {
        category: 'asthma',
        scenarios: 24,
        before: 0.5,
        after: expect.any(Number),
        value,
        low,
        high,
        method,
        score: null,
      },
    ]);
    const [{ before, after }] = found.by_category;
    expect((after - before) * 100).toBeCloseTo(value, 9);
  });

  test('adds up to the whole, by the number of its scenarios', async () => {
    const [triage, refills] = [await scenariosOf('triage', 12), await scenariosOf('refills', 4)];
    const before = [...ran(triage, () => one(true)), ...ran(refills, (place) => one(place > 0))];
    const after = [...ran(triage, (place) => one(place >= 6)), ...ran(refills, () => one(true))];
    const found = await compare(before, after);
    expect(found.by_category.map(({ category }: { category: string }) => category)).toEqual(['refills', 'triage']);
    const [refill, emergency] = found.by_category;
    expect(refill).toMatchObject({ scenarios: 4, before: 0.75, after: 1, value: 25, method: 'exact_bound' });
    expect(emergency).toMatchObject({ scenarios: 12, before: 1, after: 0.5, value: -50, method: 'paired_bootstrap' });
    expect(emergency.high).toBeLessThan(0);
    // One of four is not enough to tell.
    expect(refill.low).toBeLessThan(0);
    expect((12 * emergency.value + 4 * refill.value) / 16).toBeCloseTo(found.difference.value, 9);
  });

  test('of so few scenarios that no outcome could show a change is told apart from nothing by no interval', async () => {
    const [few, enough] = [await scenariosOf('five', 5), await scenariosOf('six', 6)];
    const all = [...few, ...enough];
    const found = await compare(
      ran(all, () => five(5)),
      ran(all, (place) => five(place % 2 === 0 ? 3 : 2)),
    );
    const [ofFive, ofSix] = found.by_category;
    expect(ofFive).toMatchObject({ value: expect.closeTo(-48, 9), method: 'exact_bound' });
    expect(ofFive.high).toBeGreaterThan(0);
    expect(ofSix).toMatchObject({ value: expect.closeTo(-50, 9), method: 'paired_bootstrap' });
    expect(ofSix.high).toBeLessThan(0);
  });

  test('of scenarios that all fared alike has the exact bound, not an interval of nothing', async () => {
    const [steady, other] = [await scenariosOf('steady', 8), await scenariosOf('single', 1)];
    const all = [...ran(steady, () => one(true)), ...ran(other, () => one(true))];
    const found = await compare(all, all);
    for (const { value, low, high, method } of found.by_category) {
      expect({ value, method }).toEqual({ value: 0, method: 'exact_bound' });
      expect(low).toBeLessThan(-20);
      expect(high).toBeGreaterThan(20);
    }
  });

  test('is kept for scenarios that are gone, under no name', async () => {
    const [kept, gone] = [await scenariosOf('kept', 2), await scenariosOf('gone', 2)];
    const all = [...ran(gone, () => one(true)), ...ran(kept, () => one(false))];
    const [was, is] = [await storeGradedRun(database, all), await storeGradedRun(database, all)];
    await database.query('DELETE FROM scenarios WHERE id = ANY($1::uuid[])', [gone.map(({ id }) => id)]);
    const { body } = await api.get(`/api/v1/tests/${is}/comparison?before=${was}`);
    expect(body.by_category).toMatchObject([
      { category: 'kept', scenarios: 2 },
      { category: null, scenarios: 2, before: 1, after: 1 },
    ]);
  });

  test('is none where nothing can be compared', async () => {
    const [here, there] = [await scenariosOf('here', 1), await scenariosOf('there', 1)];
    expect(
      await compare(
        ran(here, () => one(true)),
        ran(there, () => one(true)),
      ),
    ).toMatchObject({ by_category: [] });
  });
});
