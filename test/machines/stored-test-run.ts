import { createActor, fromPromise, type Actor } from 'xstate';
import { testRunMachine, type HandedOut, type Started } from '../../machines/test-run.machine';

/** Effects answer when the test says so; null answers at once. */
export type Gate = ((answer: () => void) => void) | null;

/**
 * A test run with its scenario runs as rows: what is handed out to be executed, what is final, and what the supervising
 * actor did about it.
 */
export class StoredTestRun {
  readonly ids: readonly string[];
  /** Each handing out, in order. */
  readonly handedOut: HandedOut[] = [];
  finishes = 0;
  private readonly final = new Set<string>();
  /** Handed out and not final. */
  private readonly executing = new Set<string>();
  private readonly actor: Actor<typeof testRunMachine>;
  private fault: unknown = null;

  constructor(
    scenarioRuns: number,
    readonly concurrencyLimit: number,
    private readonly gate: Gate = null,
    /** Stands for the ids the row names; a test may watch how often it is read. */
    watch: (ids: string[]) => string[] = (ids) => ids,
  ) {
    this.ids = Array.from({ length: scenarioRuns }, (_, index) => `scenario-run-${index}`);
    this.actor = createActor(this.chart(), {
      input: {
        testRunId: 'test-run',
        attempt: 1,
        status: 'pending',
        scheduledAt: null,
        concurrencyLimit,
        unsettled: watch([...this.ids]),
      },
    });
    this.actor.subscribe({ error: (error) => (this.fault = error) });
  }

  start(): void {
    this.actor.start();
  }

  get state(): unknown {
    if (this.fault !== null) throw new Error('The supervising actor failed.', { cause: this.fault });
    return this.actor.getSnapshot().value;
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
    this.actor.send({ type: 'scenarioSettled', scenarioRunId: id });
  }

  /** What the reconciler does: tells of every final row. */
  tellAll(): void {
    for (const id of this.final) this.tell(id);
  }

  private chart() {
    const { gate } = this;
    const answered = async <Answer>(work: () => Answer): Promise<Answer> => {
      if (gate !== null) await new Promise<void>(gate);
      return work();
    };
    return testRunMachine.provide({
      actors: {
        waitUntilDue: fromPromise<void, { scheduledAt: string | null }>(() => answered(() => undefined)),
        recordStart: fromPromise(() => answered((): Started => ({ kind: 'started' }))),
        handOut: fromPromise(({ input: { round, scenarioRunIds } }) => {
          if (scenarioRunIds.length === 0) throw new Error('Nothing was to be handed out.');
          this.handedOut.push({ round, scenarioRunIds });
          for (const id of scenarioRunIds) if (!this.final.has(id)) this.executing.add(id);
          return answered(() => ({ round, scenarioRunIds }));
        }),
        recordFinish: fromPromise(({ input: { round } }) =>
          answered(() => {
            const scenarioRunIds = this.unfinished;
            if (scenarioRunIds.length > 0) return { round, kind: 'unsettled' as const, scenarioRunIds };
            this.finishes += 1;
            return { round, kind: 'finished' as const, status: 'completed' as const };
          }),
        ),
      },
    });
  }
}
