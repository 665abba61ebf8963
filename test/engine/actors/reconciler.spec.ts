import { randomUUID } from 'node:crypto';
import { AttemptLeases } from '../../../src/engine/actors/attempt-leases';
import { Heartbeat } from '../../../src/engine/actors/heartbeat';
import { Reconciler, WorkOffers } from '../../../src/engine/actors/reconciler';
import { ScenarioRunActors } from '../../../src/engine/actors/scenario-run-actors';
import { createLog, silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { MAX_FAILED_SUPERVISIONS } from '../../../src/engine/ledger/lease';
import { ModelSpend } from '../../../src/examiners/model/model-spend';
import { CommittedEvents } from '../../../src/engine/ledger/run-log';
import { FailedSupervisions } from '../../../src/engine/ledger/failed-supervisions';
import { ModelSpendStore } from '../../../src/examiners/model/model-spend.store';
import { InProcessRequestBudget } from '../../../src/agents/outbound/in-process.request-budget';
import { ProviderRegistry } from '../../../src/agents/registry';
import { eventually } from '../../setup/eventually';
import { quietExecutions } from '../../setup/quiet-executions';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';
import { openSupervisors } from '../../setup/supervisors';
import { openTextThreads } from '../../setup/text-threads';

const textThreads = openTextThreads();
let runs: StoredRuns;
beforeEach(async () => {
  runs = await openStoredRuns();
});
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
  await runs.close();
});

/** The reconciler of one process; rounds run when the test says. */
function open(environment: Record<string, string> = {}, failing?: FailedSupervisions) {
  const { database, ownership, testRuns } = runs;
  const settings = settingsFrom(environment);
  const supervisors = openSupervisors(runs);
  const { bus, processId, settlements, actors } = supervisors;
  const failures = failing ?? supervisors.failures;
  const providers = new ProviderRegistry({ budget: new InProcessRequestBudget() });
  const leases = new AttemptLeases(ownership, database, silentLog);
  const executions = quietExecutions(runs, { processId, leases, providers, textThreads, settings });
  const executed = new ScenarioRunActors(executions, settlements, silentLog);
  const heartbeat = new Heartbeat(executed, actors, ownership, processId, silentLog);
  const lines: unknown[] = [];
  const reconciler = new Reconciler(
    actors,
    testRuns,
    ownership,
    heartbeat,
    new ModelSpend(settings, new ModelSpendStore(database), silentLog),
    failures,
    new WorkOffers(bus, settings),
    processId,
    createLog('warn', { write: (line) => lines.push(JSON.parse(line)) }),
  );
  cleanups.push(
    () => reconciler.stop(),
    supervisors.close,
    () => providers.close(),
  );
  const round = async () => {
    reconciler.start();
    await reconciler.stop();
  };
  return { ...supervisors, round, lines };
}

const rowOf = async (testRunId: string) => {
  const [row] = await runs.database.query('SELECT status, owner, attempt FROM test_runs WHERE id = $1', [testRunId]);
  return row;
};
const LONG_AGO = `now() - interval '1 hour'`;

/** A run of this process whose first scenario run was claimed and released: nobody executes it. */
async function withReleased(owner: string) {
  const claim = await runs.createRun({ scenarios: 2, owner });
  const { testRunId, unsettled } = claim;
  const [scenarioRunId = ''] = unsettled;
  const ref = { scenarioRunId, testRunId, owner: randomUUID(), attempt: 1 };
  await runs.claim(scenarioRunId, testRunId, ref.owner);
  await runs.scenarioRuns.record({ ...ref, kind: 'release', sentTurns: 0 });
  return { claim, scenarioRunId };
}

