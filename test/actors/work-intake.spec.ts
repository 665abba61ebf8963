import { randomBytes, randomUUID } from 'node:crypto';
import { AttemptLeases } from '../../src/actors/attempt-leases';
import { Executions } from '../../src/actors/executions';
import { ProcessId } from '../../src/actors/process-id';
import { ScenarioRunActors, type ExecutionEnd } from '../../src/actors/scenario-run-actors';
import { enqueueWork } from '../../src/actors/scenario-run-work';
import { Settlements } from '../../src/actors/settlements';
import { UnstartedScenarioRuns } from '../../src/actors/unstarted-scenario-runs';
import { WorkIntake } from '../../src/actors/work-intake';
import type { Delivery, Subscription } from '../../src/bus/bus';
import { InProcessBus } from '../../src/bus/in-process.bus';
import { subjects } from '../../src/bus/subjects';
import { silentLog } from '../../src/config/log';
import { settingsFrom } from '../../src/config/settings';
import { ModelSpend } from '../../src/model/model-spend';
import { MAX_ATTEMPTS } from '../../src/persistence/ledger/attempt-limit';
import type { ExecutionRecord } from '../../src/persistence/ledger/execution-record';
import { ModelSpendStore } from '../../src/persistence/model-spend.store';
import { Vault } from '../../src/persistence/sealing/vault';
import { ScreenshotsStore } from '../../src/persistence/screenshots.store';
import { InProcessRequestBudget } from '../../src/providers/in-process.request-budget';
import { ProviderRegistry } from '../../src/providers/registry';
import { NoTracing } from '../../src/tracing/tracing';
import { offlineCasts } from '../setup/offline-casts';
import { eventually } from '../setup/eventually';
import { exchange, openStoredRuns, type StoredRuns } from '../setup/stored-run';
import { openTextThreads } from '../setup/text-threads';

const textThreads = openTextThreads();
let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

/** Keeps what becomes of each delivery, in order. */
class WatchedBus extends InProcessBus {
  readonly fates: string[] = [];
  /** How often the queue heard that a delivery is still worked on. */
  signsOfLife = 0;

  override consume(subject: string, capacity: number, handler: (delivery: Delivery) => void): Subscription {
    return super.consume(subject, capacity, (delivery) => {
      handler({
        payload: delivery.payload,
        deliveryCount: delivery.deliveryCount,
        working: () => {
          this.signsOfLife += 1;
          delivery.working();
        },
        ack: () => {
          this.fates.push('done');
          delivery.ack();
        },
        nak: (delayMs) => {
          this.fates.push(`again after ${delayMs} ms`);
          delivery.nak(delayMs);
        },
      });
    });
  }
}

/** Executions end when and as the test says. */
class HeldActors extends ScenarioRunActors {
  readonly begun: string[] = [];
  finish: (end: ExecutionEnd) => void = () => undefined;

  override execute({ scenarioRunId }: ExecutionRecord): Promise<ExecutionEnd> {
    this.begun.push(scenarioRunId);
    return new Promise((resolve) => (this.finish = resolve));
  }
}

const opened: { readonly intake: WorkIntake; readonly bus: InProcessBus; readonly providers: ProviderRegistry }[] = [];
afterEach(async () => {
  for (const { intake, bus, providers } of opened.splice(0)) {
    intake.stop();
    intake.close();
    await bus.close();
    await providers.close();
  }
});

function open(environment: Record<string, string> = {}, claims = runs.claims) {
  const settings = settingsFrom(environment);
  const bus = new WatchedBus();
  const processId = new ProcessId();
  const providers = new ProviderRegistry({ budget: new InProcessRequestBudget() });
  const leases = new AttemptLeases(runs.ownership, runs.database, silentLog);
  const screenshots = new ScreenshotsStore(runs.database);
  const ledger = runs.scenarioRuns;
  const settlements = new Settlements(bus);
  const executions = new Executions(
    processId,
    leases,
    providers,
    textThreads,
    ledger,
    screenshots,
    new NoTracing(),
    settings,
    silentLog,
  );
  const actors = new HeldActors(executions, settlements, silentLog);
  const unstarted = new UnstartedScenarioRuns(ledger, settlements, silentLog);
  const spend = new ModelSpend(settings, new ModelSpendStore(runs.database), silentLog);
  const intake = new WorkIntake(
    bus,
    settings,
    processId,
    claims,
    actors,
    unstarted,
    providers,
    offlineCasts(runs.database, textThreads),
    spend,
    silentLog,
  );
  intake.start();
  opened.push({ intake, bus, providers });
  const settled: string[] = [];
  const listen = (testRunId: string) => settlements.listen(testRunId, (scenarioRunId) => settled.push(scenarioRunId));
  return { bus, actors, intake, processId, settled, listen };
}

