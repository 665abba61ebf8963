import { WebhookPayloads } from '../../../src/features/webhooks/webhook-payloads';
import { ClusterCountsStore } from '../../../src/features/runs/cluster-counts.store';
import { SettledRates } from '../../../src/features/statistics/settled-rates';
import { settingsFrom } from '../../../src/platform/config/settings';
import { storeGradedRun, storeScenarios } from '../../setup/graded-run';
import { conversationsOf } from '../../setup/reviewed-runs';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

const UNKNOWN = '7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34';
const SCHEDULE = { id: '00000000-0000-4000-8000-000000000001', name: 'Nightly' };
const GATE = { fail_under: 85, fail_on: null, min_coverage: null };

let runs: StoredRuns;
let payloads: WebhookPayloads;
let scenarioIds: readonly string[];
const names = Array.from({ length: 11 }, (_, place) => `Told ${place + 1}`);
beforeAll(async () => {
  runs = await openStoredRuns();
  payloads = payloadsAt('https://osce.example.org/');
  scenarioIds = await storeScenarios(runs.database, names);
});
afterAll(() => runs.close());

function payloadsAt(publicUrl?: string): WebhookPayloads {
  const rates = new SettledRates(new ClusterCountsStore(runs.database));
  const settings = settingsFrom(publicUrl === undefined ? {} : { PUBLIC_URL: publicUrl });
  return new WebhookPayloads(runs.reads, runs.scenarioRunReads, rates, settings);
}

/** @param outcomes of each scenario's trials */
const storedRun = (outcomes: readonly (readonly string[])[], status?: string): Promise<string> =>
  storeGradedRun(
    runs.database,
    outcomes.map((trials, place) => ({ id: scenarioIds[place] ?? '', name: names[place] ?? '', outcomes: trials })),
    status === undefined ? {} : { status },
  );

const timeOf = async (id: string): Promise<string> => {
  const at = (await runs.reads.find(id))?.completed_at ?? null;
  if (at === null) throw new Error(`${id} has not ended.`);
  return at;
};

describe('what is told of a run that has ended', () => {
  it('has its counts, its rates and where it is read, under PUBLIC_URL', async () => {
    const id = await storedRun([['passed'], ['failed'], ['provider_error'], ['canceled']]);
    const [, failed, error] = await conversationsOf(runs.database, id);
    const notPassed = (conversation: string | undefined, place: number, status: string) => ({
      scenario_name: names[place],
      trial: 1,
      status,
      page: `https://osce.example.org/scenario-runs/${conversation}`,
    });
    expect(await payloads.ofFinished(id)).toEqual({
      type: 'test_run.finished',
      timestamp: await timeOf(id),
      data: {
        test_run: {
          id,
          test_run_id: `run_${id}`,
          name: null,
          status: 'completed',
          agent_id: expect.any(String),
          agent_name: 'Stored agent',
          agent_version: null,
          pass_rate: 25,
          graded_pass_rate: expect.objectContaining({ value: 50 }),
          counts: { passed: 1, failed: 1, error: 1, canceled: 1, total: 4 },
          started_at: expect.any(String),
          completed_at: await timeOf(id),
        },
        links: {
          test_run: `https://osce.example.org/api/v1/tests/${id}`,
          page: `https://osce.example.org/runs/${id}`,
          // A canceled conversation says nothing of the agent, and is not among them.
          not_passed: [notPassed(failed, 1, 'failed'), notPassed(error, 2, 'error')],
        },
      },
    });
  });

  it('has no rate where nothing was graded, and no host where the service does not know its own', async () => {
    const id = await storedRun([['provider_error']], 'failed');
    expect(await payloadsAt().ofFinished(id)).toMatchObject({
      data: {
        test_run: { pass_rate: null, graded_pass_rate: null, counts: { error: 1 } },
        links: { test_run: `/api/v1/tests/${id}`, page: `/runs/${id}` },
      },
    });
    const failed = await storedRun([['failed']]);
    expect(await payloads.ofFinished(failed)).toMatchObject({ data: { test_run: { pass_rate: 0 } } });
    const passed = await storedRun([['passed']]);
    expect(await payloads.ofFinished(passed)).toMatchObject({ data: { test_run: { pass_rate: 100 } } });
  });

  it('names twenty conversations that did not pass', async () => {
    const id = await storedRun(names.map(() => ['failed', 'failed']));
    const { data } = (await payloads.ofFinished(id)) ?? {};
    expect(data).toMatchObject({ links: { not_passed: { length: 20 } } });
  });

  it('is of this moment where nobody noted when the run ended', async () => {
    const id = await storedRun([['passed']]);
    await runs.database.query('UPDATE test_runs SET completed_at = NULL WHERE id = $1', [id]);
    const before = Date.now();
    const { timestamp = '' } = (await payloads.ofFinished(id)) ?? {};
    expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before);
  });

  it('is nothing once the run is gone', async () => {
    expect(await payloads.ofFinished(UNKNOWN)).toBeNull();
    expect(
      await payloads.ofGate({ ...SCHEDULE, gate: GATE }, UNKNOWN, { verdict: 'failed', sentence: 'No.' }),
    ).toBeNull();
  });
});

describe('what is told of a schedule', () => {
  it.each([
    ['failed', 'schedule.gate_failed'],
    ['undecided', 'schedule.gate_undecided'],
  ] as const)('is what its gate said of a run: %s', async (verdict, type) => {
    const id = await storedRun([['failed']]);
    const told = await payloads.ofGate({ ...SCHEDULE, gate: GATE }, id, { verdict, sentence: 'It is below 85 %.' });
    expect(told).toMatchObject({
      type,
      timestamp: await timeOf(id),
      data: {
        schedule: SCHEDULE,
        gate: { ...GATE, verdict, sentence: 'It is below 85 %.' },
        test_run: { id },
        links: {
          test_run: `https://osce.example.org/api/v1/tests/${id}`,
          schedule_page: `https://osce.example.org/schedules/${SCHEDULE.id}`,
          not_passed: [{ status: 'failed' }],
        },
      },
    });
  });

  it('is a start that failed, when it was due', () => {
    const told = payloads.ofFailedStart(SCHEDULE, new Date('2026-03-14T03:00:00.000Z'), 'The agent is inactive.');
    expect(told).toEqual({
      type: 'schedule.start_failed',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      data: {
        schedule: SCHEDULE,
        due_at: '2026-03-14T03:00:00.000Z',
        sentence: 'The agent is inactive.',
        links: {
          schedule: `https://osce.example.org/api/v1/schedules/${SCHEDULE.id}`,
          schedule_page: `https://osce.example.org/schedules/${SCHEDULE.id}`,
        },
      },
    });
  });
});

it('a test names the webhook that it is for', () => {
  expect(payloads.ofTest(UNKNOWN)).toEqual({
    type: 'webhook.test',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    data: { webhook_id: UNKNOWN },
  });
});
