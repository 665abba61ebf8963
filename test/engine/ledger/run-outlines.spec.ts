import { randomUUID } from 'node:crypto';
import { RunOutlinesStore } from '../../../src/engine/ledger/run-outlines.store';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
let outlines: RunOutlinesStore;
beforeAll(async () => {
  runs = await openStoredRuns();
  outlines = new RunOutlinesStore(runs.database);
});
afterAll(() => runs.close());

async function failedOnce() {
  const owner = randomUUID();
  const run = await runs.newRun({ scenarios: 3, owner });
  const { unsettled } = await runs.testRuns.create(run);
  const [failed = ''] = unsettled;
  await runs.claim(failed, run.id, owner);
  const failure = { code: 'provider_timeout', message: 'No.' } as const;
  const ref = { scenarioRunId: failed, testRunId: run.id, owner, attempt: 1 };
  await runs.scenarioRuns.record({ ...ref, kind: 'failure', failure, metadata: {} });
  return { run, unsettled };
}

describe('what an operator is told of a run', () => {
  test('is how it stands and which errors it has, and no word of what was said', async () => {
    const { run } = await failedOnce();
    expect(await outlines.ofRun(run.id)).toEqual({
      status: 'running',
      agent_id: run.agent_id,
      agent_provider: 'openai',
      trials: 1,
      total_scenarios: 3,
      created_at: expect.any(Date),
      started_at: expect.any(Date),
      completed_at: null,
      errors: { provider_timeout: 1 },
    });
    const { testRunId } = await runs.createRun({ scheduledAt: '2100-01-01T00:00:00.000Z' });
    expect(await outlines.ofRun(testRunId)).toMatchObject({ status: 'scheduled', started_at: null, errors: {} });
  });

  test('is nothing of one that is not there', async () => {
    expect(await outlines.ofRun(randomUUID())).toBeNull();
  });
});

test('what an operator is told of scenario runs is how each stands; those that are not there are missing', async () => {
  const { run, unsettled } = await failedOnce();
  const [failed = '', pending = ''] = unsettled;
  const found = await outlines.ofScenarioRuns([failed, pending, randomUUID()]);
  const alike = {
    test_run_id: run.id,
    scenario_id: expect.any(String),
    agent_id: run.agent_id,
    agent_provider: 'openai',
    trial: 1,
    turns: 0,
    score_percent: null,
  };
  expect(found).toHaveLength(2);
  expect(found).toContainEqual({
    ...alike,
    id: failed,
    status: 'error',
    attempt: 1,
    error_code: 'provider_timeout',
    started_at: expect.any(Date),
    completed_at: expect.any(Date),
  });
  expect(found).toContainEqual({
    ...alike,
    id: pending,
    status: 'pending',
    attempt: 0,
    error_code: null,
    started_at: null,
    completed_at: null,
  });
});
