import { assign, fromPromise, setup } from 'xstate';
import { exchangeOf, type AgentReply, type Exchange, type PatientMessage } from './conversation';
import { failureOf, type Failure } from './failure';
import type { Verdict } from './rubric';
import type { ScenarioRunStatus } from './statuses';

/** What a row says when an execution of it begins: the chart starts from rows, never from stored snapshots. */
export interface ScenarioRunInput {
  readonly scenarioRunId: string;
  readonly testRunId: string;
  /** Fencing token of this execution. */
  readonly attempt: number;
  readonly status: ScenarioRunStatus;
  readonly maxTurns: number;
  /** A scenario without rubric criteria cannot be graded, so its conversation is not held either. */
  readonly hasRubric: boolean;
  /** Turns recorded by earlier attempts of the same conversation. */
  readonly exchanges: readonly Exchange[];
}

export interface ScenarioRunContext extends ScenarioRunInput {
  /** What the row says, as far as this actor has read or written it. */
  readonly status: ScenarioRunStatus;
  readonly patientMessage: PatientMessage | null;
  readonly reply: AgentReply | null;
  readonly verdict: Verdict | null;
  readonly failure: Failure | null;
}

/** Facts from outside. Everything else an actor hears comes from its own effects. */
export type ScenarioRunEvent =
  /** The cancellation is stored; this actor stops what is in flight and writes nothing more. */
  | { readonly type: 'runCanceled' }
  /** Another attempt owns the row now. */
  | { readonly type: 'attemptSuperseded' }
  /** The process stops; the row is given back for another attempt. */
  | { readonly type: 'shutdownRequested' };

/** What became of a write: committed, or refused because this attempt no longer owns the row. */
export type Recorded = { readonly kind: 'committed' } | { readonly kind: 'superseded' } | { readonly kind: 'canceled' };

type Ids = Pick<ScenarioRunContext, 'scenarioRunId' | 'testRunId' | 'attempt'>;

/** Stands for an effect until the host gives the real one with `.provide()`. */
function effect<Output, Input>() {
  return fromPromise<Output, Input>(() => Promise.reject(new Error('This effect was not provided.')));
}

function idsOf({ scenarioRunId, testRunId, attempt }: ScenarioRunContext): Ids {
  return { scenarioRunId, testRunId, attempt };
}

function turnOf({ exchanges }: ScenarioRunContext): number {
  return exchanges.length + 1;
}

/**
 * One scenario run, from its row to a final status. Every outcome is committed in a state of its own (`recordingTurn`,
 * `recordingStart`, `recordingVerdict`, `recordingFailure`) before the next outside call begins.
 */
