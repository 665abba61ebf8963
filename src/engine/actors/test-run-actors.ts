import { Injectable } from '@nestjs/common';
import { createActor } from 'xstate';
import { listDispatched } from '../../../machines';
import { Log } from '../../platform/config';
import { FailedSupervisions } from '../ledger/failed-supervisions';
import type { SupervisionClaim } from '../ledger/supervision';
import { TestRunLedger } from '../ledger/test-run.ledger';
import { Endings, liveTestRun, startObserved, StateClock, type LiveActor, type LiveTestRun } from './live-actor';
import { ProcessId } from './process-id';
import { Settlements } from './settlements';
import { TestRunEffects } from './test-run.effects';

/** A run that this process supervises, with the scenario runs that it has dispatched. */
export interface Supervised {
  readonly testRunId: string;
  readonly attempt: number;
  readonly dispatched: readonly string[];
}

/** The test runs that this process supervises: an actor for each, started from its row. */
@Injectable()
export class TestRunActors {
  private readonly live = new Map<string, LiveTestRun>();
  private readonly endings = new Endings();
  private isStopping = false;
  private reportStart: (live: LiveActor) => void = () => undefined;

  constructor(
    private readonly processId: ProcessId,
    private readonly effects: TestRunEffects,
    private readonly settlements: Settlements,
    private readonly ledger: TestRunLedger,
    private readonly failures: FailedSupervisions,
    private readonly log: Log,
  ) {}

  /** Whether no actor records the end of its run, and every one that has ended has released its row. */
  get isSettled(): boolean {
    if (!this.endings.isEmpty) return false;
    for (const { actor } of this.live.values()) {
      if (actor.getSnapshot().matches({ live: { running: 'recordingFinish' } })) return false;
    }
    return true;
  }

  listIds(): readonly string[] {
    return [...this.live.keys()];
  }

  listSupervised(): readonly Supervised[] {
    return [...this.live].map(([testRunId, { actor, attempt }]) => ({
      testRunId,
      attempt,
      dispatched: listDispatched(actor.getSnapshot().context),
    }));
  }

  *listLive(): Generator<LiveActor> {
    for (const [id, live] of this.live) yield liveTestRun(id, live);
  }

  /** Hears of every actor that is about to start. */
  onStarting(listener: (live: LiveActor) => void): void {
    this.reportStart = listener;
  }

  /** Starts the actor of a test run that this process owns. */
  supervise(claim: SupervisionClaim): void {
    const { testRunId, attempt } = claim;
    // Another process supervises what was begun while this one stops.
    if (this.isStopping) return this.release(testRunId, attempt);
    this.live.get(testRunId)?.actor.send({ type: 'attemptSuperseded' });
    const actor = createActor(this.effects.chart, { input: claim });
    const settlements = this.settlements.listen(testRunId, (scenarioRunId) => this.settle(testRunId, scenarioRunId));
    const live: LiveTestRun = { actor, settlements, attempt, clock: new StateClock() };
    this.reportStart(liveTestRun(testRunId, live));
    this.live.set(testRunId, live);
    startObserved(actor, live.clock, this.log, { testRunId, attempt }, () => {
      settlements.unsubscribe();
      if (this.live.get(testRunId)?.actor === actor) this.live.delete(testRunId);
      const snapshot = actor.getSnapshot();
      if (snapshot.status === 'error' || snapshot.matches('released')) this.release(testRunId, attempt);
    });
  }

  /** The row of the scenario run is final. */
  settle(testRunId: string, scenarioRunId: string): void {
    this.live.get(testRunId)?.actor.send({ type: 'scenarioSettled', scenarioRunId });
  }

  cancel(testRunId: string): void {
    this.live.get(testRunId)?.actor.send({ type: 'runCanceled' });
  }

  releaseAll(): void {
    this.isStopping = true;
    for (const { actor } of [...this.live.values()]) actor.send({ type: 'shutdownRequested' });
  }

  /** Without a shutdown only a failure ends a supervision before its run. */
  private release(testRunId: string, attempt: number): void {
    const supervision = { testRunId, owner: this.processId.value, attempt };
    const releasing = this.isStopping ? this.ledger.release(supervision) : this.failures.note(supervision);
    void this.endings.add(
      releasing.catch((error: unknown) =>
        this.log.warn('A test run could not be released; its lease will expire', { error, testRunId }),
      ),
    );
  }
}
