import { ActorTimes } from '../../src/engine/actors/actor-times';
import { AttemptLeases } from '../../src/engine/actors/attempt-leases';
import { ProcessId } from '../../src/engine/actors/process-id';
import { ScenarioRunActors, type ExecutionEnd } from '../../src/engine/actors/scenario-run-actors';
import { Settlements } from '../../src/engine/actors/settlements';
import { UnstartedScenarioRuns, WorkIntake } from '../../src/engine/actors/work-intake';
import type { Delivery, Subscription } from '../../src/engine/bus/bus';
import { InProcessBus } from '../../src/engine/bus/in-process.bus';
import { silentLog, type Log } from '../../src/platform/config/log';
import { silentMetrics, type Metrics } from '../../src/platform/telemetry';
import { settingsFrom } from '../../src/platform/config/settings';
import { ModelSpend } from '../../src/examiners/model/model-spend';
import type { ExecutionRecord } from '../../src/engine/ledger/execution-record';
import { ModelSpendStore } from '../../src/examiners/model/model-spend.store';
import { InProcessRequestBudget } from '../../src/agents/outbound/in-process.request-budget';
import { ProviderRegistry } from '../../src/agents/registry';
import { AbandonedRuns } from '../../src/engine/actors/abandoned-runs';
import { ExaminerSelection } from '../../src/engine/actors/examiner-selection';
import { ServiceProcesses } from '../../src/engine/actors/service-processes';
import { ProcessesStore } from '../../src/engine/actors/processes.store';
import type { ScenarioRunClaims } from '../../src/engine/ledger/scenario-run.claims';
import { RunExaminersStore } from '../../src/engine/ledger/run-examiners.store';
import { offlineExaminers } from './offline-examiner-selection';
import { quietExecutions } from './quiet-executions';
import { openStoredRuns, type StoredRuns } from './stored-run';
import { openTextThreads } from './text-threads';

/** Keeps what becomes of each delivery, in order. */
class WatchedBus extends InProcessBus {
  readonly fates: string[] = [];
  /** How often the queue heard that a delivery is still worked on. */
  signsOfLife = 0;

  override consume(subject: string, capacity: number, handler: (delivery: Delivery) => void): Subscription {
    return super.consume(subject, capacity, (delivery) => {
      handler({
        payload: delivery.payload,
        sequence: delivery.sequence,
        deliveryCount: delivery.deliveryCount,
        working: () => {
          this.signsOfLife += 1;
          delivery.working();
        },
        ack: () => {
          this.fates.push('done');
          delivery.ack();
        },
        drop: () => {
          this.fates.push('dropped');
          delivery.drop();
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

interface IntakeOptions {
  readonly claims?: ScenarioRunClaims;
  readonly log?: Log;
  readonly metrics?: Metrics;
  readonly times?: Partial<ActorTimes>;
}

/**
 * Intakes of work for the tests of one file, over one database: each takes what its own bus brings it, and its executions end when the
 * test says so.
 */
export function watchedIntakes() {
  const textThreads = openTextThreads();
  let stored: StoredRuns | null = null;
  const runs = (): StoredRuns => {
    if (stored === null) throw new Error('The runs are there once the tests begin.');
    return stored;
  };
  beforeAll(async () => {
    stored = await openStoredRuns();
  });
  afterAll(() => stored?.close());

  const opened: { readonly intake: WorkIntake; readonly bus: InProcessBus; readonly providers: ProviderRegistry }[] =
    [];
  afterEach(async () => {
    for (const { intake, bus, providers } of opened.splice(0)) {
      intake.stop();
      intake.close();
      await bus.close();
      await providers.close();
    }
  });

  function open(
    environment: Record<string, string> = {},
    { claims = runs().claims, log = silentLog, metrics = silentMetrics, times = {} }: IntakeOptions = {},
  ) {
    const actorTimes = { ...new ActorTimes(), ...times };
    const settings = settingsFrom(environment);
    const bus = new WatchedBus();
    const processId = new ProcessId();
    const providers = new ProviderRegistry({ budget: new InProcessRequestBudget() });
    const leases = new AttemptLeases(runs().ownership, runs().database, silentLog);
    const settlements = new Settlements(bus);
    const executions = quietExecutions(runs(), { processId, leases, providers, textThreads, settings });
    const actors = new HeldActors(executions, settlements, silentLog);
    const unstarted = new UnstartedScenarioRuns(runs().scenarioRuns, settlements, log);
    const { testers, judges } = offlineExaminers(textThreads);
    const spend = new ModelSpend(settings, new ModelSpendStore(runs().database), silentLog);
    const intake = new WorkIntake(
      bus,
      settings,
      processId,
      claims,
      actors,
      unstarted,
      providers,
      new ExaminerSelection(testers, judges, new RunExaminersStore(runs().database)),
      spend,
      new ServiceProcesses(settings, processId, testers, judges, new ProcessesStore(runs().database), actorTimes, log),
      new AbandonedRuns(runs().testRuns, settlements, log),
      actorTimes,
      log,
      metrics,
    );
    intake.start();
    opened.push({ intake, bus, providers });
    const settled: string[] = [];
    const listen = (testRunId: string) => settlements.listen(testRunId, (scenarioRunId) => settled.push(scenarioRunId));
    return { bus, actors, intake, processId, settled, listen };
  }

  async function oneScenarioRun(limit = 100) {
    const { testRunId, unsettled } = await runs().createRun({ scenarios: 2, concurrencyLimit: limit });
    const [scenarioRunId = '', other = ''] = unsettled;
    return { testRunId, scenarioRunId, other };
  }

  return { runs, open, oneScenarioRun };
}