export const scenarioRunMachine = setup({
  types: {
    input: {} as ScenarioRunInput,
    context: {} as ScenarioRunContext,
    events: {} as ScenarioRunEvent,
    tags: {} as ScenarioRunStatus,
  },
  actors: {
    connect: effect<void, Ids & { exchanges: readonly Exchange[] }>(),
    composeMessage: effect<PatientMessage, Ids & { turn: number; exchanges: readonly Exchange[] }>(),
    sendMessage: effect<AgentReply, Ids & { message: PatientMessage | null }>(),
    recordTurn: effect<
      Recorded & { turn: number },
      Ids & { message: PatientMessage | null; reply: AgentReply | null }
    >(),
    disconnect: effect<void, Ids>(),
    recordGradingStart: effect<Recorded, Ids>(),
    judgeTranscript: effect<Verdict, Ids & { exchanges: readonly Exchange[] }>(),
    recordVerdict: effect<Recorded, Ids & { verdict: Verdict | null }>(),
    recordFailure: effect<Recorded, Ids & { failure: Failure | null }>(),
  },
  guards: {
    isPassed: ({ context }) => context.status === 'passed',
    isFailed: ({ context }) => context.status === 'failed',
    isError: ({ context }) => context.status === 'error',
    isCanceled: ({ context }) => context.status === 'canceled',
    isUngradable: ({ context }) => !context.hasRubric,
    isConversationComplete: ({ context }) => context.exchanges.length >= context.maxTurns,
    hasFailure: ({ context }) => context.failure !== null,
    hasPassed: ({ context }) => context.verdict?.passed === true,
    concernsThisTurn: ({ context }, params: { turn: number }) => params.turn === turnOf(context),
    completesConversation: ({ context }, params: { turn: number }) =>
      params.turn === turnOf(context) && turnOf(context) >= context.maxTurns,
    wasSuperseded: ({ context }, params: Recorded & { turn?: number }) =>
      params.kind === 'superseded' && (params.turn ?? turnOf(context)) === turnOf(context),
    wasCanceled: ({ context }, params: Recorded & { turn?: number }) =>
      params.kind === 'canceled' && (params.turn ?? turnOf(context)) === turnOf(context),
  },
  actions: {
    keepMessage: assign((_, params: { message: PatientMessage }) => ({ patientMessage: params.message, reply: null })),
    keepReply: assign((_, params: { reply: AgentReply }) => ({ reply: params.reply })),
    appendExchange: assign(({ context: { patientMessage, reply, exchanges } }) =>
      patientMessage === null || reply === null
        ? {}
        : { exchanges: [...exchanges, exchangeOf(patientMessage, reply)], patientMessage: null, reply: null },
    ),
    noteStatus: assign((_, params: { status: ScenarioRunStatus }) => ({ status: params.status })),
    keepVerdict: assign((_, params: { verdict: Verdict }) => ({ verdict: params.verdict })),
    keepFailure: assign((_, params: { error: unknown }) => ({ failure: failureOf(params.error), verdict: null })),
    noteMissingRubric: assign({
      failure: {
        code: 'no_rubric',
        message: 'The scenario has no rubric criteria; add at least one so that the conversation can be graded.',
      } satisfies Failure,
    }),
  },
}).createMachine({
  id: 'scenarioRun',
  context: ({ input }) => ({ ...input, patientMessage: null, reply: null, verdict: null, failure: null }),
  initial: 'pending',
  // News of an effect that is over already. Unhandled, XState would take an error among them for the actor's own.
  on: { '*': {} },
  states: {
    pending: {
      tags: 'pending',
      always: [
        { guard: 'isPassed', target: 'passed' },
        { guard: 'isFailed', target: 'failed' },
        { guard: 'isError', target: 'error' },
        { guard: 'isCanceled', target: 'canceled' },
        { guard: 'isUngradable', target: 'active.recordingFailure', actions: 'noteMissingRubric' },
        { guard: 'isConversationComplete', target: 'active.grading' },
        { target: 'active.connecting' },
      ],
    },
    active: {
      initial: 'connecting',
      on: {
        runCanceled: 'canceled',
        attemptSuperseded: 'superseded',
        shutdownRequested: 'handedBack',
      },
      states: {
        connecting: {
          tags: 'running',
          invoke: {
            src: 'connect',
            id: 'connect',
            input: ({ context }) => ({ ...idsOf(context), exchanges: context.exchanges }),
            onDone: 'conversing',
            onError: {
              target: 'recordingFailure',
              actions: { type: 'keepFailure', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        conversing: {
          tags: 'running',
          initial: 'composing',
          states: {
            composing: {
              invoke: {
                src: 'composeMessage',
                id: 'composeMessage',
                input: ({ context }) => ({
                  ...idsOf(context),
                  turn: turnOf(context),
                  exchanges: context.exchanges,
                }),
                onDone: {
                  guard: { type: 'concernsThisTurn', params: ({ event }) => ({ turn: event.output.turn }) },
                  target: 'awaitingReply',
                  actions: { type: 'keepMessage', params: ({ event }) => ({ message: event.output }) },
                },
                onError: {
                  target: '#scenarioRun.active.disconnecting',
                  actions: { type: 'keepFailure', params: ({ event }) => ({ error: event.error }) },
                },
              },
            },
            awaitingReply: {
              invoke: {
                src: 'sendMessage',
                id: 'sendMessage',
                input: ({ context }) => ({ ...idsOf(context), message: context.patientMessage }),
                onDone: {
                  guard: { type: 'concernsThisTurn', params: ({ event }) => ({ turn: event.output.turn }) },
                  target: 'recordingTurn',
                  actions: { type: 'keepReply', params: ({ event }) => ({ reply: event.output }) },
                },
                onError: {
                  target: '#scenarioRun.active.disconnecting',
                  actions: { type: 'keepFailure', params: ({ event }) => ({ error: event.error }) },
                },
              },
            },
            recordingTurn: {
              invoke: {
                src: 'recordTurn',
                id: 'recordTurn',
                input: ({ context }) => ({
                  ...idsOf(context),
                  message: context.patientMessage,
                  reply: context.reply,
                }),
                onDone: [
                  {
                    guard: { type: 'wasSuperseded', params: ({ event }) => event.output },
                    target: '#scenarioRun.superseded',
                  },
                  {
                    guard: { type: 'wasCanceled', params: ({ event }) => event.output },
                    target: '#scenarioRun.canceled',
                  },
                  {
                    guard: { type: 'completesConversation', params: ({ event }) => ({ turn: event.output.turn }) },
                    target: '#scenarioRun.active.disconnecting',
                    actions: 'appendExchange',
                  },
                  {
                    guard: { type: 'concernsThisTurn', params: ({ event }) => ({ turn: event.output.turn }) },
                    target: 'composing',
                    actions: 'appendExchange',
                  },
                ],
                onError: {
                  target: '#scenarioRun.active.disconnecting',
                  actions: { type: 'keepFailure', params: ({ event }) => ({ error: event.error }) },
                },
              },
            },
          },
        },
        disconnecting: {
          tags: 'running',
          invoke: {
            src: 'disconnect',
            id: 'disconnect',
            input: ({ context }) => idsOf(context),
            onDone: [{ guard: 'hasFailure', target: 'recordingFailure' }, { target: 'grading' }],
            // A session that does not end cleanly takes nothing from the conversation that was recorded.
            onError: [{ guard: 'hasFailure', target: 'recordingFailure' }, { target: 'grading' }],
          },
        },
        grading: {
          tags: 'grading',
          initial: 'recordingStart',
          states: {
            recordingStart: {
              invoke: {
                src: 'recordGradingStart',
                id: 'recordGradingStart',
                input: ({ context }) => idsOf(context),
                onDone: [
                  {
                    guard: { type: 'wasSuperseded', params: ({ event }) => event.output },
                    target: '#scenarioRun.superseded',
                  },
                  {
                    guard: { type: 'wasCanceled', params: ({ event }) => event.output },
                    target: '#scenarioRun.canceled',
                  },
                  { target: 'judging', actions: { type: 'noteStatus', params: { status: 'grading' } } },
                ],
                onError: {
                  target: '#scenarioRun.active.recordingFailure',
                  actions: { type: 'keepFailure', params: ({ event }) => ({ error: event.error }) },
                },
              },
            },
            judging: {
              invoke: {
                src: 'judgeTranscript',
                id: 'judgeTranscript',
                input: ({ context }) => ({ ...idsOf(context), exchanges: context.exchanges }),
                onDone: {
                  target: '#scenarioRun.active.recordingVerdict',
                  actions: { type: 'keepVerdict', params: ({ event }) => ({ verdict: event.output }) },
                },
                onError: {
                  target: '#scenarioRun.active.recordingGradingFailure',
                  actions: { type: 'keepFailure', params: ({ event }) => ({ error: event.error }) },
                },
              },
            },
          },
        },
        recordingVerdict: {
          tags: 'grading',
          invoke: {
            src: 'recordVerdict',
            id: 'recordVerdict',
            input: ({ context }) => ({ ...idsOf(context), verdict: context.verdict }),
            onDone: [
              {
                guard: { type: 'wasSuperseded', params: ({ event }) => event.output },
                target: '#scenarioRun.superseded',
              },
              { guard: { type: 'wasCanceled', params: ({ event }) => event.output }, target: '#scenarioRun.canceled' },
              { guard: 'hasPassed', target: '#scenarioRun.passed' },
              { target: '#scenarioRun.failed' },
            ],
            onError: {
              target: 'recordingGradingFailure',
              actions: { type: 'keepFailure', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        /** The row says `running`. */
        recordingFailure: {
          tags: 'running',
          invoke: {
            src: 'recordFailure',
            id: 'recordFailure',
            input: ({ context }) => ({ ...idsOf(context), failure: context.failure }),
            onDone: [
              {
                guard: { type: 'wasSuperseded', params: ({ event }) => event.output },
                target: '#scenarioRun.superseded',
              },
              { guard: { type: 'wasCanceled', params: ({ event }) => event.output }, target: '#scenarioRun.canceled' },
              { target: '#scenarioRun.error' },
            ],
            // Not even the failure could be written: give the row back, a later attempt tries again.
            onError: '#scenarioRun.handedBack',
          },
        },
        /** The row says `grading`. */
        recordingGradingFailure: {
          tags: 'grading',
          invoke: {
            src: 'recordFailure',
            id: 'recordFailure',
            input: ({ context }) => ({ ...idsOf(context), failure: context.failure }),
            onDone: [
              {
                guard: { type: 'wasSuperseded', params: ({ event }) => event.output },
                target: '#scenarioRun.superseded',
              },
              { guard: { type: 'wasCanceled', params: ({ event }) => event.output }, target: '#scenarioRun.canceled' },
              { target: '#scenarioRun.error' },
            ],
            onError: '#scenarioRun.handedBack',
          },
        },
      },
    },
    passed: { type: 'final', tags: 'passed', entry: { type: 'noteStatus', params: { status: 'passed' } } },
    failed: { type: 'final', tags: 'failed', entry: { type: 'noteStatus', params: { status: 'failed' } } },
    error: { type: 'final', tags: 'error', entry: { type: 'noteStatus', params: { status: 'error' } } },
    canceled: { type: 'final', tags: 'canceled', entry: { type: 'noteStatus', params: { status: 'canceled' } } },
    /** Another attempt owns the row: this actor has nothing more to say. */
    superseded: { type: 'final' },
    /** The row waits for another attempt. */
    handedBack: { type: 'final' },
  },
});
