import { Injectable } from '@nestjs/common';
import { createActor, type AnyActor, type StateValue } from 'xstate';
import { z } from 'zod';
import { listHandedOut } from '../../machines/test-run.machine';
import { Bus } from '../bus/bus';
import { subjects } from '../bus/subjects';
import { Log } from '../config/log';
import { Judge } from '../judge/judge';
import { Database } from '../persistence/database';
import { FailedSupervisions } from '../persistence/ledger/failed-supervisions';
import { OwnershipStore } from '../persistence/ownership.store';
import { ScenarioRunLedger } from '../persistence/ledger/scenario-run.ledger';
import type { ExecutionRecord } from '../persistence/ledger/execution-record';
import { ScreenshotsStore } from '../persistence/screenshots.store';
import { TestRunLedger, type SupervisionClaim } from '../persistence/ledger/test-run.ledger';
import { ProviderRegistry } from '../providers/registry';
import { Tester } from '../tester/tester';
import { TextThreads } from '../threads/text-threads';
import {
  liveScenarioRun,
  liveTestRun,
  StateClock,
  type LiveActor,
  type LiveScenarioRun,
  type LiveTestRun,
} from './live-actor';
import { OwnershipCheck } from './ownership-check';
import { ProcessId } from './process-id';
import { RecentIds } from './recent-ids';
import { ScenarioExecution } from './scenario-execution';
import { executionKey, scenarioRunWithEffects, type HostedScenarioRun } from './scenario-run.effects';
import { testRunWithEffects, type HostedTestRun } from './test-run.effects';

/** How a scenario run's actor ended: `done` when its row is final or another attempt owns it, `handedBack` when it waits. */
export type ExecutionEnd = 'done' | 'handedBack';

/** A cancellation meets a scenario run that is being started within milliseconds; this many runs are not canceled in that time. */
const CANCELED_RUNS_KEPT = 1_000;

const settlementMessage = z.object({ scenario_run_id: z.string() });

/**
 * The live actors of this process. Each is a root actor, started from its row and kept in a registry: children of one
 * parent would cost quadratic time, and a scenario run may live in another process than its test run.
 */
@Injectable()
export class ActorHost {
  private readonly executions = new Map<string, ScenarioExecution>();
  private readonly scenarioRuns = new Map<string, LiveScenarioRun>();
  private readonly testRuns = new Map<string, LiveTestRun>();
  /** What has ended but not yet given its row back or closed its session. */
  private readonly ending = new Set<Promise<unknown>>();
  private readonly canceled = new RecentIds(CANCELED_RUNS_KEPT);
  private readonly ownershipCheck: OwnershipCheck;
  private isStopping = false;
  private tellStarting: (live: LiveActor) => void = () => undefined;
  private readonly scenarioRunLogic: HostedScenarioRun;
  private readonly testRunLogic: HostedTestRun;

  constructor(
    private readonly processId: ProcessId,
    private readonly database: Database,
    private readonly scenarioRunLedger: ScenarioRunLedger,
    private readonly testRunLedger: TestRunLedger,
    private readonly failedSupervisions: FailedSupervisions,
    private readonly screenshots: ScreenshotsStore,
    ownership: OwnershipStore,
    private readonly providers: ProviderRegistry,
    private readonly tester: Tester,
    private readonly judge: Judge,
    private readonly textThreads: TextThreads,
    private readonly bus: Bus,
    private readonly log: Log,
  ) {
    this.ownershipCheck = new OwnershipCheck(processId.value, ownership);
    this.scenarioRunLogic = scenarioRunWithEffects(this.executions);
    this.testRunLogic = testRunWithEffects({
      owner: processId.value,
      ledger: testRunLedger,
      ownership,
      database,
      bus,
      settle: (testRunId, scenarioRunId) => this.settle(testRunId, scenarioRunId),
      log,
    });
  }

  get liveScenarioRuns(): number {
    return this.scenarioRuns.size;
  }

  /** Nothing lives, and what has ended has let go of its row. */
  get isIdle(): boolean {
    return this.scenarioRuns.size === 0 && this.ending.size === 0;
  }

