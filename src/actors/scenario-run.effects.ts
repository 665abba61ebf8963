import { fromPromise } from 'xstate';
import { exchangeOf } from '../../machines/conversation';
import { scenarioRunMachine } from '../../machines/scenario-run.machine';
import type { ScenarioExecution } from './scenario-execution';

interface Ids {
  readonly scenarioRunId: string;
  readonly attempt: number;
}

/** Names one execution in this process. */
export function executionKey({ scenarioRunId, attempt }: Ids): string {
  return `${scenarioRunId}:${attempt}`;
}

/** The scenario-run statechart with its effects: each finds the execution it belongs to by its key. */
export function scenarioRunWithEffects(executions: ReadonlyMap<string, ScenarioExecution>) {
  const of = (ids: Ids): ScenarioExecution => {
    const execution = executions.get(executionKey(ids));
    if (execution === undefined) throw new Error('An effect ran for an execution that is not in the registry.');
    return execution;
  };
  return scenarioRunMachine.provide({
    actors: {
      connect: fromPromise(async ({ input, signal }) => of(input).connect(input.exchanges, signal)),
      composeMessage: fromPromise(async ({ input, signal }) => of(input).compose(input.turn, input.exchanges, signal)),
      sendMessage: fromPromise(async ({ input, signal }) => of(input).send(present(input.message), signal)),
      recordTurn: fromPromise(async ({ input, signal }) =>
        of(input).recordTurn(exchangeOf(present(input.message), present(input.reply)), signal),
      ),
      disconnect: fromPromise(async ({ input }) => of(input).disconnect()),
      recordGradingStart: fromPromise(async ({ input, signal }) => of(input).recordGradingStart(signal)),
      judgeTranscript: fromPromise(async ({ input, signal }) => of(input).judge(input.exchanges, signal)),
      recordVerdict: fromPromise(async ({ input, signal }) => of(input).recordVerdict(input.verdict, null, signal)),
      recordFailure: fromPromise(async ({ input, signal }) => of(input).recordVerdict(null, input.failure, signal)),
    },
  });
}

export type HostedScenarioRun = ReturnType<typeof scenarioRunWithEffects>;

/** The statechart fills these before it enters a state that needs them. */
function present<Value>(value: Value | null): Value {
  if (value === null) throw new Error('The statechart reached an effect without its input.');
  return value;
}