describe('a round of the reconciler', () => {
  test('adopts what nobody supervises, and never what this process supervises itself, however old its last sign of life', async () => {
    const { owner, actors, round } = open();
    const own = await runs.createRun({ owner });
    actors.supervise(own);
    const orphan = await runs.createRun();
    await runs.database.query(`UPDATE test_runs SET heartbeat_at = ${LONG_AGO}`);
    await round();
    expect(await rowOf(own.testRunId)).toEqual({ status: 'running', owner, attempt: 1 });
    expect(await rowOf(orphan.testRunId)).toEqual({ status: 'running', owner, attempt: 2 });
    expect([...actors.listIds()].sort()).toEqual([own.testRunId, orphan.testRunId].sort());
  });

  test('dispatches again what nobody executes, not what somebody does', async () => {
    const { bus, owner, actors, round } = open();
    const { claim, scenarioRunId } = await withReleased(owner);
    actors.supervise(claim);
    await eventually(() => expect(bus.dispatched.length).toBe(2));
    await round();
    expect(bus.dispatched.slice(2)).toEqual([`${scenarioRunId}:1`]);
    await runs.claim(scenarioRunId, claim.testRunId, randomUUID());
    await round();
    expect(bus.dispatched).toHaveLength(3);
  });

  test('dispatches nothing while the money of the day is spent', async () => {
    await new ModelSpendStore(runs.database).add(2);
    const { bus, owner, actors, round } = open({ ANTHROPIC_API_KEY: 'a-key', MAX_SPEND_USD_PER_DAY: '1' });
    const { claim } = await withReleased(owner);
    actors.supervise(claim);
    await eventually(() => expect(bus.dispatched.length).toBe(2));
    await round();
    expect(bus.dispatched).toHaveLength(2);
  });

  test('settles what has ended although its report was lost', async () => {
    const { bus, owner, actors, round } = open();
    const claim = await runs.createRun({ scenarios: 2, concurrencyLimit: 1, owner });
    const [first = '', second = ''] = claim.unsettled;
    actors.supervise(claim);
    await eventually(() => expect(actors.listSupervised()[0]?.dispatched).toEqual([first]));
    const ref = { scenarioRunId: first, testRunId: claim.testRunId, owner: randomUUID(), attempt: 1 };
    await runs.claim(first, claim.testRunId, ref.owner);
    const failure = { code: 'provider_error', message: 'No.' } as const;
    await runs.scenarioRuns.record({ ...ref, kind: 'failure', failure, metadata: {} });
    await round();
    await eventually(() => expect(actors.listSupervised()[0]?.dispatched).toEqual([second]));
    expect(bus.dispatched).toEqual([`${first}:0`, `${second}:0`]);
  });

  test('ends every run that failed too often, although one of them cannot be ended, and goes on', async () => {
    class HalfFailures extends FailedSupervisions {
      readonly tried: string[] = [];

      override end(testRunId: string) {
        this.tried.push(testRunId);
        return testRunId === stuck.testRunId ? Promise.reject(new Error('Not this one.')) : super.end(testRunId);
      }
    }
    const stuck = await runs.createRun();
    const failing = await runs.createRun();
    await runs.database.query('UPDATE test_runs SET owner = NULL, failed_supervisions = $1', [MAX_FAILED_SUPERVISIONS]);
    const orphan = await runs.createRun();
    await runs.ownership.releaseAll();
    const failures = new HalfFailures(runs.database, new CommittedEvents());
    const { owner, actors, round, lines } = open({}, failures);
    await round();
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'A test run that fails again and again could not be ended',
        error: expect.objectContaining({ message: 'Not this one.' }),
        testRunId: stuck.testRunId,
      }),
      expect.objectContaining({
        msg: 'A test run failed too often and was given up',
        testRunId: failing.testRunId,
      }),
    ]);
    expect(failures.tried).toEqual([stuck.testRunId, failing.testRunId]);
    expect(await rowOf(stuck.testRunId)).toMatchObject({ status: 'running', owner: null });
    expect(await rowOf(failing.testRunId)).toMatchObject({ status: 'failed', owner: null });
    expect(await rowOf(orphan.testRunId)).toMatchObject({ status: 'running', owner });
    expect(actors.listIds()).toEqual([orphan.testRunId]);
  });

  test('counts a supervision that could not begin as one that failed, and adopts the others', async () => {
    const { actors, round, lines } = open();
    const broken = await runs.createRun();
    const orphan = await runs.createRun();
    await runs.ownership.releaseAll();
    actors.onStarting(({ id }) => {
      if (id === broken.testRunId) throw new Error('This one cannot be watched.');
    });
    await round();
    expect(actors.listIds()).toEqual([orphan.testRunId]);
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'The supervision of a test run could not begin',
        error: expect.objectContaining({ message: 'This one cannot be watched.' }),
        testRunId: broken.testRunId,
        attempt: 2,
      }),
    ]);
    const rows = await runs.database.query(
      'SELECT failed_supervisions, owner IS NULL AS is_free FROM test_runs ORDER BY created_at',
    );
    expect(rows).toEqual([
      { failed_supervisions: 1, is_free: true },
      { failed_supervisions: 0, is_free: false },
    ]);
  });
});
