import type { ConversationFacts, LoggedStep, TurnTimes } from '../persistence/inspection.store';
import { charts } from './chart-edges';
import type { ActorTransition } from './inspection-messages';
import { TransitionTrace } from './transition-trace';

const CONNECTING = 'active.connecting';
const COMPOSING = 'active.conversing.composing';
const AWAITING_REPLY = 'active.conversing.awaitingReply';
const RECORDING_TURN = 'active.conversing.recordingTurn';
const DISCONNECTING = 'active.disconnecting';
const RECORDING_START = 'active.grading.recordingStart';
const JUDGING = 'active.grading.judging';
const RECORDING_VERDICT = 'active.recordingVerdict';
const RECORDING_FAILURE = 'active.recordingFailure';
const RECORDING_GRADING_FAILURE = 'active.recordingGradingFailure';

/** An actor of a scenario run begins here, whatever its row says. */
const START = 'pending';
export const ATTEMPT_STARTED = 'attempt started';

/**
 * The way of a scenario run through its chart, told from what was stored: of every attempt, also of those whose process
 * died. The log holds outcomes; the steps that must have come before them are marked as inferred. This is the one place
 * that knows which event of the log stands for which transition.
 */
export function storedTransitions(
  steps: readonly LoggedStep[],
  turns: readonly TurnTimes[],
  { max_turns: maxTurns, connect_ms: connectMs }: ConversationFacts,
): readonly ActorTransition[] {
  const trace = new TransitionTrace(charts.scenario_run, { state: START, attempt: 0, turn: null });
  let attempt = 0;
  let recorded = 0;
  let isFresh = true;

  const connected = (at: Date): void => {
    if (trace.at === CONNECTING) trace.to(COMPOSING, 'connect done', at, 'inferred');
  };

  const started = (step: LoggedStep, next: LoggedStep | undefined): void => {
    attempt = step.attempt ?? attempt + 1;
    isFresh = true;
    // A conversation that starts again counts from 1 again.
    if (next?.type === 'transcript_update' && next.turn === 1) recorded = 0;
    const isComplete = recorded >= maxTurns;
    trace.restart(START, attempt, Math.min(recorded + 1, maxTurns));
    if (isComplete) trace.to(RECORDING_START, ATTEMPT_STARTED, step.at, 'stored');
    else if (next?.error_code === 'no_rubric') trace.to(RECORDING_FAILURE, ATTEMPT_STARTED, step.at, 'stored');
    else trace.to(CONNECTING, ATTEMPT_STARTED, step.at, 'stored');
  };

  const spoke = (step: LoggedStep): void => {
    const turn = step.turn ?? recorded + 1;
    const times = turns.findLast((row) => row.turn === turn && row.conversation <= attempt);
    const composedAt = times?.patient_at ?? step.at;
    connected(new Date(composedAt.getTime() - (times?.tester_ms ?? 0)));
    trace.to(AWAITING_REPLY, 'compose message done', composedAt, times === undefined ? 'inferred' : 'stored');
    trace.to(
      RECORDING_TURN,
      'send message done',
      times?.agent_at ?? step.at,
      times === undefined ? 'inferred' : 'stored',
    );
    recorded = turn;
    isFresh = false;
    trace.turnTo(Math.min(turn + 1, maxTurns));
    trace.to(turn >= maxTurns ? DISCONNECTING : COMPOSING, 'record turn done', step.at, 'stored');
  };

  const judged = (at: Date, source: 'stored' | 'inferred'): void => {
    if (trace.at === DISCONNECTING) trace.to(RECORDING_START, 'disconnect done', at, 'inferred');
    if (trace.at === RECORDING_START) trace.to(JUDGING, 'record grading start done', at, source);
  };

  const failed = ({ at, error_code: code }: LoggedStep): void => {
    // Which of the calls failed is told by the code, and by whether a session was opened at all.
    if (code === 'tester_failed' || (isFresh && connectMs !== null)) connected(at);
    if (trace.at === COMPOSING) {
      if (code !== 'tester_failed') trace.to(AWAITING_REPLY, 'compose message done', at, 'inferred');
      const cause = trace.at === COMPOSING ? 'compose message failed' : 'send message failed';
      trace.to(DISCONNECTING, cause, at, 'inferred');
    }
    const cause = FAILURES[trace.at];
    const recording = trace.at === JUDGING ? RECORDING_GRADING_FAILURE : RECORDING_FAILURE;
    if (cause !== undefined) trace.to(recording, cause, at, 'inferred');
    trace.to('error', 'record failure done', at, 'stored');
  };

  for (const [index, step] of steps.entries()) {
    switch (step.type) {
      case 'scenario_started':
        started(step, steps[index + 1]);
        break;
      case 'transcript_update':
        spoke(step);
        break;
      case 'grading_started':
        judged(step.at, 'stored');
        break;
      case 'grading_complete':
        judged(step.at, 'inferred');
        trace.to(RECORDING_VERDICT, 'judge transcript done', step.at, 'inferred');
        break;
      case 'scenario_complete':
        trace.to(step.status ?? 'failed', 'record verdict done', step.at, 'stored');
        break;
      case 'scenario_error':
        failed(step);
        break;
      case 'scenario_canceled':
        trace.to('canceled', trace.at === START ? '' : 'run canceled', step.at, 'stored');
        break;
      default:
        // Written by a newer version.
        break;
    }
  }
  return trace.transitions;
}

/** What failed where an actor was when it recorded a failure. */
const FAILURES: Readonly<Record<string, string>> = {
  [CONNECTING]: 'connect failed',
  [DISCONNECTING]: 'disconnect done',
  [RECORDING_START]: 'record grading start failed',
  [JUDGING]: 'judge transcript failed',
};

const RESTORED = 'live.restored';
const SCHEDULED = 'live.scheduled';
const PENDING = 'live.pending';
const SUPERVISING = 'live.running.supervising';
const RECORDING_FINISH = 'live.running.recordingFinish';

/** The same of a test run. The log does not tell who supervised it, nor when it handed what out. */
export function storedRunTransitions(steps: readonly LoggedStep[], attempt: number): readonly ActorTransition[] {
  const trace = new TransitionTrace(charts.test_run, { state: RESTORED, attempt, turn: null });
  const finished = (status: string, at: Date): void => {
    if (trace.at === SCHEDULED) {
      trace.to(PENDING, 'wait until due done', at, 'inferred');
      trace.to(status, 'record start done', at, 'stored');
      return;
    }
    if (trace.at === SUPERVISING) trace.to(RECORDING_FINISH, '', at, 'inferred');
    trace.to(status, 'record finish done', at, 'stored');
  };
  for (const { type, at } of steps) {
    switch (type) {
      case 'test_run_scheduled':
        trace.to(SCHEDULED, ATTEMPT_STARTED, at, 'stored');
        break;
      case 'test_run_started':
        if (trace.at === SCHEDULED) trace.to(PENDING, 'wait until due done', at, 'inferred');
        trace.to(SUPERVISING, trace.at === PENDING ? 'record start done' : ATTEMPT_STARTED, at, 'stored');
        break;
      case 'test_run_complete':
        finished('completed', at);
        break;
      case 'test_run_failed':
        finished('failed', at);
        break;
      case 'test_run_canceled':
        trace.to('canceled', 'run canceled', at, 'stored');
        break;
      default:
        break;
    }
  }
  return trace.transitions;
}
