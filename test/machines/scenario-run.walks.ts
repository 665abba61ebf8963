import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { Turn, TurnRecord } from '../../src/domain/conversation';
import type { Conversation, Recorder } from '../../machines/execution';
import { EffectFailed } from '../../src/domain/failure';
import type { Verdict } from '../../src/domain/rubric';
import type { ScenarioRunContext, ScenarioRunInput } from '../../machines/scenario-run.context';
import { FINAL_SCENARIO_RUN_STATUSES } from '../../src/domain/statuses';
import { done, failed, type Walk } from './chart-paths';

/** Two turns show everything a turn can lead to: another turn, and the end of the conversation. */
const TURNS = 2;

const AT = '2030-01-01T00:00:00.000Z';

export function exchangeAt(turn: number): TurnRecord {
  return {
    turn,
    patientMessage: `What the patient says in turn ${turn}.`,
    patientAt: AT,
    agentMessage: `What the agent answers in turn ${turn}.`,
    agentAt: AT,
    latencyMs: turn,
    continuation: turn,
    metadata: { asked: turn, answered: turn },
  };
}

/** The walks say themselves what effects answer. */
const silent = () => new Promise<never>(() => undefined);
const conversation: Conversation = {
  connect: silent,
  compose: silent,
  send: silent,
  disconnect: silent,
  judge: silent,
};
const recorder: Recorder = {
  recordTurn: silent,
  recordGradingStart: silent,
  recordVerdict: silent,
  recordFailure: silent,
};

export function verdictThat(passed: boolean): Verdict {
  const points = passed ? 1 : 0;
  return { passed, scorePercent: points * 100, totalPoints: points, maxPoints: 1, summary: 'Marked.', criteria: [] };
}

export function rowWith(changes: Partial<ScenarioRunInput> = {}): ScenarioRunInput {
  return {
    scenarioRunId: 'scenario-run',
    testRunId: 'test-run',
    attempt: 1,
    status: 'running',
    maxTurns: TURNS,
    hasRubric: true,
    exchanges: [],
    conversation,
    recorder,
    ...changes,
  };
}

/** Rows in every condition that the chart tells apart. */
export const rows: readonly ScenarioRunInput[] = [
  ...FINAL_SCENARIO_RUN_STATUSES.map((status) => rowWith({ status })),
  rowWith(),
  rowWith({ hasRubric: false }),
  rowWith({ attempt: 2, exchanges: [exchangeAt(1)] }),
  rowWith({ attempt: 2, exchanges: [exchangeAt(1), exchangeAt(2)] }),
  rowWith({ attempt: 2, status: 'grading', exchanges: [exchangeAt(1), exchangeAt(2)] }),
  // The agent hung up.
  rowWith({ attempt: 2, status: 'grading', exchanges: [exchangeAt(1)] }),
];

export const outsideEvents: readonly AnyEventObject[] = [
  { type: 'runCanceled' },
  { type: 'attemptSuperseded' },
  { type: 'shutdownRequested' },
];

const failure = new EffectFailed({ code: 'provider_error', message: 'The agent answered 500.' });

const oncePerRun: readonly AnyEventObject[] = [
  done('connect'),
  failed('connect', failure),
  failed('composeMessage', failure),
  failed('sendMessage', new Error('Not an error the host knows.')),
  failed('recordTurn', failure),
  done('disconnect'),
  failed('disconnect', failure),
  done('recordGradingStart'),
  failed('recordGradingStart', failure),
  done('judgeTranscript', verdictThat(true)),
  done('judgeTranscript', verdictThat(false)),
  failed('judgeTranscript', failure),
  done('recordVerdict'),
  failed('recordVerdict', failure),
  done('recordFailure'),
  failed('recordFailure', failure),
];

/** Outcomes of the effects that come once a turn. */
export function outcomesOfTurn(turn: number): readonly AnyEventObject[] {
  const { patientMessage, agentMessage } = exchangeAt(turn);
  const reply = { turn, content: agentMessage, at: AT, latencyMs: turn, continuation: turn, notes: { answered: turn } };
  return [
    done('composeMessage', { turn, content: patientMessage, at: AT, notes: { asked: turn } }),
    done('sendMessage', { ...reply, endsConversation: false }),
    done('sendMessage', { ...reply, endsConversation: true }),
    done('sendMessage', { turn, content: null, isUnanswered: true }),
    done('sendMessage', { turn, content: null, isUnanswered: false }),
    done('recordTurn', { turn }),
  ];
}

export function turnOf(snapshot: AnyMachineSnapshot): number {
  const exchanges: readonly Turn[] = snapshot.context.exchanges;
  return exchanges.length + 1;
}

export function everyEvent(turn: number): readonly AnyEventObject[] {
  return [...outsideEvents, ...oncePerRun, ...outcomesOfTurn(turn)];
}

export function walkFrom(input: ScenarioRunInput): Walk {
  return {
    input,
    events: (snapshot) => everyEvent(turnOf(snapshot)),
    distinguish: ({ context }) => {
      const { exchanges, patientMessage, reply, hangUp, verdict, failure: kept }: ScenarioRunContext = context;
      return [exchanges.length, patientMessage, reply, hangUp, verdict?.passed, kept?.code];
    },
  };
}
