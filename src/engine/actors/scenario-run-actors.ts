import { Injectable, Optional } from '@nestjs/common';
import { createActor } from 'xstate';
import { scenarioRunMachine } from '../../../machines';
import { RecentMap } from '../../platform/concurrency';
import { Log } from '../../platform/config';
import { Metrics, silentMetrics } from '../../platform/telemetry';
import type { ExecutionRecord } from '../ledger/execution-record';
import type { AttemptLease } from './attempt-leases';
import {
  Endings,
  liveScenarioRun,
  startObserved,
  StateClock,
  type LiveActor,
  type LiveScenarioRun,
} from './live-actor';
import type { Players } from './examiner-selection';
import { Executions, type Execution } from './executions';
import { Settlements } from './settlements';
import type { TwoClockInstant } from './two-clock-instant';

/** How a scenario run's actor ended: `done` when its row is final or another attempt owns it, `released` when it waits. */
export type ExecutionEnd = 'done' | 'released';

/** A cancellation may arrive within the milliseconds in which a scenario run starts; fewer runs than this are canceled in that time. */
const CANCELED_RUNS_KEPT = 1_000;

/** The scenario runs that this process executes: an actor for each, started from its row. */
@Injectable()
export class ScenarioRunActors {
  private readonly live = new Set<LiveScenarioRun>();
  private readonly endings = new Endings();
  private readonly canceled = new RecentMap<true>(CANCELED_RUNS_KEPT);
  private isStopping = false;
  private reportStart: (live: LiveActor) => void = () => undefined;

  constructor(
    private readonly executions: Executions,
    private readonly settlements: Settlements,
    private readonly log: Log,
    @Optional() private readonly metrics: Metrics = silentMetrics,
  ) {}

  get count(): number {
    return this.live.size;
  }

  /** Whether nothing is live, and everything that has ended has released its row. */
  get isIdle(): boolean {
    return this.live.size === 0 && this.endings.isEmpty;
  }

  listLeases(): readonly AttemptLease[] {
    return [...this.live].map(({ execution }) => execution.lease);
  }

  *listLive(): Generator<LiveActor> {
    for (const live of this.live) yield liveScenarioRun(live);
  }

  /** Called with every actor that is about to start. */
  onStarting(listener: (live: LiveActor) => void): void {
    this.reportStart = listener;
  }

  /**
   * Starts the actor of a claimed scenario run; resolves when it has ended.
   * @param claimedAt when the claim was requested
   * @throws what is wrong with the record, before there is an actor
   */
  execute(record: ExecutionRecord, players: Players, claimedAt: TwoClockInstant): Promise<ExecutionEnd> {
    const execution = this.executions.begin(record, players, claimedAt);
    if (this.isStopping) {
      return this.endings.add(execution.recorder.release()).then(
        () => 'released',
        () => 'released',
      );
    }
    const { scenarioRunId, testRunId, attempt } = record;
    const actor = createActor(scenarioRunMachine, {
      input: {
        scenarioRunId,
        testRunId,
        attempt,
        // Canceled since its row was read: there was no actor to stop yet.
        status: this.canceled.has(testRunId) ? 'canceled' : record.status,
        maxTurns: record.maxTurns,
        hasRubric: record.scenario.rubric_criteria.length > 0,
        exchanges: record.turns,
        ...execution.driven,
      },
    });
    execution.lease.onLoss((loss) => {
      if (loss === 'superseded') this.metrics.count('osce_leases_lost_total', {});
      actor.send({ type: loss === 'canceled' ? 'runCanceled' : 'attemptSuperseded' });
    });
    const live: LiveScenarioRun = { actor, execution, clock: new StateClock() };
    this.reportStart(liveScenarioRun(live));
    // From here on nothing throws: what is listed has its heartbeats, and leaves when its actor ends.
    this.live.add(live);
    return new Promise((resolve) => {
      startObserved(actor, live.clock, this.log, { scenarioRunId, attempt }, () => {
        this.live.delete(live);
        const snapshot = actor.getSnapshot();
        const isReleased = snapshot.status === 'error' || snapshot.matches('released');
        // The new owner of a superseded attempt reports its end, and a canceled one is canceled with its run.
        const hasSettled = !isReleased && !snapshot.matches('superseded') && !snapshot.matches('canceled');
        this.endings.add(this.end(execution, isReleased, hasSettled)).then(
          () => resolve(isReleased ? 'released' : 'done'),
          () => resolve('released'),
        );
      });
    });
  }

  /** The run's cancellation is stored: its actors stop what is in flight and write nothing more. */
  cancel(testRunId: string): void {
    this.canceled.set(testRunId, true);
    for (const { execution } of [...this.live]) {
      if (execution.lease.ref.testRunId === testRunId) execution.lease.lose('canceled');
    }
  }

  /** Releases what is still live, and whatever is claimed from now on. */
  releaseAll(): void {
    this.isStopping = true;
    for (const { actor } of [...this.live]) actor.send({ type: 'shutdownRequested' });
  }

  private async end(
    { lease, recorder, conversation }: Execution,
    isReleased: boolean,
    hasSettled: boolean,
  ): Promise<void> {
    // Begun first, and waited for last: the session is closed even while the database does not answer.
    const disconnecting = conversation.disconnect();
    try {
      if (isReleased) await recorder.release();
      else if (hasSettled) this.settlements.announce(lease.ref.testRunId, lease.ref.scenarioRunId);
    } finally {
      await disconnecting;
    }
  }
}