async function oneScenarioRun(limit = 100) {
  const { testRunId, unsettled } = await runs.createRun({ scenarios: 2, concurrencyLimit: limit });
  const [scenarioRunId = '', other = ''] = unsettled;
  return { testRunId, scenarioRunId, other };
}

describe('a piece of work', () => {
  test('is done when its scenario run has ended, and not before', async () => {
    const { bus, actors, intake, processId } = open();
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(actors.begun).toEqual([scenarioRunId]));
    expect({ fates: bus.fates, isIdle: intake.isIdle }).toEqual({ fates: [], isIdle: false });
    const [row] = await runs.database.query(
      'SELECT owner, attempt, status, metadata FROM scenario_runs WHERE id = $1',
      [scenarioRunId],
    );
    expect(row).toMatchObject({ owner: processId.value, attempt: 1, status: 'running', metadata: { offline: true } });
    actors.finish('done');
    await eventually(() => expect(intake.isIdle).toBe(true));
    expect(bus.fates).toEqual(['done']);
  });

  test('is kept alive for as long as it takes, so that nobody else gets it meanwhile', async () => {
    const { bus, actors, intake } = open();
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(actors.begun).toHaveLength(1));
    await eventually(() => expect(bus.signsOfLife).toBe(2), 20_000);
    actors.finish('done');
    await eventually(() => expect(intake.isIdle).toBe(true));
    expect(bus.fates).toEqual(['done']);
  }, 30_000);

  test('whose execution was released is offered again', async () => {
    const { bus, actors } = open();
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(actors.begun).toHaveLength(1));
    await runs.ownership.releaseAll();
    actors.finish('released');
    await eventually(() => expect(actors.begun).toEqual([scenarioRunId, scenarioRunId]));
    expect(bus.fates).toEqual(['again after 1000 ms']);
  });

  test('has nothing to add while its scenario run is under way', async () => {
    const { bus, actors } = open();
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(actors.begun).toHaveLength(1));
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 1 });
    await eventually(() => expect(bus.fates).toEqual(['done']));
    expect(actors.begun).toHaveLength(1);
    const rows = await runs.database.query('SELECT attempt FROM scenario_runs WHERE id = $1', [scenarioRunId]);
    expect(rows).toEqual([{ attempt: 1 }]);
  });

  test('of a run at its limit comes again when there may be room', async () => {
    const { bus, actors } = open();
    const { testRunId, scenarioRunId, other } = await oneScenarioRun(1);
    await runs.claim(other, testRunId, randomUUID());
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(bus.fates).toEqual(['again after 1000 ms']));
    expect(actors.begun).toEqual([]);
  });

  test('whose scenario run another process has is done', async () => {
    const { bus, actors } = open();
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await runs.claim(scenarioRunId, testRunId, randomUUID());
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(bus.fates).toEqual(['done']));
    expect(actors.begun).toEqual([]);
  });

  test('that was tried too often is done, and its run hears that it has ended', async () => {
    const { bus, actors, settled, listen } = open();
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    listen(testRunId);
    await runs.database.query('UPDATE scenario_runs SET attempt = $2 WHERE id = $1', [scenarioRunId, MAX_ATTEMPTS]);
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: MAX_ATTEMPTS });
    await eventually(() => expect(bus.fates).toEqual(['done']));
    await eventually(() => expect(settled).toEqual([scenarioRunId]));
    expect(actors.begun).toEqual([]);
  });

  test('that nobody could begin ends in an error of its own, and its run hears of it', async () => {
    const { bus, actors, settled, listen } = open();
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    listen(testRunId);
    const ref = { scenarioRunId, testRunId, owner: randomUUID(), attempt: 1 };
    await runs.claim(scenarioRunId, testRunId, ref.owner);
    const turn = { kind: 'turn', exchange: exchange(1), continuation: null, metadata: {} } as const;
    await runs.scenarioRuns.record({ ...ref, ...turn });
    await runs.ownership.releaseAll();
    // No clock shows this, and so no reader understands it.
    await runs.database.query(`UPDATE turns SET patient_at = 'infinity' WHERE scenario_run_id = $1`, [scenarioRunId]);
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 1 });
    await eventually(() => expect(bus.fates).toEqual(['done']));
    await eventually(() => expect(settled).toEqual([scenarioRunId]));
    expect(actors.begun).toEqual([]);
    const [row] = await runs.database.query('SELECT status, error_code, metadata FROM scenario_runs WHERE id = $1', [
      scenarioRunId,
    ]);
    expect(row).toMatchObject({ status: 'error', error_code: 'internal', metadata: { attempts: 2, offline: true } });
  });

  test('of a run that was deleted is done', async () => {
    const { bus, actors } = open();
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await runs.testRuns.delete(testRunId);
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(bus.fates).toEqual(['done']));
    expect(actors.begun).toEqual([]);
  });

  test('that asks for a model nobody may use here any more ends in an error of its own, and its run hears of it', async () => {
    const { bus, actors, settled, listen } = open();
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    listen(testRunId);
    await runs.database.query(`UPDATE test_runs SET judge_model = 'anthropic/claude-gone' WHERE id = $1`, [testRunId]);
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(settled).toEqual([scenarioRunId]));
    await eventually(() => expect(bus.fates).toEqual(['done']));
    expect(actors.begun).toEqual([]);
    const [row] = await runs.database.query('SELECT status, error_code, metadata FROM scenario_runs WHERE id = $1', [
      scenarioRunId,
    ]);
    expect(row).toMatchObject({
      status: 'error',
      error_code: 'grading_failed',
      metadata: { judge: { name: 'anthropic', model: 'claude-gone' } },
    });
  });

  test('that could not be claimed comes again', async () => {
    const away = await openStoredRuns();
    const { bus, actors } = open({}, away.claims);
    await away.close();
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(bus.fates).toEqual(['again after 2000 ms']));
    expect(actors.begun).toEqual([]);
  });

  test('whose agent another process alone can decrypt waits for that one, and uses up no attempts', async () => {
    const { bus, actors } = open();
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    const [agent] = await runs.database.query<{ id: string }>('SELECT agent_id AS id FROM test_runs WHERE id = $1', [
      testRunId,
    ]);
    const config = Vault.of([randomBytes(32).toString('base64')]).sealDocument({}, `agents.config of ${agent?.id}`);
    const setConfig = (document: object) =>
      runs.database.query('UPDATE agents SET config = $2 WHERE id = $1', [agent?.id, JSON.stringify(document)]);
    await setConfig(config);
    const waiting = ['again after 10000 ms', 'again after 10000 ms', 'again after 10000 ms'];
    for (const index of waiting.keys()) {
      await enqueueWork(bus, { testRunId, scenarioRunId, attempt: index });
      await eventually(() => expect(bus.fates).toEqual(waiting.slice(0, index + 1)));
    }
    const stored = () =>
      runs.database.query(
        'SELECT status, owner, attempt, clean_release_attempt AS clean FROM scenario_runs WHERE id = $1',
        [scenarioRunId],
      );
    expect(await stored()).toEqual([{ status: 'running', owner: null, attempt: 1, clean: 1 }]);
    await setConfig({});
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 4 });
    await eventually(() => expect(actors.begun).toEqual([scenarioRunId]));
    actors.finish('done');
  });

  test('that nobody understands is dropped', async () => {
    const { bus, actors } = open();
    for (const payload of [null, {}, { scenario_run_id: 'x', test_run_id: 'y' }]) {
      await bus.enqueue(subjects.scenarioRunWork, payload, { messageId: randomUUID() });
    }
    await eventually(() => expect(bus.fates).toEqual(['done', 'done', 'done']));
    expect(actors.begun).toEqual([]);
  });

  test('waits while the money of the day is spent', async () => {
    await new ModelSpendStore(runs.database).add(2);
    const { bus, actors } = open({ ANTHROPIC_API_KEY: 'a-key', MAX_SPEND_USD_PER_DAY: '1' });
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(bus.fates).toEqual(['again after 10000 ms']));
    expect(actors.begun).toEqual([]);
  });
});

describe('a process', () => {
  test('takes no more work than it has slots for, and none once it stops', async () => {
    const { bus, actors, intake } = open({ MAX_ACTIVE_SCENARIOS: '1' });
    const { testRunId, scenarioRunId, other } = await oneScenarioRun();
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await enqueueWork(bus, { testRunId, scenarioRunId: other, attempt: 0 });
    await eventually(() => expect(actors.begun).toEqual([scenarioRunId]));
    actors.finish('done');
    await eventually(() => expect(actors.begun).toEqual([scenarioRunId, other]));
    intake.stop();
    actors.finish('done');
    await eventually(() => expect(intake.isIdle).toBe(true));
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 7 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(bus.fates).toEqual(['done', 'done']);
  });
});
