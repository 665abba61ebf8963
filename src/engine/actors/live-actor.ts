import type { Actor, AnyActor, StateValue } from 'xstate';
import { statePath, type scenarioRunMachine } from '../../../machines';
import type { Log } from '../../platform/config';
import type { Subscription } from '../bus/bus';
import type { CurrentFloor } from './current-floor';
import type { Execution } from './executions';
import type { HostedTestRun } from './test-run.effects';

/** A scenario run that this process executes. */
export interface LiveScenarioRun {
  readonly actor: Actor<typeof scenarioRunMachine>;
  readonly execution: Execution;
  readonly clock: StateClock;
}

/** A test run that this process supervises. */
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
      readonly actor: LiveScenarioRun['actor'];
      /** The agent's config, which says how long a reply may take. */
      readonly agentConfig: Readonly<Record<string, unknown>> | null;
      /** Null where the conversation is in text. */
      readonly floor: CurrentFloor | null;
    }
  | { readonly kind: 'test_run'; readonly actor: LiveTestRun['actor'] }
);

/** Since when an actor has been in its state. Always on, so it does next to nothing. */
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

/** Every actor gets an error observer, and gets it here: an actor that fails without one ends the process. */
export function startObserved(
  actor: AnyActor,
  clock: StateClock,
  log: Log,
  names: Readonly<Record<string, string | number>>,
  onEnd: () => void,
): void {
  actor.subscribe({
    next: ({ value }: { readonly value: StateValue }) => clock.note(value),
    complete: onEnd,
    error: (error: unknown) => {
      log.error('An actor failed; its row waits for another attempt', { error, ...names });
      onEnd();
    },
  });
  actor.start();
}

export function liveScenarioRun({ actor, execution, clock }: LiveScenarioRun): LiveActor {
  const { scenarioRunId: id, testRunId, attempt } = execution.lease.ref;
  const { agentConfig } = execution.record;
  const { floor } = execution.conversation;
  return { kind: 'scenario_run', id, testRunId, attempt, clock, actor, agentConfig, floor };
}

export function liveTestRun(id: string, { actor, attempt, clock }: LiveTestRun): LiveActor {
  return { kind: 'test_run', id, testRunId: id, attempt, clock, actor };
}

/** Executions that have ended but not yet released their row or closed their session: a stopping process waits for them. */
export class Endings {
  private readonly underWay = new Set<Promise<unknown>>();

  get isEmpty(): boolean {
    return this.underWay.size === 0;
  }

  add<Result>(ending: Promise<Result>): Promise<Result> {
    this.underWay.add(ending);
    const isOver = () => this.underWay.delete(ending);
    ending.then(isOver, isOver);
    return ending;
  }
}
