import { randomUUID } from 'node:crypto';
import { AttemptLeases } from '../../../src/engine/actors/attempt-leases';
import { Executions } from '../../../src/engine/actors/executions';
import { instantNow } from '../../../src/engine/actors/two-clock-instant';
import { ProcessId } from '../../../src/engine/actors/process-id';
import { ScenarioRunActors } from '../../../src/engine/actors/scenario-run-actors';
import { Settlements } from '../../../src/engine/actors/settlements';
import { InProcessBus } from '../../../src/engine/bus/in-process.bus';
import { silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { OfflineJudge } from '../../../src/examiners/judge/offline.judge';
import { CommittedEvents } from '../../../src/engine/ledger/run-log';
import { ScenarioRunLedger } from '../../../src/engine/ledger/scenario-run.ledger';
import { ScreenshotsStore } from '../../../src/engine/ledger/screenshots.store';
import { OfflineTester } from '../../../src/examiners/tester/offline.tester';
import { PrometheusMetrics } from '../../../src/platform/telemetry/metrics/prometheus.metrics';
import { NoTracing } from '../../../src/platform/telemetry/tracing/tracing';
import { eventually } from '../../setup/eventually';
import { OneProvider, SilentProvider } from '../../setup/silent-provider';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';
import { openTextThreads } from '../../setup/text-threads';
import { inText } from '../../setup/in-text';
import { criterion } from '../../setup/transcripts';

const textThreads = openTextThreads();
let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** The actors of one process, and a scenario run that it has claimed. */
async function open({ ledger = runs.scenarioRuns, rubric = [criterion('Asks when the pain started')] } = {}) {
  const bus = new InProcessBus();
  const processId = new ProcessId();
  const provider = new SilentProvider();
  const providers = new OneProvider(provider);
  cleanups.push(
    () => bus.close(),
    () => providers.close(),
  );
  const settlements = new Settlements(bus);
  const executions = new Executions(
    processId,
    new AttemptLeases(runs.ownership, runs.database, silentLog),
    providers,
    textThreads,
    ledger,
    new ScreenshotsStore(runs.database),
    new NoTracing(),
    settingsFrom({}),
    inText,
    silentLog,
  );
  const metrics = new PrometheusMetrics([]);
  const actors = new ScenarioRunActors(executions, settlements, silentLog, metrics);
  const { testRunId, unsettled } = await runs.createRun();
  const [scenarioRunId = ''] = unsettled;
  const claim = await runs.claim(scenarioRunId, testRunId, processId.value);
  if (claim.kind !== 'claimed') throw new Error('The scenario run was not claimed.');
  const settled: string[] = [];
  settlements.listen(testRunId, (id) => settled.push(id));
  const players = { tester: new OfflineTester(textThreads), judge: new OfflineJudge(textThreads) };
  const scenario = { ...claim.record.scenario, rubric_criteria: rubric };
  const execute = () => actors.execute({ ...claim.record, scenario }, players, instantNow());
  const rowNow = async () => {
    const [row] = await runs.database.query('SELECT status, owner, error_code FROM scenario_runs WHERE id = $1', [
      scenarioRunId,
    ]);
    return row;
  };
  const lostLeases = async () => Number(/^osce_leases_lost_total (\d+)$/m.exec(await metrics.scrape())?.[1] ?? 0);
  /** Everything that was announced before has been heard when this resolves. */
  const heard = async () => {
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    return settled;
  };
  return { actors, provider, execute, rowNow, heard, lostLeases, owner: processId.value, testRunId, scenarioRunId };
}

describe('the actor of a scenario run', () => {
  test('that ends reports it to its run once its row is final', async () => {
    const { provider, execute, rowNow, heard, scenarioRunId } = await open();
    provider.fails = true;
    expect(await execute()).toBe('done');
    expect(await rowNow()).toEqual({ status: 'error', owner: null, error_code: 'connect_failed' });
    expect(await heard()).toEqual([scenarioRunId]);
  });

  test('whose scenario has no rubric calls nobody, and its row says why', async () => {
    const { provider, execute, rowNow } = await open({ rubric: [] });
    expect(await execute()).toBe('done');
    expect(provider.calls).toEqual([]);
    expect(await rowNow()).toEqual({ status: 'error', owner: null, error_code: 'no_rubric' });
  });

  test('of a run that was canceled between its claim and now calls nobody and writes nothing', async () => {
    const { actors, provider, execute, rowNow, heard, owner, testRunId } = await open();
    actors.cancel(testRunId);
    expect(await execute()).toBe('done');
    expect(provider.calls).toEqual([]);
    expect(await rowNow()).toEqual({ status: 'running', owner, error_code: null });
    expect(await heard()).toEqual([]);
  });

  test('is shown to those who look on from before it starts until it ends', async () => {
    const { actors, provider, execute, testRunId, scenarioRunId } = await open();
    const shown: unknown[] = [];
    actors.onStarting((live) => shown.push(live, [...actors.listLive()]));
    const executing = execute();
    await eventually(() => expect(provider.calls).toEqual(['connect', 'send']));
    const live = {
      kind: 'scenario_run',
      id: scenarioRunId,
      testRunId,
      attempt: 1,
      agentConfig: {},
      floor: null,
      actor: expect.objectContaining({ send: expect.any(Function) }),
    };
    expect(shown).toEqual([expect.objectContaining(live), []]);
    expect([...actors.listLive()]).toEqual([expect.objectContaining(live)]);
    actors.releaseAll();
    await executing;
    expect([...actors.listLive()]).toEqual([]);
  });

  test('stops in the middle of a call when its run is canceled, and closes its session', async () => {
    const { actors, provider, execute, heard, lostLeases, testRunId } = await open();
    const executing = execute();
    await eventually(() => expect(provider.calls).toEqual(['connect', 'send']));
    actors.cancel(randomUUID());
    await new Promise(setImmediate);
    expect([provider.calls, actors.count]).toEqual([['connect', 'send'], 1]);
    const [live] = actors.listLive();
    await runs.testRuns.cancel(testRunId);
    actors.cancel(testRunId);
    expect(await executing).toBe('done');
    expect(live?.actor.getSnapshot().value).toBe('canceled');
    expect(provider.calls).toEqual(['connect', 'send', 'close']);
    // It was canceled with its run, which needs no report.
    expect(await heard()).toEqual([]);
    expect(await lostLeases()).toBe(0);
  });

  test('leaves its run’s reports to the attempt that has its row now', async () => {
    const { actors, provider, execute, rowNow, heard, lostLeases, testRunId, scenarioRunId } = await open();
    const executing = execute();
    await eventually(() => expect(provider.calls).toEqual(['connect', 'send']));
    await runs.ownership.releaseAll();
    const next = randomUUID();
    await runs.claim(scenarioRunId, testRunId, next);
    const [live] = actors.listLive();
    actors.listLeases()[0]?.seeLoss('superseded');
    expect(await executing).toBe('done');
    expect(live?.actor.getSnapshot().value).toBe('superseded');
    expect(provider.calls).toEqual(['connect', 'send', 'close']);
    expect(await rowNow()).toMatchObject({ status: 'running', owner: next });
    expect(await heard()).toEqual([]);
    expect(await lostLeases()).toBe(1);
  });

  test('releases its row when the process stops, and is waited for until its session is closed', async () => {
    const { actors, provider, execute, rowNow, heard } = await open();
    let close: () => void = () => undefined;
    provider.closing = new Promise((resolve) => (close = resolve));
    const executing = execute();
    await eventually(() => expect(provider.calls).toEqual(['connect', 'send']));
    expect(actors.count).toBe(1);
    actors.releaseAll();
    await eventually(async () => expect(await rowNow()).toMatchObject({ status: 'running', owner: null }));
    expect(actors.count).toBe(0);
    expect(actors.isIdle).toBe(false);
    close();
    expect(await executing).toBe('released');
    expect(actors.isIdle).toBe(true);
    expect(await heard()).toEqual([]);
  });

  test('does not begin when the process stops: its row is released at once', async () => {
    const { actors, provider, execute, rowNow } = await open();
    actors.releaseAll();
    expect(await execute()).toBe('released');
    expect(provider.calls).toEqual([]);
    expect(await rowNow()).toMatchObject({ status: 'running', owner: null });
  });

  describe('whose row cannot be written', () => {
    class BrokenLedger extends ScenarioRunLedger {
      override record(): Promise<never> {
        return Promise.reject(new Error('The row cannot be written.'));
      }
    }
    const broken = () => open({ ledger: new BrokenLedger(runs.database, new CommittedEvents()) });

    test('is over when the process stops: its lease will expire', async () => {
      const { actors, provider, execute, heard } = await broken();
      const executing = execute();
      await eventually(() => expect(provider.calls).toEqual(['connect', 'send']));
      actors.releaseAll();
      expect(await executing).toBe('released');
      expect(provider.calls).toEqual(['connect', 'send', 'close']);
      expect([actors.count, actors.isIdle, await heard()]).toEqual([0, true, []]);
    });

    test('does not begin when the process stops', async () => {
      const { actors, provider, execute } = await broken();
      actors.releaseAll();
      expect(await execute()).toBe('released');
      expect([provider.calls, actors.isIdle]).toEqual([[], true]);
    });

    test('is left to another attempt, and its run hears of no end', async () => {
      const { provider, execute, rowNow, heard } = await broken();
      provider.fails = true;
      expect(await execute()).toBe('released');
      expect(await rowNow()).toMatchObject({ status: 'running' });
      expect(await heard()).toEqual([]);
    });
  });
});
