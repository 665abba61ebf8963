import type { Actor, StateValue } from 'xstate';
import { statePath } from '../../machines/chart-definition';
import type { Subscription } from '../bus/bus';
import type { ScenarioExecution } from './scenario-execution';
import type { HostedScenarioRun } from './scenario-run.effects';
import type { HostedTestRun } from './test-run.effects';

/** A scenario run in the registry of its process. */
export interface LiveScenarioRun {
  readonly actor: Actor<HostedScenarioRun>;
  readonly execution: ScenarioExecution;
  readonly clock: StateClock;
}

/** A test run in the registry of the process that supervises it. */
export interface LiveTestRun {
  readonly actor: Actor<HostedTestRun>;
  readonly settlements: Subscription;
  readonly attempt: number;
  readonly clock: StateClock;
}

/** An actor of this process, as inspection sees it. */
export type LiveActor = {
  readonly id: string;
  readonly testRunId: string;
  readonly attempt: number;
  readonly clock: StateClock;
} & (
  | {
      readonly kind: 'scenario_run';
      readonly actor: Actor<HostedScenarioRun>;
      /** The agent's config: how long a reply may take stands in it. */
      readonly agentConfig: Readonly<Record<string, unknown>> | null;
    }
  | { readonly kind: 'test_run'; readonly actor: Actor<HostedTestRun> }
);

/** Since when an actor is in its state. Always on, so it does next to nothing. */
export class StateClock {
  private enteredAt = Date.now();
  private state = '';

  /** ISO 8601 UTC, by the clock of this process. */
  get since(): string {
    return new Date(this.enteredAt).toISOString();
  }

  note(value: StateValue): void {
    const state = statePath(value);
    // A transition may leave no state.
    if (state === this.state) return;
    this.state = state;
    this.enteredAt = Date.now();
  }
}

export function liveScenarioRun({ actor, execution, clock }: LiveScenarioRun): LiveActor {
  const { record, ref } = execution;
  const { scenarioRunId: id, testRunId, attempt } = ref;
  return { kind: 'scenario_run', id, testRunId, attempt, clock, actor, agentConfig: record.agentConfig };
}

export function liveTestRun(id: string, { actor, attempt, clock }: LiveTestRun): LiveActor {
  return { kind: 'test_run', id, testRunId: id, attempt, clock, actor };
}
