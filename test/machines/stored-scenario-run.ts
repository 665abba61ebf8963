import { createActor } from 'xstate';
import { MAX_TURNS, type Ending, type TurnRecord } from '../../src/domain/conversation';
import type { Conversation, Recorder } from '../../machines/execution';
import { EffectFailed, type Failure } from '../../src/domain/failure';
import type { Verdict } from '../../src/domain/rubric';
import { scenarioRunMachine, type ScenarioRunEvent } from '../../machines/scenario-run.machine';
import { isFinalScenarioRun, type ScenarioRunStatus } from '../../src/domain/statuses';
import { exchangeAt, verdictThat } from './scenario-run.walks';

/** What the agent, the tester and the judge do in this scenario run, the same in every attempt. */
export interface Story {
  readonly maxTurns: number;
  readonly hasRubric: boolean;
  readonly passes: boolean;
  /** A call that always fails, in the turn named where it comes once a turn. */
  readonly trouble: { readonly call: 'connect' | 'compose' | 'send' | 'judge'; readonly turn: number } | null;
  /** The agent ends the conversation with its reply in this turn, or in place of it, before or after it has heard the message. */
  readonly hangUp: { readonly turn: number; readonly replies: boolean; readonly heard: boolean } | null;
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
  readonly exchanges: readonly TurnRecord[];
  /** How the conversation ended; null while it goes on. */
  readonly ending: Ending | null;
  readonly verdict: Verdict | null;
  readonly failure: Failure | null;
}

export const freshRow: Row = {
  status: 'pending',
  attempt: 0,
  exchanges: [],
  ending: null,
  verdict: null,
  failure: null,
};

/** The longest execution: connect, three calls in each of seven turns, disconnect, and three for the grading. */
export const MOST_CALLS = 1 + 3 * MAX_TURNS + 1 + 3;
/** How many of the last calls are named of an execution that does not come to an end. */
const NAMED_CALLS = 12;

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

  /**
   * One attempt, to its end or to its interruption. Answers the state in which the actor was left.
   * @throws Error naming the last calls of an execution that makes more of them than any story has
   */
  async execute(interruption: Interruption | null = null): Promise<string> {
    const { maxTurns, hasRubric } = this.story;
    const attempt = this.row.attempt + 1;
    this.row = { ...this.row, attempt, status: this.row.status === 'pending' ? 'running' : this.row.status };
    const { status, exchanges } = this.row;
    const calls: string[] = [];
    let interrupted: () => void = () => undefined;
    const interruptedOnce = new Promise<void>((resolve) => (interrupted = resolve));
    let goOn: () => void = () => undefined;
    const wokenUp = new Promise<void>((resolve) => (goOn = resolve));

    const calling = async <Result>(call: string, work: () => Result): Promise<Result> => {
      calls.push(call);
      if (calls.length > MOST_CALLS) return neverEnding(calls);
      if (calls.length !== interruption?.atCall) return work();
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
    const actor = createActor(scenarioRunMachine, {
      input: {
        scenarioRunId: 'scenario-run',
        testRunId: 'test-run',
        attempt,
        status,
        maxTurns,
        hasRubric,
        exchanges,
        conversation: this.conversation(calling),
        recorder: this.recorder(calling, attempt, (event) => actor.send(event)),
      },
    });
    let fail: (error: Error) => void = () => undefined;
    const ended = new Promise<void>((resolve, reject) => {
      fail = reject;
      actor.subscribe({ complete: resolve, error: reject });
    });
    const neverEnding = (made: readonly string[]): Promise<never> => {
      actor.stop();
      fail(new Error(`An execution does not come to an end: … → ${made.slice(-NAMED_CALLS).join(' → ')}.`));
      return new Promise(() => undefined);
    };
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

  private conversation(calling: Calling): Conversation {
    const { story } = this;
    const outside = (call: string, turn = 0) => {
      this.outsideCalls.push(turn === 0 ? call : `${call} ${turn}`);
      const isSessionsEnd = call === 'disconnect' && story.disconnectFails;
      if (isSessionsEnd || (story.trouble?.call === call && (turn === 0 || story.trouble.turn === turn))) {
        throw new EffectFailed({ code: 'provider_error', message: `The ${call} call went wrong.` });
      }
    };
    return {
      connect: () => calling('connect', () => outside('connect')),
      compose: (turn) =>
        calling(`compose ${turn}`, () => {
          outside('compose', turn);
          const { patientMessage: content, patientAt: at } = exchangeAt(turn);
          return { turn, content, at, notes: { asked: turn } };
        }),
      send: ({ turn }) =>
        calling(`send ${turn}`, () => {
          outside('send', turn);
          const hangsUp = story.hangUp?.turn === turn;
          if (hangsUp && !story.hangUp.replies) return { turn, content: null, isUnanswered: story.hangUp.heard };
          const { agentMessage: content, agentAt: at, latencyMs, continuation } = exchangeAt(turn);
          return { turn, content, at, latencyMs, continuation, notes: { answered: turn }, endsConversation: hangsUp };
        }),
      disconnect: () => calling('disconnect', () => outside('disconnect')),
      judge: (transcript) =>
        calling('judge', () => {
          outside('judge');
          return { ...verdictThat(story.passes), summary: transcript.map(({ turn }) => turn).join() };
        }),
    };
  }

  private recorder(calling: Calling, attempt: number, tell: (event: ScenarioRunEvent) => void): Recorder {
    const write = (change: Partial<Row>) => {
      if (this.row.status !== 'canceled' && this.row.attempt === attempt && !this.isFinal) {
        this.row = { ...this.row, ...change };
        return;
      }
      tell({ type: this.row.status === 'canceled' ? 'runCanceled' : 'attemptSuperseded' });
      throw new Error('The write was refused.');
    };
    return {
      recordTurn: (exchange, ending) =>
        calling(`recordTurn ${exchange.turn}`, () =>
          write({
            ...(ending === null ? {} : { status: 'grading', ending }),
            exchanges: [...this.row.exchanges.slice(0, exchange.turn - 1), exchange],
          }),
        ),
      recordGradingStart: (ending) => calling('recordGradingStart', () => write({ status: 'grading', ending })),
      recordVerdict: (verdict) =>
        calling('recordVerdict', () => write({ status: verdict.passed ? 'passed' : 'failed', verdict })),
      recordFailure: (failure) => calling('recordFailure', () => write({ status: 'error', failure })),
    };
  }
}

/** Counts a call, and interrupts it when it is the one. */
type Calling = <Result>(call: string, work: () => Result) => Promise<Result>;
