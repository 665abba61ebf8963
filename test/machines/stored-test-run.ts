import { createActor, fromPromise, type Actor } from 'xstate';
import type { TestRunStatus } from '../../src/domain/statuses';
import { testRunMachine, type Finished, type Dispatched, type Started } from '../../machines/test-run.machine';

/** Effects answer when the test says so; null answers at once. */
export type Gate = ((answer: () => void) => void) | null;

/**
 * A test run with its scenario runs as rows: what is dispatched, what is final, and what the supervising
 * actor did about it.
 */
export class StoredTestRun {
  readonly ids: readonly string[];
  /** Each dispatch, in order, over all supervisions. */
  readonly dispatched: Dispatched[] = [];
  finishes = 0;
  private status: TestRunStatus = 'pending';
  private attempt = 0;
  private readonly final = new Set<string>();
  /** Dispatched and not final. */
  private readonly executing = new Set<string>();
  private actor: Actor<typeof testRunMachine> | null = null;
  private fault: unknown = null;

  constructor(
    scenarioRuns: number,
    private readonly concurrencyLimit: number,
    private readonly gate: Gate = null,
    /** Stands for the ids the row names; a test may watch how often it is read. */
    private readonly watch: (ids: string[]) => string[] = (ids) => ids,
  ) {
    this.ids = Array.from({ length: scenarioRuns }, (_, index) => `scenario-run-${index}`);
  }

  /** A process takes the run on, from its row; the one that had it before was killed. */
  supervise(): void {
    this.actor?.stop();
    this.attempt += 1;
    this.actor = createActor(this.chart(this.attempt), {
      input: {
        testRunId: 'test-run',
        attempt: this.attempt,
        status: this.status,
        scheduledAt: null,
        concurrencyLimit: this.concurrencyLimit,
        unsettled: this.watch([...this.unfinished]),
      },
    });
    this.actor.subscribe({ error: (error) => (this.fault = error) });
    this.actor.start();
  }

  get state(): unknown {
    if (this.fault !== null) throw new Error('The supervising actor failed.', { cause: this.fault });
    return this.actor?.getSnapshot().value;
  }

  get live(): readonly string[] {
    return [...this.executing];
  }

  get unfinished(): readonly string[] {
    return this.ids.filter((id) => !this.final.has(id));
  }

  /** The row becomes final; whether the actor hears of it, and how often, is another matter. */
  finalize(id: string): void {
    this.final.add(id);
    this.executing.delete(id);
  }

  tell(id: string): void {
    this.actor?.send({ type: 'scenarioSettled', scenarioRunId: id });
  }

  /** What the reconciler does: tells of every final row. */
  tellAll(): void {
    for (const id of this.final) this.tell(id);
  }

  private chart(attempt: number) {
    const { gate } = this;
    const answered = async <Answer>(work: () => Answer): Promise<Answer> => {
      if (gate !== null) await new Promise<void>(gate);
      return work();
    };
    return testRunMachine.provide({
      actors: {
        waitUntilDue: fromPromise<void, { testRunId: string; attempt: number; scheduledAt: string | null }>(() =>
          answered(() => undefined),
        ),
        recordStart: fromPromise(() => answered(() => this.begin(attempt))),
        dispatch: fromPromise(({ input: { round, scenarioRunIds } }) => {
          if (scenarioRunIds.length === 0) throw new Error('Nothing was to be dispatched.');
          this.dispatched.push({ round, scenarioRunIds });
          for (const id of scenarioRunIds) if (!this.final.has(id)) this.executing.add(id);
          return answered(() => ({ round, scenarioRunIds }));
        }),
        recordFinish: fromPromise(({ input: { round } }) => answered(() => ({ ...this.finish(attempt), round }))),
      },
    });
  }

  private begin(attempt: number): Started {
    if (attempt !== this.attempt) return { kind: 'superseded' };
    this.status = 'running';
    return { kind: 'started' };
  }

  private finish(attempt: number): Finished {
    if (attempt !== this.attempt) return { kind: 'superseded' };
    const scenarioRunIds = this.unfinished;
    if (scenarioRunIds.length > 0) return { kind: 'unsettled', scenarioRunIds };
    this.status = 'completed';
    this.finishes += 1;
    return { kind: 'finished', status: 'completed' };
  }
}