  /** The attempts this process executes, for heartbeats and fencing. */
  listAttempts(): readonly { scenarioRunId: string; attempt: number }[] {
    return [...this.scenarioRuns.values()].map(({ execution }) => execution.ref);
  }

  listTestRunIds(): readonly string[] {
    const ids = new Set(this.testRuns.keys());
    for (const { execution } of this.scenarioRuns.values()) ids.add(execution.ref.testRunId);
    return [...ids];
  }

  /** Runs this process supervises, with the scenario runs each has handed out. */
  listSupervised(): readonly { testRunId: string; attempt: number; handedOut: readonly string[] }[] {
    return [...this.testRuns].map(([testRunId, { actor, attempt }]) => ({
      testRunId,
      attempt,
      handedOut: listHandedOut(actor.getSnapshot().context),
    }));
  }

  /** For inspection: every actor of this process. */
  *listLive(): Generator<LiveActor> {
    for (const [id, live] of this.testRuns) yield liveTestRun(id, live);
    for (const live of this.scenarioRuns.values()) yield liveScenarioRun(live);
  }

  /** For inspection: hears of every actor that is about to start. */
  onStarting(listener: (live: LiveActor) => void): void {
    this.tellStarting = listener;
  }

  /**
   * Starts the actor of a claimed scenario run; resolves when it has ended.
   * @param claimedAt when the claim was asked for (`performance.now()`)
   * @throws what is wrong with the record, before there is an actor
   */
  execute(record: ExecutionRecord, claimedAt: number): Promise<ExecutionEnd> {
    const { scenarioRunId, testRunId, attempt } = record;
    const ref = { scenarioRunId, testRunId, attempt, owner: this.processId.value };
    const execution = new ScenarioExecution(record, ref, claimedAt, {
      provider: this.providers.find(record.agentProvider),
      tester: this.tester,
      judge: this.judge,
      textThreads: this.textThreads,
      ledger: this.scenarioRunLedger,
      screenshots: this.screenshots,
      database: this.database,
      ownershipCheck: this.ownershipCheck,
      loseAttempt: (isCanceled) => this.loseAttempt(ref, isCanceled),
      log: this.log,
    });
    const key = executionKey(ref);
    if (this.isStopping) {
      return this.whileEnding(execution.handBack()).then(
        () => 'handedBack',
        () => 'handedBack',
      );
    }
    const actor = createActor(this.scenarioRunLogic, {
      input: {
        scenarioRunId,
        testRunId,
        attempt,
        // Canceled since its row was read: then there was no actor yet that could have been told.
        status: this.canceled.has(testRunId) ? 'canceled' : record.status,
        maxTurns: record.maxTurns,
        hasRubric: record.scenario.rubric_criteria.length > 0,
        exchanges: record.turns,
      },
    });
    const live: LiveScenarioRun = { actor, execution, clock: new StateClock() };
    this.tellStarting(liveScenarioRun(live));
    // From here on nothing throws: what is in the registry has its heartbeats, and leaves when its actor ends.
    this.executions.set(key, execution);
    this.scenarioRuns.set(key, live);
    return new Promise((resolve) => {
      this.observe(actor, live.clock, { scenarioRunId, attempt }, () => {
        const snapshot = actor.getSnapshot();
        const isHandedBack = snapshot.status === 'error' || snapshot.matches('handedBack');
        // The new owner of a superseded attempt tells of its end, and a canceled one is canceled with its run.
        const hasSettled = !isHandedBack && !snapshot.matches('superseded') && !snapshot.matches('canceled');
        this.whileEnding(this.endExecution(key, execution, isHandedBack, hasSettled)).then(
          () => resolve(isHandedBack ? 'handedBack' : 'done'),
          () => resolve('handedBack'),
        );
      });
      actor.start();
    });
  }

