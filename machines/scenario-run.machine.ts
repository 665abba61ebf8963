import { assign, setup } from 'xstate';
import {
  type AgentAnswer,
  type PatientMessage,
  failureOf,
  type Failure,
  type Verdict,
  type ScenarioRunStatus,
} from '../src/domain';
import {
  completedTurn,
  isLastTurn,
  turnNumberOf,
  type ScenarioRunContext,
  type ScenarioRunInput,
} from './scenario-run.context';
import { scenarioRunEffects } from './scenario-run.effects';

/** Facts from outside. Every other event of an actor comes from its own effects. */
export type ScenarioRunEvent =
  /** The cancellation is stored; this actor stops what is in flight and writes nothing more. */
  | { readonly type: 'runCanceled' }
  /** Another attempt owns the row now. */
  | { readonly type: 'attemptSuperseded' }
  /** The process is stopping; the row is released for another attempt. */
  | { readonly type: 'shutdownRequested' };

function contextOf({ context }: { readonly context: ScenarioRunContext }): ScenarioRunContext {
  return context;
}

/** The part of an answer that guards look at. */
type Answered = Pick<AgentAnswer, 'turn' | 'content'>;

/** The action that every failed effect leads to. */
const keepFailure = {
  type: 'keepFailure',
  params: ({ event }: { readonly event: { readonly error: unknown } }) => ({ error: event.error }),
} as const;

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
  actors: scenarioRunEffects,
  guards: {
    isPassed: ({ context }) => context.status === 'passed',
    isFailed: ({ context }) => context.status === 'failed',
    isError: ({ context }) => context.status === 'error',
    isCanceled: ({ context }) => context.status === 'canceled',
    isUngradable: ({ context }) => !context.hasRubric,
    isGrading: ({ context }) => context.status === 'grading',
    isConversationComplete: ({ context }) => context.exchanges.length >= context.maxTurns,
    hasPassed: ({ context }) => context.verdict?.passed === true,
    concernsThisTurn: ({ context }, { turn }: { turn: number }) => turn === turnNumberOf(context),
    completesConversation: ({ context }, { turn }: { turn: number }) =>
      turn === turnNumberOf(context) && isLastTurn(context),
    hasReplied: ({ context }, { turn, content }: Answered) => turn === turnNumberOf(context) && content !== null,
    hungUpAfterReply: ({ context }, { turn, content }: Answered) =>
      turn === turnNumberOf(context) && content === null && context.exchanges.length > 0,
    hungUpBeforeReply: ({ context }, { turn, content }: Answered) =>
      turn === turnNumberOf(context) && content === null && context.exchanges.length === 0,
  },
  actions: {
    keepMessage: assign((_, patientMessage: PatientMessage) => ({ patientMessage, reply: null })),
    keepReply: assign((_, answer: AgentAnswer) => ({ reply: answer.content === null ? null : answer })),
    noteHangUp: assign((_, answer: AgentAnswer) => ({ hangUp: answer.content === null ? answer : null })),
    noteHangUpBeforeReply: assign({
      failure: {
        code: 'provider_error',
        message:
          'The agent ended the conversation before its first reply, so there is nothing to mark; its own log says why it did.',
      } satisfies Failure,
    }),
    appendExchange: assign(({ context }) => ({
      exchanges: [...context.exchanges, completedTurn(context)],
      patientMessage: null,
      reply: null,
    })),
    noteStatus: assign((_, params: { status: ScenarioRunStatus }) => params),
    keepVerdict: assign((_, verdict: Verdict) => ({ verdict })),
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
  context: ({ input }) => ({
    ...input,
    patientMessage: null,
    reply: null,
    hangUp: null,
    verdict: null,
    failure: null,
  }),
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
        { guard: 'isGrading', target: 'active.grading' },
        { guard: 'isConversationComplete', target: 'active.grading.recordingStart' },
        { target: 'active.connecting' },
      ],
    },
    active: {
      initial: 'connecting',
      on: {
        runCanceled: 'canceled',
        attemptSuperseded: 'superseded',
        shutdownRequested: 'released',
      },
      states: {
        connecting: {
          tags: 'running',
          invoke: {
            src: 'connect',
            id: 'connect',
            input: contextOf,
            onDone: 'conversing',
            onError: { target: 'recordingFailure', actions: keepFailure },
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
                input: contextOf,
                onDone: {
                  guard: { type: 'concernsThisTurn', params: ({ event }) => event.output },
                  target: 'awaitingReply',
                  actions: { type: 'keepMessage', params: ({ event }) => event.output },
                },
                onError: { target: '#scenarioRun.active.disconnecting', actions: keepFailure },
              },
            },
            awaitingReply: {
              invoke: {
                src: 'sendMessage',
                id: 'sendMessage',
                input: contextOf,
                onDone: [
                  {
                    guard: { type: 'hasReplied', params: ({ event }) => event.output },
                    target: 'recordingTurn',
                    actions: { type: 'keepReply', params: ({ event }) => event.output },
                  },
                  // The turns so far are graded.
                  {
                    guard: { type: 'hungUpAfterReply', params: ({ event }) => event.output },
                    target: '#scenarioRun.active.grading.recordingStart',
                    actions: { type: 'noteHangUp', params: ({ event }) => event.output },
                  },
                  {
                    guard: { type: 'hungUpBeforeReply', params: ({ event }) => event.output },
                    target: '#scenarioRun.active.disconnecting',
                    actions: 'noteHangUpBeforeReply',
                  },
                ],
                onError: { target: '#scenarioRun.active.disconnecting', actions: keepFailure },
              },
            },
            /** The turn that ends a conversation is recorded together with the start of its grading. */
            recordingTurn: {
              invoke: {
                src: 'recordTurn',
                id: 'recordTurn',
                input: contextOf,
                onDone: [
                  {
                    guard: { type: 'completesConversation', params: ({ event }) => event.output },
                    target: '#scenarioRun.active.grading',
                    actions: ['appendExchange', { type: 'noteStatus', params: { status: 'grading' } }],
                  },
                  {
                    guard: { type: 'concernsThisTurn', params: ({ event }) => event.output },
                    target: 'composing',
                    actions: 'appendExchange',
                  },
                ],
                onError: { target: '#scenarioRun.active.disconnecting', actions: keepFailure },
              },
            },
          },
        },
        /** After a failure: its record covers the whole session. */
        disconnecting: {
          tags: 'running',
          invoke: {
            src: 'disconnect',
            id: 'disconnect',
            input: contextOf,
            onDone: 'recordingFailure',
            // A session that does not end cleanly changes nothing about what is recorded.
            onError: 'recordingFailure',
          },
        },
        grading: {
          tags: 'grading',
          // The session closes while the judge reads; only the record of the outcome waits for it.
          invoke: { src: 'disconnect', id: 'disconnect', input: contextOf },
          initial: 'judging',
          states: {
            /**
             * Records the start of grading for a conversation that the agent ended between two turns, or that an earlier version
             * of the service completed.
             */
            recordingStart: {
              invoke: {
                src: 'recordGradingStart',
                id: 'recordGradingStart',
                input: contextOf,
                onDone: { target: 'judging', actions: { type: 'noteStatus', params: { status: 'grading' } } },
                onError: { target: '#scenarioRun.active.recordingFailure', actions: keepFailure },
              },
            },
            judging: {
              invoke: {
                src: 'judgeTranscript',
                id: 'judgeTranscript',
                input: contextOf,
                onDone: {
                  target: 'recordingVerdict',
                  actions: { type: 'keepVerdict', params: ({ event }) => event.output },
                },
                onError: { target: '#scenarioRun.active.recordingFailure', actions: keepFailure },
              },
            },
            recordingVerdict: {
              invoke: {
                src: 'recordVerdict',
                id: 'recordVerdict',
                input: contextOf,
                onDone: [{ guard: 'hasPassed', target: '#scenarioRun.passed' }, { target: '#scenarioRun.failed' }],
                onError: { target: '#scenarioRun.active.recordingFailure', actions: keepFailure },
              },
            },
          },
        },
        /** The row says either: which one, the context knows. */
        recordingFailure: {
          tags: ['running', 'grading'],
          invoke: {
            src: 'recordFailure',
            id: 'recordFailure',
            input: contextOf,
            onDone: '#scenarioRun.error',
            // Not even the failure could be written: the row is released, and a later attempt tries again.
            onError: '#scenarioRun.released',
          },
        },
      },
    },
    passed: { type: 'final', tags: 'passed', entry: { type: 'noteStatus', params: { status: 'passed' } } },
    failed: { type: 'final', tags: 'failed', entry: { type: 'noteStatus', params: { status: 'failed' } } },
    error: { type: 'final', tags: 'error', entry: { type: 'noteStatus', params: { status: 'error' } } },
    canceled: { type: 'final', tags: 'canceled', entry: { type: 'noteStatus', params: { status: 'canceled' } } },
    /** Another attempt owns the row: this actor writes nothing more. */
    superseded: { type: 'final' },
    /** The row waits for another attempt. */
    released: { type: 'final' },
  },
});
