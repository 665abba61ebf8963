import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AbandonedRuns } from '../../../src/engine/actors/abandoned-runs';
import { ActorHost } from '../../../src/engine/actors/actor-host';
import { ActorTimes } from '../../../src/engine/actors/actor-times';
import { ActorsLifecycle } from '../../../src/engine/actors/actors.lifecycle';
import { AttemptLeases } from '../../../src/engine/actors/attempt-leases';
import { Cancellations } from '../../../src/engine/actors/cancellations';
import { ExaminerSelection } from '../../../src/engine/actors/examiner-selection';
import { Heartbeat } from '../../../src/engine/actors/heartbeat';
import { OwnershipWatch } from '../../../src/engine/actors/ownership-watch';
import { ProcessesStore } from '../../../src/engine/actors/processes.store';
import { Reconciler, WorkOffers } from '../../../src/engine/actors/reconciler';
import { ScenarioRunActors } from '../../../src/engine/actors/scenario-run-actors';
import { enqueueWork } from '../../../src/engine/actors/scenario-run-work';
import { ServiceProcesses } from '../../../src/engine/actors/service-processes';
import { UnstartedScenarioRuns, WorkIntake } from '../../../src/engine/actors/work-intake';
import { CommittedEvents } from '../../../src/engine/ledger/run-log';
import { RunExaminersStore } from '../../../src/engine/ledger/run-examiners.store';
import { ScenarioRunClaims } from '../../../src/engine/ledger/scenario-run.claims';
import { ModelSpend } from '../../../src/examiners/model/model-spend';
import { ModelSpendStore } from '../../../src/examiners/model/model-spend.store';
import { createLog, silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import type { Database } from '../../../src/platform/database/database';
import { eventually } from '../../setup/eventually';
import { offlineExaminers } from '../../setup/offline-examiner-selection';
import { quietExecutions } from '../../setup/quiet-executions';
import { OneProvider, SilentProvider } from '../../setup/silent-provider';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';
import { openSupervisors } from '../../setup/supervisors';
import { openTextThreads } from '../../setup/text-threads';
import { criterion } from '../../setup/transcripts';

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

/** Nobody waits for it: a test in which it had to pass would not end. */
const ENDLESS_MS = 3_600_000;
const rubric = [criterion('Asks when the pain started')];

/** A process that has not begun, with an agent that is silent. */
function open({ graceMs = ENDLESS_MS, isAlone = false, claims = runs.claims } = {}) {
  const { database, ownership, testRuns, scenarioRuns } = runs;
  const settings = settingsFrom({});
  const times = { ...new ActorTimes(), graceMs };
  const { bus, processId, owner, settlements, failures, actors } = openSupervisors(runs);
  const provider = new SilentProvider();
  const providers = new OneProvider(provider);
  const leases = new AttemptLeases(ownership, database, silentLog);
  const executions = quietExecutions(runs, { processId, leases, providers, textThreads, settings });
  const executed = new ScenarioRunActors(executions, settlements, silentLog);
  const host = new ActorHost(executed, actors);
  const heartbeat = new Heartbeat(executed, actors, ownership, processId, silentLog);
  const spend = new ModelSpend(settings, new ModelSpendStore(database), silentLog);
  const { testers, judges } = offlineExaminers(textThreads);
  const store = new ProcessesStore(database);
  const processes = new ServiceProcesses(settings, processId, testers, judges, store, times, silentLog);
  const offers = new WorkOffers(bus, settings);
  const intake = new WorkIntake(
    bus,
    settings,
    processId,
    claims,
    executed,
    new UnstartedScenarioRuns(scenarioRuns, settlements, silentLog),
    providers,
    new ExaminerSelection(testers, judges, new RunExaminersStore(database)),
    spend,
    processes,
    new AbandonedRuns(testRuns, settlements, silentLog),
    times,
    silentLog,
  );
  const lines: unknown[] = [];
  const alone: Database = Object.create(database, { exclusive: { value: true } });
  const lifecycle = new ActorsLifecycle(
    isAlone ? alone : database,
    ownership,
    host,
    intake,
    heartbeat,
    new Cancellations(bus, host, ownership),
    new OwnershipWatch(host, executed, leases, ownership, silentLog),
    new Reconciler(actors, testRuns, ownership, heartbeat, spend, failures, offers, processId, silentLog),
    processes,
    times,
    createLog('info', { write: (line) => lines.push(JSON.parse(line)) }),
  );
  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => (stopping ??= lifecycle.beforeApplicationShutdown());
  cleanups.push(async () => {
    provider.breakOff();
    await stop();
    await bus.close();
    await providers.close();
  });
  return { lifecycle, host, bus, owner, provider, lines, stop };
}

/** The owners and statuses of a run and of its scenario runs. */
async function rowsOf(testRunId: string) {
  const [run] = await runs.database.query('SELECT status, owner FROM test_runs WHERE id = $1', [testRunId]);
  const scenarioRuns = await runs.database.query(
    'SELECT status, owner FROM scenario_runs WHERE test_run_id = $1 ORDER BY position',
    [testRunId],
  );
  return { run, scenarioRuns };
}

/** A run that a process has begun that is not there any more, whose leases hold for a while. */
async function begunElsewhere() {
  const before = randomUUID();
  const claim = await runs.createRun({ owner: before, rubric });
  const { testRunId, unsettled } = claim;
  await runs.claim(unsettled[0] ?? '', testRunId, before);
  return { before, testRunId };
}

const processesNow = () => runs.database.query('SELECT id FROM processes');

describe('a process that begins', () => {
  test('on a database that it alone can use goes on at once with what a killed one has left', async () => {
    const { testRunId } = await begunElsewhere();
    const { lifecycle, owner, provider } = open({ isAlone: true });
    expect(lifecycle.hasStarted).toBe(false);
    await lifecycle.onApplicationBootstrap();
    await eventually(() => expect(provider.calls).toEqual(['connect', 'send']));
    expect(lifecycle.hasStarted).toBe(true);
    expect(await rowsOf(testRunId)).toEqual({
      run: { status: 'running', owner },
      scenarioRuns: [{ status: 'running', owner }],
    });
    await eventually(async () => expect(await processesNow()).toEqual([{ id: owner }]));
  });

  test('beside others leaves alone what they hold', async () => {
    const { before, testRunId } = await begunElsewhere();
    const { lifecycle } = open();
    await lifecycle.onApplicationBootstrap();
    await eventually(() => expect(lifecycle.hasStarted).toBe(true));
    expect(await rowsOf(testRunId)).toEqual({
      run: { status: 'running', owner: before },
      scenarioRuns: [{ status: 'running', owner: before }],
    });
  });
});

describe('a process that stops', () => {
  /** It examines the first scenario run of a run of which the second is not begun. */
  async function examining(options: Parameters<typeof open>[0] = {}) {
    const { testRunId } = await runs.createRun({ scenarios: 2, concurrencyLimit: 1, rubric });
    await runs.ownership.releaseAll();
    const opened = open(options);
    await opened.lifecycle.onApplicationBootstrap();
    await eventually(() => expect(opened.provider.calls).toEqual(['connect', 'send']));
    return { ...opened, testRunId };
  }

  test('lets a conversation under way come to its end, records the end, and begins no other', async () => {
    const { host, provider, lines, stop, testRunId } = await examining();
    const stopped = stop();
    expect(host.liveScenarioRuns).toBe(1);
    provider.breakOff();
    await stopped;
    expect(provider.calls).toEqual(['connect', 'send', 'close']);
    expect(await rowsOf(testRunId)).toEqual({
      run: { status: 'running', owner: null },
      scenarioRuns: [
        { status: 'error', owner: null },
        { status: 'pending', owner: null },
      ],
    });
    expect(lines).toEqual([]);
    expect(await processesNow()).toEqual([]);
  });

  test('records the end of a run whose last conversation ends meanwhile', async () => {
    const { testRunId } = await runs.createRun({ rubric });
    await runs.ownership.releaseAll();
    const { lifecycle, provider, stop } = open();
    await lifecycle.onApplicationBootstrap();
    await eventually(() => expect(provider.calls).toEqual(['connect', 'send']));
    const stopped = stop();
    provider.breakOff();
    await stopped;
    expect(await rowsOf(testRunId)).toEqual({
      run: { status: 'failed', owner: null },
      scenarioRuns: [{ status: 'error', owner: null }],
    });
  });

  test('releases a conversation that goes on for longer than it may, and says so', async () => {
    const { provider, lines, stop, testRunId } = await examining({ graceMs: 0 });
    await stop();
    expect(provider.calls).toEqual(['connect', 'send', 'close']);
    expect(await rowsOf(testRunId)).toEqual({
      run: { status: 'running', owner: null },
      scenarioRuns: [
        { status: 'running', owner: null },
        { status: 'pending', owner: null },
      ],
    });
    expect(lines).toEqual([expect.objectContaining({ msg: 'Releasing live scenario runs', scenarioRuns: 1 })]);
  });

  test('goes on with work that it was about to take', async () => {
    class SlowClaims extends ScenarioRunClaims {
      asked = 0;

      override async claim(...asked: Parameters<ScenarioRunClaims['claim']>) {
        this.asked += 1;
        // For a few of the looks at whether all is done.
        await sleep(300);
        return super.claim(...asked);
      }
    }
    const { testRunId } = await runs.createRun({ rubric });
    await runs.ownership.releaseAll();
    const claims = new SlowClaims(runs.database, new CommittedEvents());
    const { lifecycle, provider, stop } = open({ claims });
    provider.fails = true;
    await lifecycle.onApplicationBootstrap();
    await eventually(() => expect(claims.asked).toBe(1));
    await stop();
    expect(await rowsOf(testRunId)).toEqual({
      run: { status: 'failed', owner: null },
      scenarioRuns: [{ status: 'error', owner: null }],
    });
  });

  test('takes no more work', async () => {
    const { lifecycle, bus, provider, stop } = open();
    await lifecycle.onApplicationBootstrap();
    await eventually(() => expect(lifecycle.hasStarted).toBe(true));
    await stop();
    const { testRunId, unsettled } = await runs.createRun();
    await enqueueWork(bus, { testRunId, scenarioRunId: unsettled[0] ?? '', attempt: 0 });
    await new Promise(setImmediate);
    expect(provider.calls).toEqual([]);
    expect(await rowsOf(testRunId)).toMatchObject({ scenarioRuns: [{ status: 'pending', owner: null }] });
  });
});
