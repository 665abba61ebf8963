import { randomUUID } from 'node:crypto';
import { MAX_ATTEMPTS, LEASE_SECONDS } from '../../../src/engine/ledger/lease';
import { EventLogStore } from '../../../src/features/stream/event-log.store';
import type { ExecutionRecord } from '../../../src/engine/ledger/execution-record';
import type { Claim } from '../../../src/engine/ledger/scenario-run.claims';
import { eventually } from '../../setup/eventually';
import { exchange, openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

/** As if the owner had died a lease ago. */
async function ageHeartbeats(testRunId: string): Promise<void> {
  const age = `now() - make_interval(secs => ${LEASE_SECONDS + 1})`;
  await runs.database.query(`UPDATE scenario_runs SET heartbeat_at = ${age} WHERE test_run_id = $1`, [testRunId]);
  await runs.database.query(`UPDATE test_runs SET heartbeat_at = ${age} WHERE id = $1`, [testRunId]);
}

function recordOf(claim: Claim): ExecutionRecord {
  if (claim.kind !== 'claimed') throw new Error('It was not claimed.');
  return claim.record;
}

async function oneScenarioRun(provider = 'openai') {
  const run = await runs.createRun({ provider });
  const [scenarioRunId] = run.unsettled;
  if (scenarioRunId === undefined) throw new Error('A run has at least one scenario run.');
  return { testRunId: run.testRunId, scenarioRunId };
}

describe('claiming a scenario run', () => {
  test('only one of many claimants gets it', async () => {
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    const claims = await Promise.all(
      Array.from({ length: 10 }, () => runs.claim(scenarioRunId, testRunId, randomUUID())),
    );
    expect(claims.filter((claim) => claim.kind === 'claimed')).toHaveLength(1);
    expect(claims.filter((claim) => claim.kind === 'settled')).toHaveLength(9);
  });

  test('a living owner keeps it; a dead one loses it after the lease, and the attempt rises', async () => {
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    const first = randomUUID();
    await runs.claim(scenarioRunId, testRunId, first);
    expect(await runs.claim(scenarioRunId, testRunId, randomUUID())).toEqual({ kind: 'settled' });
    await ageHeartbeats(testRunId);
    expect(await runs.claim(scenarioRunId, testRunId, randomUUID())).toMatchObject({ kind: 'claimed', attempt: 2 });
    expect(await runs.ownership.findLostAttempts(first, [{ scenarioRunId, attempt: 1 }])).toEqual([
      { scenarioRunId, attempt: 1, isCanceled: false },
    ]);
  });

  describe('of another process', () => {
    /** In literal seconds, which the documentation names: a change of LEASE_SECONDS must be noticed here. */
    const claimAfter = async (seconds: number) => {
      const { testRunId, scenarioRunId } = await oneScenarioRun();
      await runs.claim(scenarioRunId, testRunId, randomUUID());
      await runs.database.query(
        'UPDATE scenario_runs SET heartbeat_at = now() - make_interval(secs => $2) WHERE id = $1',
        [scenarioRunId, seconds],
      );
      return runs.claim(scenarioRunId, testRunId, randomUUID());
    };

    test('is refused while the heartbeat is 14 s old', async () => {
      // A machine that stands still for a second between the two statements makes another try necessary.
      await eventually(async () => expect(await claimAfter(14)).toEqual({ kind: 'settled' }));
    });

    test('succeeds when the heartbeat is 16 s old', async () => {
      expect(await claimAfter(16)).toMatchObject({ kind: 'claimed', attempt: 2 });
    });
  });

  test('renewing keeps the lease, of the owner only', async () => {
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    const owner = randomUUID();
    await runs.claim(scenarioRunId, testRunId, owner);
    await ageHeartbeats(testRunId);
    await runs.ownership.renew(randomUUID(), [{ scenarioRunId, attempt: 1 }], [testRunId]);
    expect((await runs.ownership.findStanding([scenarioRunId]))[0]?.isUnowned).toBe(true);
    await runs.ownership.renew(owner, [{ scenarioRunId, attempt: 9 }], [testRunId]);
    expect((await runs.ownership.findStanding([scenarioRunId]))[0]?.isUnowned).toBe(true);
    await runs.ownership.renew(owner, [{ scenarioRunId, attempt: 1 }], [testRunId]);
    expect((await runs.ownership.findStanding([scenarioRunId]))[0]?.isUnowned).toBe(false);
  });

  test('whose answer was lost is made again by the same process at once', async () => {
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    const owner = randomUUID();
    await runs.claim(scenarioRunId, testRunId, owner);
    expect(await runs.claim(scenarioRunId, testRunId, owner)).toMatchObject({ kind: 'claimed', attempt: 2 });
  });

  test('the concurrency limit of the run holds over all claimants', async () => {
    const run = await runs.createRun({ scenarios: 12, concurrencyLimit: 5 });
    const claims = await Promise.all(run.unsettled.map((id) => runs.claim(id, run.testRunId, randomUUID())));
    expect(claims.filter((claim) => claim.kind === 'claimed')).toHaveLength(5);
    expect(claims.filter((claim) => claim.kind === 'full')).toHaveLength(7);
  });

  test('whose answer was lost is made again at the limit of one too: what is asked for takes no room from itself', async () => {
    const run = await runs.createRun({ scenarios: 2, concurrencyLimit: 1 });
    const [one = '', other = ''] = run.unsettled;
    const owner = randomUUID();
    expect(await runs.claim(one, run.testRunId, owner)).toMatchObject({ kind: 'claimed', attempt: 1 });
    expect(await runs.claim(one, run.testRunId, owner)).toMatchObject({ kind: 'claimed', attempt: 2 });
    expect(await runs.claim(other, run.testRunId, owner)).toEqual({ kind: 'full' });
  });

  test('what is being graded takes its room as before; what has ended or was released takes none', async () => {
    const run = await runs.createRun({ scenarios: 3, concurrencyLimit: 1 });
    const [one = '', other = '', last = ''] = run.unsettled;
    const { testRunId } = run;
    const ref = { scenarioRunId: one, testRunId, owner: randomUUID(), attempt: 1 };
    await runs.claim(one, testRunId, ref.owner);
    await runs.scenarioRuns.record({ ...ref, kind: 'gradingStart' });
    expect(await runs.claim(other, testRunId, randomUUID())).toEqual({ kind: 'full' });
    const failure = { code: 'grading_failed', message: 'No.' } as const;
    await runs.scenarioRuns.record({ ...ref, kind: 'failure', failure, metadata: {} });
    const next = { ...ref, scenarioRunId: other, owner: randomUUID() };
    expect(await runs.claim(other, testRunId, next.owner)).toMatchObject({ kind: 'claimed' });
    expect(await runs.claim(last, testRunId, randomUUID())).toEqual({ kind: 'full' });
    await runs.scenarioRuns.record({ ...next, kind: 'release', sentTurns: 0 });
    expect(await runs.claim(last, testRunId, randomUUID())).toMatchObject({ kind: 'claimed' });
  });

  test('dead owners take no room from the living', async () => {
    const run = await runs.createRun({ scenarios: 2, concurrencyLimit: 1 });
    const [one = '', other = ''] = run.unsettled;
    await runs.claim(one, run.testRunId, randomUUID());
    expect(await runs.claim(other, run.testRunId, randomUUID())).toEqual({ kind: 'full' });
    await ageHeartbeats(run.testRunId);
    expect(await runs.claim(other, run.testRunId, randomUUID())).toMatchObject({ kind: 'claimed', attempt: 1 });
  });

  test('waits while its run does not run yet', async () => {
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await runs.database.query(`UPDATE test_runs SET status = 'scheduled' WHERE id = $1`, [testRunId]);
    expect(await runs.claim(scenarioRunId, testRunId, randomUUID())).toEqual({ kind: 'full' });
  });

  test('a canceled scenario run cannot be claimed', async () => {
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await runs.testRuns.cancel(testRunId);
    expect(await runs.claim(scenarioRunId, testRunId, randomUUID())).toEqual({ kind: 'settled' });
  });
});

describe('a scenario run that was claimed as often as is allowed', () => {
  test('ends in an error with the next claim, which is told with its counts', async () => {
    const run = await runs.createRun({ scenarios: 3 });
    const [first = '', tired = '', last = ''] = run.unsettled;
    await runs.database.query(
      `UPDATE scenario_runs SET attempt = $2, status = 'running', owner = $3, heartbeat_at = now() - interval '1 hour'
       WHERE id = $1`,
      [tired, MAX_ATTEMPTS, randomUUID()],
    );
    const owner = randomUUID();
    const claims = await Promise.all([first, tired, last].map((id) => runs.claim(id, run.testRunId, owner)));
    expect(claims.map(({ kind }) => kind)).toEqual(['claimed', 'exhausted', 'claimed']);
    expect(await runs.scenarioRunReads.find(tired)).toMatchObject({
      status: 'error',
      error_code: 'internal',
      error_message: expect.stringContaining(`after ${MAX_ATTEMPTS} attempts`),
      attempt: MAX_ATTEMPTS,
    });
    const told = runs.told.filter(({ run_id }) => run_id === run.testRunId);
    expect(told.map(({ seq, type }) => `${seq} ${type}`)).toEqual([
      '1 test_run_started',
      '2 scenario_started',
      '3 scenario_error',
      '4 scenario_started',
    ]);
    expect(told[2]).toMatchObject({ counts: { passed: 0, failed: 0, error: 1, canceled: 0, total: 3 } });
    const stored = await new EventLogStore(runs.database).readAfter(run.testRunId, 0, { events: 10, bytes: 100_000 });
    expect(stored.map(({ json }) => JSON.parse(json))).toEqual(told);
    expect(await runs.claim(tired, run.testRunId, owner)).toEqual({ kind: 'settled' });
  });

  test('has one attempt left before that', async () => {
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await runs.database.query('UPDATE scenario_runs SET attempt = $2 WHERE id = $1', [scenarioRunId, MAX_ATTEMPTS - 1]);
    expect(await runs.claim(scenarioRunId, testRunId, randomUUID())).toMatchObject({
      kind: 'claimed',
      attempt: MAX_ATTEMPTS,
    });
  });
});

describe('a claim', () => {
  test('tells that the conversation starts, and nothing else', async () => {
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    const told = [...runs.told];
    await runs.claim(scenarioRunId, testRunId, randomUUID());
    expect(runs.told).toEqual([
      ...told,
      expect.objectContaining({ run_id: testRunId, seq: 2, type: 'scenario_started', scenario_run_id: scenarioRunId }),
    ]);
  });

  test('shares a transaction with others, and not with so many that their answers take much memory', async () => {
    const { testRunId, unsettled } = await runs.createRun({ scenarios: 40 });
    const owner = randomUUID();
    await Promise.all(unsettled.map((id) => runs.claim(id, testRunId, owner)));
    const transactions = await runs.database.query(
      'SELECT count(*)::int AS claims FROM scenario_runs WHERE test_run_id = $1 GROUP BY xmin::text ORDER BY 1 DESC',
      [testRunId],
    );
    // A mebibyte, of which each answer counts as 32 KiB.
    expect(transactions).toEqual([{ claims: 32 }, { claims: 8 }]);
  });

  test('answers the whole record, so that nothing is loaded after it', async () => {
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    const owner = randomUUID();
    const config = { base_url: 'http://127.0.0.1:1', deep: { n: 1.5, text: 'é "quoted" \\ \n' } };
    await runs.database.query(
      'UPDATE agents SET config = $2 WHERE id = (SELECT agent_id FROM test_runs WHERE id = $1)',
      [testRunId, JSON.stringify(config)],
    );
    expect(recordOf(await runs.claim(scenarioRunId, testRunId, owner))).toEqual({
      scenarioRunId,
      testRunId,
      scenarioId: expect.any(String),
      trial: 1,
      patient: { style: 'cooperative', language: 'en' },
      region: 'US',
      spoken: null,
      seed: expect.any(Number),
      attempt: 1,
      status: 'running',
      maxTurns: 5,
      passThreshold: 50,
      agentId: expect.any(String),
      agentProvider: 'openai',
      agentConfig: config,
      scenario: {
        name: 'Scenario 1',
        content: { script: '', demographics: {}, chief_complaint: '' },
        rubric_criteria: [],
      },
      keptTurns: 0,
      givenMessage: null,
      playedBy: null,
      turns: [],
      closingActs: null,
      isRestarted: false,
      isInDoubt: false,
    });
    const turns = [exchange(1, 'line\r\n "quoted" \u2028 🚑'), exchange(2)];
    for (const each of turns) {
      await runs.scenarioRuns.record({
        ...{ scenarioRunId, testRunId, owner, attempt: 1, kind: 'turn' },
        exchange: { ...each, latencyMs: 1 / 3 },
        continuation: { chat: each.turn },
        metadata: { tester_ms: 0.1 },
      });
    }
    expect(recordOf(await runs.claim(scenarioRunId, testRunId, owner)).turns).toEqual(
      turns.map((each) => ({
        ...each,
        latencyMs: 1 / 3,
        continuation: { chat: each.turn },
        metadata: { tester_ms: 0.1 },
      })),
    );
  });

  test('keeps when the first attempt began, and who plays and judges in this one', async () => {
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    const claim = (judge: string) =>
      runs.claims.claim({
        ...{ scenarioRunId, testRunId, owner: randomUUID(), restartingProviders: [] },
        metadata: { judge },
      });
    await claim('one');
    await runs.database.query(`UPDATE scenario_runs SET started_at = '2026-01-01T00:00:00Z' WHERE id = $1`, [
      scenarioRunId,
    ]);
    await runs.ownership.releaseAll();
    await claim('another');
    expect(await runs.scenarioRunReads.find(scenarioRunId)).toMatchObject({
      started_at: '2026-01-01T00:00:00.000Z',
      metadata: { judge: 'another' },
    });
  });

  test('of an agent that was erased has no config', async () => {
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await runs.database.query('DELETE FROM agents WHERE id = (SELECT agent_id FROM test_runs WHERE id = $1)', [
      testRunId,
    ]);
    expect(recordOf(await runs.claim(scenarioRunId, testRunId, randomUUID())).agentConfig).toBeNull();
  });

  test('of a row that no reader understands is answered as such, and the others of its batch as always', async () => {
    const run = await runs.createRun({ scenarios: 3 });
    const [, spoiled = ''] = run.unsettled;
    await runs.database.query(
      `WITH begun AS (UPDATE scenario_runs SET turns = 1 WHERE id = $1)
       INSERT INTO turns (scenario_run_id, conversation, turn, patient_message, patient_at, agent_message, agent_at, latency_ms)
       VALUES ($1, 1, 1, '', 'infinity', '', 'infinity', 0)`,
      [spoiled],
    );
    const owner = randomUUID();
    const claims = await Promise.all(run.unsettled.map((id) => runs.claim(id, run.testRunId, owner)));
    expect(claims.map(({ kind }) => kind)).toEqual(['claimed', 'unreadable', 'claimed']);
    expect(claims[1]).toMatchObject({ attempt: 1, error: expect.any(RangeError) });
  });
});

describe('a later attempt', () => {
  test.each([
    ['openai', 'goes on after the recorded turns', 1],
    ['livekit', 'starts the conversation again', 0],
  ])('of %s %s', async (provider, _what, expectedTurns) => {
    const { testRunId, scenarioRunId } = await oneScenarioRun(provider);
    const owner = randomUUID();
    await runs.claim(scenarioRunId, testRunId, owner);
    const ref = { scenarioRunId, testRunId, owner, attempt: 1 };
    await runs.scenarioRuns.record({
      ...ref,
      kind: 'turn',
      exchange: exchange(1),
      continuation: 'chat-1',
      metadata: {},
    });
    await ageHeartbeats(testRunId);
    const claim = await runs.claim(scenarioRunId, testRunId, randomUUID());
    expect(claim).toMatchObject({ kind: 'claimed', record: { attempt: 2, status: 'running' } });
    expect(recordOf(claim).turns).toHaveLength(expectedTurns);
  });
});

describe('a conversation that began again', () => {
  test.each([
    ['in its first turn', 0],
    ['after some turns', 2],
  ])('is known as such in every later attempt, also in one that only grades: broken off %s', async (_when, turns) => {
    const { testRunId, scenarioRunId } = await oneScenarioRun('livekit');
    const attempts = async (recorded: number) => {
      const owner = randomUUID();
      const claim = await runs.claim(scenarioRunId, testRunId, owner);
      const execution = recordOf(claim);
      const ref = { scenarioRunId, testRunId, owner, attempt: execution.attempt };
      for (let turn = execution.turns.length; turn < recorded; turn += 1) {
        await runs.scenarioRuns.record({
          ...ref,
          kind: 'turn',
          exchange: exchange(turn + 1),
          continuation: null,
          metadata: {},
        });
      }
      await runs.ownership.releaseAll();
      return execution;
    };
    expect(await attempts(turns)).toMatchObject({ isRestarted: false });
    expect(await attempts(5)).toMatchObject({ isRestarted: true, turns: [] });
    const grading = await attempts(5);
    expect(grading).toMatchObject({ attempt: 3, isRestarted: true });
    expect(grading.turns).toHaveLength(5);
  });

  test('is none when all its turns are recorded: what is left is the grading', async () => {
    const { testRunId, scenarioRunId } = await oneScenarioRun('livekit');
    const ref = { scenarioRunId, testRunId, owner: randomUUID(), attempt: 1 };
    await runs.claim(scenarioRunId, testRunId, ref.owner);
    for (let turn = 1; turn <= 5; turn += 1) {
      const said = { exchange: exchange(turn), continuation: null, metadata: {} };
      await runs.scenarioRuns.record({ ...ref, kind: 'turn', ...said });
    }
    await runs.ownership.releaseAll();
    const { isRestarted, turns } = recordOf(await runs.claim(scenarioRunId, testRunId, randomUUID()));
    expect([isRestarted, turns.length]).toEqual([false, 5]);
  });

  test('is none when the attempt before it gave the row back and had said nothing', async () => {
    const { testRunId, scenarioRunId } = await oneScenarioRun('livekit');
    const owner = randomUUID();
    await runs.claim(scenarioRunId, testRunId, owner);
    await runs.scenarioRuns.record({ scenarioRunId, testRunId, owner, attempt: 1, kind: 'release', sentTurns: 0 });
    const claim = await runs.claim(scenarioRunId, testRunId, randomUUID());
    expect(claim).toMatchObject({ kind: 'claimed', record: { attempt: 2, isRestarted: false } });
  });
});

describe('a test run', () => {
  test('is adopted once, by one process, when its supervisor is dead', async () => {
    const run = await runs.createRun({ scenarios: 2 });
    await runs.testRuns.adopt(randomUUID(), 100);
    await ageHeartbeats(run.testRunId);
    const adoptions = await Promise.all([
      runs.testRuns.adopt(randomUUID(), 100),
      runs.testRuns.adopt(randomUUID(), 100),
      runs.testRuns.adopt(randomUUID(), 100),
    ]);
    const ours = adoptions.flat().filter((claim) => claim.testRunId === run.testRunId);
    expect(ours).toEqual([expect.objectContaining({ attempt: 2, status: 'running', unsettled: run.unsettled })]);
  });
});
