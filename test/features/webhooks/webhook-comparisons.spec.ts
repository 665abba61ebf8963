import { randomUUID } from 'node:crypto';
import type { ComparisonView } from '../../../contract/comparison';
import { ClusterCountsStore } from '../../../src/features/runs/cluster-counts.store';
import { ComparisonService } from '../../../src/features/statistics/comparison.service';
import { RunPairsStore } from '../../../src/features/statistics/run-pairs.store';
import { SettledRates } from '../../../src/features/statistics/settled-rates';
import { TwinLines } from '../../../src/features/statistics/twin-lines';
import { TwinPairsStore } from '../../../src/features/statistics/twin-pairs.store';
import { WebhookComparisons } from '../../../src/features/webhooks/webhook-comparisons';
import { WebhookPayloads } from '../../../src/features/webhooks/webhook-payloads';
import { newSecret } from '../../../src/features/webhooks/webhook-sender';
import { WebhooksStore } from '../../../src/features/webhooks/webhooks.store';
import { silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import type { JobKind } from '../../../src/platform/jobs/job-kind';
import { Jobs } from '../../../src/platform/jobs/jobs';
import { eventually } from '../../setup/eventually';
import { storeGradedRun, storeScenarios } from '../../setup/graded-run';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

const WITHIN_MS = 20_000;

/** Runs whose comparison fails, and those that it finds to be worse in one way and better in another. */
const failing = new Set<string>();
const mixed = new Set<string>();

class PartlyFailing extends ComparisonService {
  override async compare(...request: Parameters<ComparisonService['compare']>): Promise<ComparisonView> {
    const [{ after }] = request;
    if (failing.has(after)) throw new Error('The database is away.');
    const comparison = await super.compare(...request);
    return mixed.has(after) ? { ...comparison, verdict: 'mixed' } : comparison;
  }
}

/** The comparisons can be attempted without waiting for the next look at what is due. */
class NotedJobs extends Jobs {
  readonly kinds: JobKind[] = [];

  override add(kind: JobKind): void {
    this.kinds.push(kind);
    super.add(kind);
  }
}

let runs: StoredRuns;
let jobs: NotedJobs;
let payloads: WebhookPayloads;
let comparisons: ComparisonService;
let asked: string;
let scenarios: readonly { readonly id: string; readonly name: string }[];
beforeAll(async () => {
  runs = await openStoredRuns();
  const { database } = runs;
  const rates = new SettledRates(new ClusterCountsStore(database));
  const settings = settingsFrom({ PUBLIC_URL: 'https://osce.example.org' });
  const pairs = new RunPairsStore(database);
  const lines = new TwinLines(new TwinPairsStore(database), pairs);
  comparisons = new PartlyFailing(runs.reads, pairs, lines);
  jobs = new NotedJobs(database, silentLog);
  payloads = new WebhookPayloads(runs.reads, runs.scenarioRunReads, rates, settings);
  new WebhookComparisons(jobs, database, comparisons, payloads);
  const webhook = { url: 'https://ci.example.org/', description: null, secret: newSecret(), isActive: true };
  const store = new WebhooksStore(database);
  asked = (await store.create({ ...webhook, events: ['comparison.worse'] })).id;
  await store.create({ ...webhook, events: ['test_run.finished'] });
  const names = Array.from({ length: 12 }, (_, place) => `Compared ${place}`);
  const ids = await storeScenarios(database, names);
  scenarios = names.map((name, place) => ({ id: ids[place] ?? '', name }));
  jobs.onApplicationBootstrap();
});
afterAll(async () => {
  await jobs.beforeApplicationShutdown();
  await runs.close();
});

const storedRun = (outcome: string): Promise<string> =>
  storeGradedRun(
    runs.database,
    scenarios.map((scenario) => ({ ...scenario, outcomes: [outcome, outcome] })),
  );

/** What is told once the run has been compared with its baseline. */
async function compared(run: string, baseline: string) {
  await runs.database.query('INSERT INTO webhook_comparisons (test_run_id, baseline_test_run_id) VALUES ($1, $2)', [
    run,
    baseline,
  ]);
  await eventually(async () => {
    expect(await runs.database.query('SELECT 1 FROM webhook_comparisons')).toEqual([]);
  }, WITHIN_MS);
  return runs.database.query<{ webhook_id: string; type: string; payload: object }>(
    'SELECT webhook_id, type, payload FROM webhook_deliveries WHERE test_run_id = $1',
    [run],
  );
}

describe('a run that has ended', () => {
  it('and is worse than the baseline is told to those who asked, with how it was compared', async () => {
    const [baseline, run] = [await storedRun('passed'), await storedRun('failed')];
    const told = await compared(run, baseline);
    const { before, ...found } = await comparisons.compare({
      before: baseline,
      after: run,
      confidencePercent: 95,
      minCoverage: 95,
    });
    expect(found).toMatchObject({ verdict: 'worse', confidence: 95 });
    const { verdict, grounds, sentence, confidence, difference, tests } = found;
    expect(told).toEqual([
      {
        webhook_id: asked,
        type: 'comparison.worse',
        payload: {
          type: 'comparison.worse',
          timestamp: (await runs.reads.find(run))?.completed_at,
          data: {
            test_run: expect.objectContaining({
              id: run,
              pass_rate: 0,
              counts: expect.objectContaining({ failed: 24 }),
            }),
            baseline: { id: baseline, test_run_id: before.test_run_id },
            comparison: {
              verdict,
              grounds,
              sentence,
              confidence,
              difference,
              tests,
              scenarios_compared: 12,
              new_must_pass_violations: 0,
            },
            links: {
              test_run: `https://osce.example.org/api/v1/tests/${run}`,
              page: `https://osce.example.org/runs/${run}`,
              not_passed: expect.any(Array),
              comparison: `https://osce.example.org/api/v1/tests/${run}/comparison?before=${baseline}`,
              comparison_page: `https://osce.example.org/compare?base=${baseline}&head=${run}`,
            },
          },
        },
      },
    ]);
  });

  it('and is as good, or better, is told to nobody', async () => {
    const baseline = await storedRun('failed');
    expect(await compared(await storedRun('failed'), baseline)).toEqual([]);
    expect(await compared(await storedRun('passed'), baseline)).toEqual([]);
  });

  it('and is worse in one way, better in another, is told too', async () => {
    const [baseline, run] = [await storedRun('failed'), await storedRun('failed')];
    mixed.add(run);
    const [told, ...others] = await compared(run, baseline);
    expect(told?.payload).toMatchObject({ data: { comparison: { verdict: 'mixed' } } });
    expect(others).toEqual([]);
  });

  it('and cannot be compared now is compared a minute later, five times in all', async () => {
    const [baseline, run] = [await storedRun('passed'), await storedRun('failed')];
    failing.add(run);
    const due = (attempts: number) =>
      runs.database.query(
        `INSERT INTO webhook_comparisons (test_run_id, baseline_test_run_id, attempts) VALUES ($1, $2, $3)
         ON CONFLICT (test_run_id) DO UPDATE SET attempts = $3, next_attempt_at = now()`,
        [run, baseline, attempts],
      );
    await due(3);
    await eventually(async () => {
      expect(
        await runs.database.query(
          `SELECT attempts, next_attempt_at > now() + interval '30 seconds' AS "isLater"
           FROM webhook_comparisons WHERE claim IS NULL`,
        ),
      ).toEqual([{ attempts: 4, isLater: true }]);
    }, WITHIN_MS);
    await due(4);
    await eventually(async () => {
      expect(await runs.database.query('SELECT 1 FROM webhook_comparisons')).toEqual([]);
    }, WITHIN_MS);
    expect(await runs.database.query('SELECT 1 FROM webhook_deliveries WHERE test_run_id = $1', [run])).toEqual([]);
  });

  it('is told to nobody where it is gone, or its baseline', async () => {
    expect(await compared(await storedRun('failed'), randomUUID())).toEqual([]);
    expect(await compared(randomUUID(), await storedRun('passed'))).toEqual([]);
  });

  it('and is deleted while it is compared is told to nobody either, and that is no failure', async () => {
    const [baseline, run] = [await storedRun('passed'), await storedRun('failed')];
    const asked = { before: baseline, after: run, confidencePercent: 95, minCoverage: 95 };
    const comparison = await comparisons.compare(asked);
    expect(await payloads.ofWorse(run, comparison)).not.toBeNull();
    expect(await payloads.ofWorse(randomUUID(), comparison)).toBeNull();
    const deleted = { key: randomUUID(), claim: randomUUID(), attempt: 1 };
    const endings = jobs.kinds.map((kind) => kind.attempt(deleted, new AbortController().signal));
    expect(await Promise.all(endings)).toEqual([{ kind: 'done' }]);
  });
});
