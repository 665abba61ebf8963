import { fromPromise } from 'xstate';
import {
  completedTurn,
  endingOf,
  isLastTurn,
  present,
  turnNumberOf,
  type ScenarioRunContext,
} from './scenario-run.context';

/**
 * What a scenario run does outside of its chart, one invoked actor for each effect: which of the execution's calls it is, and
 * what the chart knows that goes into it. The chart says when each is done, and what follows. Leaving the state that invoked it
 * aborts the signal.
 */
export const scenarioRunEffects = {
  connect: effect(({ conversation, exchanges }, signal) => conversation.connect(exchanges, signal)),
  composeMessage: effect((context, signal) =>
    context.conversation.compose(turnNumberOf(context), context.exchanges, signal),
  ),
  sendMessage: effect(({ conversation, patientMessage }, signal) => conversation.send(present(patientMessage), signal)),
  recordTurn: effect(async (context, signal) => {
    const turn = completedTurn(context);
    await context.recorder.recordTurn(turn, isLastTurn(context) ? endingOf(context) : null, signal);
    return { turn: turn.turn };
  }),
  disconnect: effect(({ conversation }) => conversation.disconnect()),
  recordGradingStart: effect((context, signal) => context.recorder.recordGradingStart(endingOf(context), signal)),
  judgeTranscript: effect(({ conversation, exchanges }, signal) => conversation.judge(exchanges, signal)),
  recordVerdict: effect(({ recorder, verdict, exchanges }, signal) =>
    recorder.recordVerdict(present(verdict), exchanges, signal),
  ),
  recordFailure: effect(({ recorder, failure, exchanges }, signal) =>
    recorder.recordFailure(present(failure), exchanges, signal),
  ),
};

/** An effect of the execution, with what the chart knows when its state is entered. */
function effect<Output>(call: (context: ScenarioRunContext, signal: AbortSignal) => Promise<Output>) {
  return fromPromise<Output, ScenarioRunContext>(async ({ input, signal }) => call(input, signal));
}
