import { Injectable } from '@nestjs/common';
import type { LiveActor } from './live-actor';
import { ScenarioRunActors } from './scenario-run-actors';
import { TestRunActors } from './test-run-actors';

/**
 * All live actors of this process. Each is a root actor, started from its row: children of one parent would cost quadratic
 * time, and a scenario run may live in another process than its test run.
 */
@Injectable()
export class ActorHost {
  constructor(
    private readonly scenarioRuns: ScenarioRunActors,
    private readonly testRuns: TestRunActors,
  ) {}

  get liveScenarioRuns(): number {
    return this.scenarioRuns.count;
  }

  /** Whether no scenario run is live, no run's end is being recorded, and every actor that has ended has released its row. */
  get isIdle(): boolean {
    return this.scenarioRuns.isIdle && this.testRuns.isSettled;
  }

  /** Every run with a live actor here. */
  listTestRunIds(): readonly string[] {
    const ofScenarioRuns = this.scenarioRuns.listLeases().map(({ ref }) => ref.testRunId);
    return [...new Set([...this.testRuns.listIds(), ...ofScenarioRuns])];
  }

  /** For inspection. */
  *listLive(): Generator<LiveActor> {
    yield* this.testRuns.listLive();
    yield* this.scenarioRuns.listLive();
  }

  /** For inspection: called with every actor that is about to start. */
  onStarting(listener: (live: LiveActor) => void): void {
    this.testRuns.onStarting(listener);
    this.scenarioRuns.onStarting(listener);
  }

  /** Cancels the run's actors, once its cancellation is stored: they stop what is in flight and write nothing more. */
  cancel(testRunId: string): void {
    // The test run first: on hearing that a scenario run was canceled it would dispatch the next one.
    this.testRuns.cancel(testRunId);
    this.scenarioRuns.cancel(testRunId);
  }

  /** Releases everything that is still live, so that another process continues at once. */
  releaseAll(): void {
    this.testRuns.releaseAll();
    this.scenarioRuns.releaseAll();
  }
}