  /** Starts the actor of a test run that this process owns. */
  supervise(claim: SupervisionClaim): void {
    const { testRunId, attempt } = claim;
    this.testRuns.get(testRunId)?.actor.send({ type: 'attemptSuperseded' });
    const actor = createActor(this.testRunLogic, { input: claim });
    const settlements = this.bus.subscribe(subjects.settlement(testRunId), (payload) => {
      const message = settlementMessage.safeParse(payload);
      if (message.success) this.settle(testRunId, message.data.scenario_run_id);
    });
    const live: LiveTestRun = { actor, settlements, attempt, clock: new StateClock() };
    this.tellStarting(liveTestRun(testRunId, live));
    this.testRuns.set(testRunId, live);
    this.observe(actor, live.clock, { testRunId, attempt }, () => {
      settlements.unsubscribe();
      if (this.testRuns.get(testRunId)?.actor === actor) this.testRuns.delete(testRunId);
      const snapshot = actor.getSnapshot();
      if (snapshot.status === 'error' || snapshot.matches('handedBack')) this.handBackSupervision(testRunId, attempt);
    });
    actor.start();
  }

  settle(testRunId: string, scenarioRunId: string): void {
    this.testRuns.get(testRunId)?.actor.send({ type: 'scenarioSettled', scenarioRunId });
  }

  /** The row is final: whoever supervises the run hears it by the bus, this process without it. */
  announceSettled(testRunId: string, scenarioRunId: string): void {
    this.settle(testRunId, scenarioRunId);
    this.bus.publish(subjects.settlement(testRunId), { scenario_run_id: scenarioRunId });
  }

  /** The run's cancellation is stored: its actors stop what is in flight and write nothing more. */
  cancel(testRunId: string): void {
    this.canceled.add(testRunId);
    // First: told of a canceled scenario run, it would hand out the next one.
    this.testRuns.get(testRunId)?.actor.send({ type: 'runCanceled' });
    for (const { actor, execution } of [...this.scenarioRuns.values()]) {
      if (execution.ref.testRunId === testRunId) actor.send({ type: 'runCanceled' });
    }
  }

  /** This process no longer owns the attempt. */
  loseAttempt(ref: { scenarioRunId: string; attempt: number }, isCanceled: boolean): void {
    const live = this.scenarioRuns.get(executionKey(ref));
    live?.actor.send({ type: isCanceled ? 'runCanceled' : 'attemptSuperseded' });
  }

  /** Gives everything back that is still live, so that another process goes on at once. */
  handBackAll(): void {
    this.isStopping = true;
    for (const { actor } of [...this.testRuns.values()]) actor.send({ type: 'shutdownRequested' });
    for (const { actor } of [...this.scenarioRuns.values()]) actor.send({ type: 'shutdownRequested' });
  }

  /** Every actor gets an error observer: an actor that fails without one ends the process. */
  private observe(
    actor: AnyActor,
    clock: StateClock,
    names: Readonly<Record<string, string | number>>,
    onEnd: () => void,
  ): void {
    actor.subscribe({
      next: ({ value }: { readonly value: StateValue }) => clock.note(value),
      complete: onEnd,
      error: (error: unknown) => {
        this.log.error('An actor failed; its row waits for another attempt', { error, ...names });
        onEnd();
      },
    });
  }

  private async endExecution(
    key: string,
    execution: ScenarioExecution,
    isHandedBack: boolean,
    hasSettled: boolean,
  ): Promise<void> {
    const { scenarioRunId, testRunId } = execution.ref;
    this.scenarioRuns.delete(key);
    this.executions.delete(key);
    try {
      if (isHandedBack) await execution.handBack();
      else if (hasSettled) this.announceSettled(testRunId, scenarioRunId);
    } finally {
      await execution.disconnect();
    }
  }

  /** Without a shutdown only a failure ends a supervision before its run. */
  private handBackSupervision(testRunId: string, attempt: number): void {
    const supervision = { testRunId, owner: this.processId.value, attempt };
    const handingBack = this.isStopping
      ? this.testRunLedger.handBack(supervision)
      : this.failedSupervisions.note(supervision);
    void this.whileEnding(
      handingBack.catch((error: unknown) =>
        this.log.warn('A test run could not be given back; its lease runs out', { error, testRunId }),
      ),
    );
  }

  private whileEnding<Result>(ending: Promise<Result>): Promise<Result> {
    this.ending.add(ending);
    const settled = () => this.ending.delete(ending);
    ending.then(settled, settled);
    return ending;
  }
}
