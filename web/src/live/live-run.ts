import {
  type Counts,
  type RunEventFields,
  isFinalScenarioRun,
  sentenceWithin,
  type ScenarioRunStatus,
} from '../../../src/domain';
import { EventFeed, type FeedState } from './event-feed';

/** What the events say about one scenario run. */
export interface LiveScenario {
  readonly status: ScenarioRunStatus;
  readonly turns: number;
  /** The agent ended the conversation after these turns. */
  readonly hasHungUp: boolean;
  readonly attempt: number;
  /** What the agent said last, its beginning; null before its first reply. */
  readonly said: string | null;
  /** The agent's replies that were heard of, and the time that all of them took, in ms. */
  readonly replies: number;
  readonly repliesMs: number;
  readonly score: number | null;
  readonly error: string | null;
  readonly errorCode: string | null;
}

export interface LiveRunState {
  readonly connection: FeedState;
  /** By scenario run; those without an event are missing. The same object for as long as nothing changes. */
  readonly scenarios: ReadonlyMap<string, LiveScenario>;
  /** As of the newest event that carries them. */
  readonly counts: Counts | null;
  /** Increases with every frame that brought events. */
  readonly version: number;
}

/** As much of a reply as a row has room for. */
const SAID_CHARACTERS = 160;

const NOT_BEGUN: LiveScenario = {
  status: 'pending',
  turns: 0,
  hasHungUp: false,
  attempt: 1,
  said: null,
  replies: 0,
  repliesMs: 0,
  score: null,
  error: null,
  errorCode: null,
};

/** One run as its events report it, for `useSyncExternalStore`. It listens while someone is subscribed. */
export class LiveRun {
  private readonly scenarios = new Map<string, LiveScenario>();
  private readonly listeners = new Set<() => void>();
  private feed: EventFeed | null = null;
  private state: LiveRunState = { connection: 'connecting', scenarios: this.scenarios, counts: null, version: 0 };

  constructor(private readonly runId: string) {}

  readonly get = (): LiveRunState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    if (this.listeners.size === 1) this.open();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.feed?.close();
    };
  };

  private open(): void {
    // A new subscription reads the log again from its first event.
    this.scenarios.clear();
    this.feed = new EventFeed(this.runId, {
      onEvents: (events) => this.apply(events),
      onState: (connection) => this.update({ ...this.state, connection }),
    });
  }

  private apply(events: readonly RunEventFields[]): void {
    let { counts } = this.state;
    for (const event of events) {
      if ('counts' in event) counts = event.counts;
      if (!('scenario_run_id' in event)) continue;
      const { scenario_run_id: id } = event;
      this.scenarios.set(id, next(this.scenarios.get(id) ?? NOT_BEGUN, event));
    }
    this.update({ ...this.state, counts, version: this.state.version + 1 });
  }

  private update(state: LiveRunState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

function next(before: LiveScenario, event: RunEventFields): LiveScenario {
  if (isFinalScenarioRun(before.status)) return before;
  switch (event.type) {
    case 'scenario_started':
      return { ...before, status: 'running', attempt: event.attempt, said: null };
    case 'transcript_update':
      // A new attempt may begin the conversation again.
      return {
        ...before,
        status: 'running',
        turns: event.turn,
        said: sentenceWithin(event.agent_message, SAID_CHARACTERS),
        ...(event.latency_ms === null
          ? {}
          : { replies: before.replies + 1, repliesMs: before.repliesMs + event.latency_ms }),
      };
    case 'grading_started':
      return { ...before, status: 'grading', hasHungUp: event.ended_by === 'agent' };
    case 'grading_complete':
      return { ...before, score: event.score_percent };
    case 'scenario_complete':
      return { ...before, status: event.status };
    case 'scenario_error':
      return { ...before, status: 'error', error: event.error, errorCode: event.error_code };
    case 'scenario_canceled':
      return { ...before, status: 'canceled' };
    default:
      return before;
  }
}
