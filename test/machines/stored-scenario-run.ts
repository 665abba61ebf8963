import { createActor, fromPromise } from 'xstate';
import type { Exchange } from '../../machines/conversation';
import { exchangeOf } from '../../machines/conversation';
import { EffectFailed, type Failure } from '../../machines/failure';
import type { Verdict } from '../../machines/rubric';
import { scenarioRunMachine, type Recorded } from '../../machines/scenario-run.machine';
import { isFinalScenarioRun, type ScenarioRunStatus } from '../../machines/statuses';
import { exchangeAt, verdictThat } from './scenario-run.walks';

/** What the agent, the tester and the judge do in this scenario run, the same in every attempt. */
export interface Story {
  readonly maxTurns: number;
  readonly hasRubric: boolean;
  readonly passes: boolean;
  /** A call that always fails, in the turn named where it comes once a turn. */
  readonly trouble: { readonly call: 'connect' | 'compose' | 'send' | 'judge'; readonly turn: number } | null;
  /** The session does not end cleanly, whatever it was like. */
  readonly disconnectFails: boolean;
}

/** What happens to the executing process at one of its calls, before or after the call did its work. */
export interface Interruption {
  readonly kind: 'killed' | 'shutDown' | 'paused' | 'canceled' | 'canceledUnheard';
  /** Counts from 1 within an attempt. */
  readonly atCall: number;
  readonly afterWork: boolean;
}

export interface Row {
  readonly status: ScenarioRunStatus;
  readonly attempt: number;
  readonly exchanges: readonly Exchange[];
  readonly verdict: Verdict | null;
  readonly failure: Failure | null;
}

export const freshRow: Row = { status: 'pending', attempt: 0, exchanges: [], verdict: null, failure: null };

/** A scenario run kept as its row is: each execution starts from the row, and only the latest may write to it. */
export class StoredScenarioRun {
  /** Calls to the agent, the tester and the judge, over all attempts. */
  readonly outsideCalls: string[] = [];
  private paused: (() => Promise<string>)[] = [];

  constructor(
    private readonly story: Story,
    public row: Row = freshRow,
  ) {}

  get isFinal(): boolean {
    return isFinalScenarioRun(this.row.status);
  }

  /** One attempt, to its end or to its interruption. Answers the state in which the actor was left. */
  async execute(interruption: Interruption | null = null): Promise<string> {
    const { maxTurns, hasRubric } = this.story;
    const attempt = this.row.attempt + 1;
    this.row = { ...this.row, attempt, status: this.row.status === 'pending' ? 'running' : this.row.status };
    const { status, exchanges } = this.row;
    let calls = 0;
    let interrupted: () => void = () => undefined;
    const interruptedOnce = new Promise<void>((resolve) => (interrupted = resolve));
    let goOn: () => void = () => undefined;
    const wokenUp = new Promise<void>((resolve) => (goOn = resolve));

    const calling = async <Result>(work: () => Result): Promise<Result> => {
      calls += 1;
      if (calls !== interruption?.atCall) return work();
      if (interruption.afterWork) {
        const result = work();
        interrupted();
        await wokenUp;
        return result;
      }
      interrupted();
      await wokenUp;
      return work();
    };
    const actor = createActor(this.chartWith(calling, attempt), {
      input: { scenarioRunId: 'scenario-run', testRunId: 'test-run', attempt, status, maxTurns, hasRubric, exchanges },
    });
    const ended = new Promise<void>((resolve, reject) => actor.subscribe({ complete: resolve, error: reject }));
    const state = () => {
      const { value } = actor.getSnapshot();
      return typeof value === 'string' ? value : JSON.stringify(value);
    };
    actor.start();
    await Promise.race([ended, interruptedOnce]);
    if (actor.getSnapshot().status !== 'active') return state();
    switch (interruption?.kind) {
      case 'shutDown':
        actor.send({ type: 'shutdownRequested' });
        break;
      case 'canceled':
        this.cancel();
        actor.send({ type: 'runCanceled' });
        break;
      case 'canceledUnheard':
        this.cancel();
        goOn();
        break;
      case 'paused':
        this.paused.push(async () => {
          goOn();
          await ended;
          return state();
        });
        return 'paused';
      default:
        actor.stop();
        return 'killed';
    }
    await ended;
    return state();
  }

  /** Lets the paused attempts go on where they were. Answers the states in which they end. */
  async wakePaused(): Promise<readonly string[]> {
    const paused = this.paused;
    this.paused = [];
    return Promise.all(paused.map((wake) => wake()));
  }

  private cancel(): void {
    if (!this.isFinal) this.row = { ...this.row, status: 'canceled' };
  }

  private chartWith(calling: <Result>(work: () => Result) => Promise<Result>, attempt: number) {
    const { story } = this;
    const outside = (call: string, turn = 0) => {
      this.outsideCalls.push(turn === 0 ? call : `${call} ${turn}`);
      const isSessionsEnd = call === 'disconnect' && story.disconnectFails;
      if (isSessionsEnd || (story.trouble?.call === call && (turn === 0 || story.trouble.turn === turn))) {
        throw new EffectFailed({ code: 'provider_error', message: `The ${call} call went wrong.` });
      }
    };
    const write = (change: Partial<Row>) => this.write(attempt, change);
    return scenarioRunMachine.provide({
      actors: {
        connect: fromPromise(() => calling(() => outside('connect'))),
        composeMessage: fromPromise(({ input: { turn } }) =>
          calling(() => {
            outside('compose', turn);
            const { patientMessage: content, patientAt: at } = exchangeAt(turn);
            return { turn, content, at };
          }),
        ),
        sendMessage: fromPromise(({ input: { message } }) =>
          calling(() => {
            const turn = message?.turn ?? 0;
            outside('send', turn);
            const { agentMessage: content, agentAt: at, latencyMs } = exchangeAt(turn);
            return { turn, content, at, latencyMs };
          }),
        ),
        recordTurn: fromPromise(({ input: { message, reply } }) =>
          calling(() => {
            if (message === null || reply === null) throw new Error('A turn was recorded before it was over.');
            const { turn } = message;
            if (this.row.exchanges.length >= turn) return { ...write({}), turn };
            return { ...write({ exchanges: [...this.row.exchanges, exchangeOf(message, reply)] }), turn };
          }),
        ),
        disconnect: fromPromise(() => calling(() => outside('disconnect'))),
        recordGradingStart: fromPromise(() => calling(() => write({ status: 'grading' }))),
        judgeTranscript: fromPromise(({ input }) =>
          calling(() => {
            outside('judge');
            return { ...verdictThat(story.passes), summary: input.exchanges.map(({ turn }) => turn).join() };
          }),
        ),
        recordVerdict: fromPromise(({ input: { verdict } }) =>
          calling(() => write({ status: verdict?.passed === true ? 'passed' : 'failed', verdict })),
        ),
        recordFailure: fromPromise(({ input: { failure } }) => calling(() => write({ status: 'error', failure }))),
      },
    });
  }

  private write(attempt: number, change: Partial<Row>): Recorded {
    if (this.row.status === 'canceled') return { kind: 'canceled' };
    if (this.row.attempt !== attempt || this.isFinal) return { kind: 'superseded' };
    this.row = { ...this.row, ...change };
    return { kind: 'committed' };
  }
}
