import { Database } from '../../src/platform/database/database';
import { ApiClient, type Answer } from '../setup/api-client';
import { OFFLINE, storeGradedRun, storeScenarios, type GradedScenario } from '../setup/graded-run';
import { review } from '../setup/reviewed-runs';
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

const plain = { criterion: 'Asks when it began', tags: [], decision: 'MET', max_points: 3 };
const missed = { criterion: 'Sends for an ambulance', tags: ['must_pass'], decision: 'NOT MET', max_points: 5 };

/** Scenario 3 violates a must-pass criterion, scenario 1 is disputed, and 2 was not graded; nothing stands out of the others. */
async function storedRun(scenarios: number): Promise<string> {
  const names = Array.from({ length: scenarios }, (_, place) => `Scenario ${place + 1}`);
  const ids = await storeScenarios(database, names);
  const marks = ({ name }: GradedScenario) => {
    if (name === 'Scenario 3') return [missed];
    return [name === 'Scenario 1' ? { ...plain, disputed: true } : plain];
  };
  return storeGradedRun(
    database,
    names.map((name, place) => ({ id: ids[place] ?? '', name, outcomes: [outcomeOf(name)] })),
    { criteria: marks, metadata: OFFLINE },
  );
}

function outcomeOf(name: string): string {
  if (name === 'Scenario 2') return 'provider_error';
  return name === 'Scenario 3' ? 'failed' : 'passed';
}

const queueOf = async (id: string, query = ''): Promise<Answer['body']> => {
  const { status, body } = await api.get(`/api/v1/tests/${id}/review-queue${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};

interface Queued {
  readonly scenario_run_id: string;
  readonly scenario_name: string;
  readonly reason: string | null;
}

const named = ({ results }: Answer['body']): string[] => results.map(({ scenario_name }: Queued) => scenario_name);

describe('the review queue of a run', () => {
  test('holds what stands out, the gravest first, and a tenth of the rest', async () => {
    const id = await storedRun(43);
    const queue = await queueOf(id);
    expect(queue).toMatchObject({
      test_run_id: id,
      sample: 10,
      progress: { reviewed: 0, to_review: 6, disagreements: 0 },
      total: 6,
    });
    expect(queue.results.map(({ reason }: Queued) => reason)).toEqual([
      'must_pass_violation',
      'disputed',
      ...['sample', 'sample', 'sample', 'sample'],
    ]);
    expect(named(queue).slice(0, 2)).toEqual(['Scenario 3', 'Scenario 1']);
    expect(new Set(named(queue)).size).toBe(6);
    expect(named(queue)).not.toContain('Scenario 2');
  });

  test('draws the same sample again, another one by another seed, and a larger one holds the smaller', async () => {
    const id = await storedRun(43);
    const [first, again] = [await queueOf(id), await queueOf(id)];
    expect(again).toEqual(first);
    expect(named(await queueOf(id, `?seed=${first.seed}`))).toEqual(named(first));
    const seeds = await Promise.all([1, 2, 3].map(async (seed) => named(await queueOf(id, `?seed=${seed}`)).join()));
    expect(new Set(seeds).size).toBe(3);
    const larger = named(await queueOf(id, '?sample=50&limit=100'));
    expect(larger.slice(0, 6)).toEqual(named(first));
    expect(larger).toHaveLength(22);
    expect((await queueOf(id, '?sample=0')).total).toBe(2);
    expect((await queueOf(id, '?sample=100')).total).toBe(42);
  });

  test('samples every conversation about equally often', async () => {
    const id = await storedRun(13);
    const counts = new Map<string, number>();
    const SEEDS = 300;
    for (let seed = 0; seed < SEEDS; seed += 1) {
      for (const name of named(await queueOf(id, `?seed=${seed}&sample=30`)).slice(2)) {
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    }
    // 3 of 10 each time: 90 of each, give or take five standard deviations of 8.
    expect(counts.size).toBe(10);
    for (const count of counts.values()) {
      expect(count).toBeGreaterThan(50);
      expect(count).toBeLessThan(130);
    }
  });

  test('says how far the reviews have come, of one reviewer too, and what is open', async () => {
    const id = await storedRun(5);
    const { results } = await queueOf(id, '?sample=100');
    const [first, second] = results;
    await review(api, first.scenario_run_id, ['MET'], { reviewer: 'Dr. Osei' });
    await review(api, first.scenario_run_id, ['NOT MET'], { reviewer: 'Dr. Weiss' });
    await review(api, second.scenario_run_id, ['MET'], { reviewer: 'Dr. Weiss' });
    const of = (query: string) => queueOf(id, `?sample=100${query}`);
    expect((await of('')).progress).toEqual({ reviewed: 2, to_review: 4, disagreements: 1 });
    expect((await of('&reviewer=dr.%20osei')).progress).toMatchObject({ reviewed: 1, to_review: 4 });
    expect((await of('')).results[0]).toMatchObject({
      reviews: 2,
      reviewers: ['Dr. Osei', 'Dr. Weiss'],
      disagreements: 1,
    });
    expect((await of('&open=true')).total).toBe(2);
    const open = await of('&open=true&reviewer=Dr.%20Osei&limit=1');
    expect(open.total).toBe(3);
    expect(open.results).toHaveLength(1);
    expect(open.results[0].scenario_run_id).toBe(second.scenario_run_id);
  });

  test('tells no reasons to those who review blind', async () => {
    const { results } = await queueOf(await storedRun(4), '?blind=true');
    expect(results.map(({ reason }: Queued) => reason)).toEqual([null, null, null]);
  });

  test('is refused for parameters out of bounds and runs that there are not', async () => {
    const id = await storedRun(3);
    for (const query of ['sample=-1', 'sample=101', 'seed=-1', 'seed=x', 'open=perhaps', 'reviewer=']) {
      expect({ query, status: (await api.get(`/api/v1/tests/${id}/review-queue?${query}`)).status }).toEqual({
        query,
        status: 400,
      });
    }
    expect((await api.get('/api/v1/tests/run_unknown/review-queue')).status).toBe(404);
  });
});
