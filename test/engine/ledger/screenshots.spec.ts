import { randomUUID } from 'node:crypto';
import { clearDeletedRun } from '../../../src/features/runs/deleted-runs.store';
import { ScreenshotsStore } from '../../../src/engine/ledger/screenshots.store';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

const PICTURE = Buffer.from([0xff, 0xd8, 0xff, 0x00, 0x01]);
const LATER_PICTURE = Buffer.from([0xff, 0xd8, 0xff, 0x02]);

let runs: StoredRuns;
let screenshots: ScreenshotsStore;
beforeAll(async () => {
  runs = await openStoredRuns();
  screenshots = new ScreenshotsStore(runs.database);
});
afterAll(() => runs.close());

async function claimedScenarioRun() {
  const owner = randomUUID();
  const run = await runs.createRun();
  const [scenarioRunId] = run.unsettled;
  if (scenarioRunId === undefined) throw new Error('A run has at least one scenario run.');
  await runs.claim(scenarioRunId, run.testRunId, owner);
  const ref = { scenarioRunId, testRunId: run.testRunId, owner, attempt: 1 };
  const failure = { code: 'provider_timeout', message: 'No.' } as const;
  return { ref, fail: () => runs.scenarioRuns.record({ ...ref, kind: 'failure', failure, metadata: {} }) };
}

describe('a screenshot', () => {
  test('is seen once its attempt has ended the scenario run in error', async () => {
    const { ref, fail } = await claimedScenarioRun();
    await expect(screenshots.find(ref.scenarioRunId)).resolves.toBeNull();
    await expect(screenshots.keep(ref, PICTURE)).resolves.toBe(true);
    await expect(screenshots.find(ref.scenarioRunId)).resolves.toBeNull();
    await fail();
    await expect(screenshots.find(ref.scenarioRunId)).resolves.toEqual(PICTURE);
  });

  test('may be kept again, and is refused of another owner, of another attempt and after the end', async () => {
    const { ref, fail } = await claimedScenarioRun();
    await screenshots.keep(ref, PICTURE);
    await expect(screenshots.keep(ref, LATER_PICTURE)).resolves.toBe(true);
    await expect(screenshots.keep({ ...ref, owner: randomUUID() }, PICTURE)).resolves.toBe(false);
    await expect(screenshots.keep({ ...ref, attempt: 2 }, PICTURE)).resolves.toBe(false);
    await fail();
    await expect(screenshots.keep(ref, PICTURE)).resolves.toBe(false);
    await expect(screenshots.find(ref.scenarioRunId)).resolves.toEqual(LATER_PICTURE);
  });

  test('of an attempt that was given up is not shown', async () => {
    const { ref, fail } = await claimedScenarioRun();
    await screenshots.keep(ref, PICTURE);
    await fail();
    await runs.database.query('UPDATE scenario_runs SET attempt = 2 WHERE id = $1', [ref.scenarioRunId]);
    await expect(screenshots.find(ref.scenarioRunId)).resolves.toBeNull();
  });

  test('goes with its run', async () => {
    const { ref, fail } = await claimedScenarioRun();
    await screenshots.keep(ref, PICTURE);
    await fail();
    await runs.testRuns.cancel(ref.testRunId);
    await runs.testRuns.delete(ref.testRunId);
    await expect(screenshots.find(ref.scenarioRunId)).resolves.toBe('unknown');
    while ((await runs.database.transaction(clearDeletedRun)) !== null);
    const left = await runs.database.query('SELECT FROM screenshots WHERE scenario_run_id = $1', [ref.scenarioRunId]);
    expect(left).toEqual([]);
  });

  test('of what never was, or is no id, is unknown', async () => {
    await expect(screenshots.find(randomUUID())).resolves.toBe('unknown');
    await expect(screenshots.find('x')).resolves.toBe('unknown');
  });
});
