import { assign, fromPromise, setup } from 'xstate';
import type { FinalTestRunStatus, TestRunStatus } from './statuses';

/** What a row says when a process takes a test run on. */
export interface TestRunInput {
  readonly testRunId: string;
  /** Fencing token of this supervision. */
  readonly attempt: number;
  readonly status: TestRunStatus;
  /** ISO 8601 UTC; null when the run starts at once. */
  readonly scheduledAt: string | null;
  readonly concurrencyLimit: number;
  /** Scenario runs that are not final, in the order in which they are to be handed out. */
  readonly unsettled: readonly string[];
}

export interface TestRunContext extends TestRunInput {
  /** Position in `unsettled` of the next one to hand out. */
  readonly next: number;
  readonly handedOut: ReadonlySet<string>;
  /** Settled while their handing out was still under way, or before it began. */
  readonly settledEarly: ReadonlySet<string>;
}

export type TestRunEvent =
  /** The row of a scenario run is final. May come twice, and for one that was never handed out by this process. */
  | { readonly type: 'scenarioSettled'; readonly scenarioRunId: string }
  | { readonly type: 'runCanceled' }
  | { readonly type: 'attemptSuperseded' }
  | { readonly type: 'shutdownRequested' };

export type Started = { readonly kind: 'started' | 'superseded' | 'canceled' };

export type Finished =
  | { readonly kind: 'finished'; readonly status: FinalTestRunStatus }
  /** The rows disagree with what this actor heard: these are still to be settled. */
  | { readonly kind: 'unsettled'; readonly scenarioRunIds: readonly string[] }
  | { readonly kind: 'superseded' };

type Ids = Pick<TestRunContext, 'testRunId' | 'attempt'>;

function effect<Output, Input>() {
  return fromPromise<Output, Input>(() => Promise.reject(new Error('This effect was not provided.')));
}

function idsOf({ testRunId, attempt }: TestRunContext): Ids {
  return { testRunId, attempt };
}

/** The scenario runs to hand out now: as many as the concurrency limit has room for. */
function dueOf({ unsettled, next, handedOut, settledEarly, concurrencyLimit }: TestRunContext): readonly string[] {
  const due: string[] = [];
  for (let at = next; at < unsettled.length && handedOut.size + due.length < concurrencyLimit; at += 1) {
    const id = unsettled[at];
    if (id !== undefined && !settledEarly.has(id)) due.push(id);
  }
  return due;
}

function without(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const rest = new Set(set);
  rest.delete(id);
  return rest;
}

/** Supervises one test run: hands out its scenario runs, at most `concurrencyLimit` at a time, and finishes the run. */
export const testRunMachine = setup({
  types: {
    input: {} as TestRunInput,
    context: {} as TestRunContext,
    events: {} as TestRunEvent,
    tags: {} as TestRunStatus,
  },
  actors: {
    waitUntilDue: effect<void, { scheduledAt: string | null }>(),
    recordStart: effect<Started, Ids>(),
    handOut: effect<{ scenarioRunIds: readonly string[] }, Ids & { scenarioRunIds: readonly string[] }>(),
    recordFinish: effect<Finished, Ids>(),
  },
  guards: {
    isCompleted: ({ context }) => context.status === 'completed',
    isFailed: ({ context }) => context.status === 'failed',
    isCanceled: ({ context }) => context.status === 'canceled',
    isScheduled: ({ context }) => context.status === 'scheduled',
    isPending: ({ context }) => context.status === 'pending',
    hasRoom: ({ context }) => dueOf(context).length > 0,
    isAllSettled: ({ context }) => context.handedOut.size === 0 && dueOf(context).length === 0,
    wasSuperseded: (_, params: { kind: string }) => params.kind === 'superseded',
    wasCanceled: (_, params: { kind: string }) => params.kind === 'canceled',
    finishedAs: (_, params: { finished: Finished; status: FinalTestRunStatus }) =>
      params.finished.kind === 'finished' && params.finished.status === params.status,
  },
  actions: {
    noteHandedOut: assign(({ context }, params: { scenarioRunIds: readonly string[] }) => {
      const { unsettled, settledEarly } = context;
      const handedOut = new Set(context.handedOut);
      let next = context.next;
      for (const id of params.scenarioRunIds) {
        next = Math.max(next, unsettled.indexOf(id, next) + 1);
        if (!settledEarly.has(id)) handedOut.add(id);
      }
      return { next, handedOut };
    }),
    noteSettled: assign(({ context }, params: { scenarioRunId: string }) => {
      const { scenarioRunId: id } = params;
      if (context.handedOut.has(id)) return { handedOut: without(context.handedOut, id) };
      const isToCome = context.unsettled.includes(id, context.next);
      return isToCome ? { settledEarly: new Set(context.settledEarly).add(id) } : {};
    }),
    startOver: assign((_, params: { finished: Finished }) => ({
      unsettled: params.finished.kind === 'unsettled' ? params.finished.scenarioRunIds : [],
      next: 0,
      handedOut: new Set<string>(),
      settledEarly: new Set<string>(),
    })),
  },
}).createMachine({
  id: 'testRun',
  context: ({ input }) => ({ ...input, next: 0, handedOut: new Set<string>(), settledEarly: new Set<string>() }),
  initial: 'live',
  states: {
    live: {
      initial: 'restored',
      on: {
        runCanceled: 'canceled',
        attemptSuperseded: 'superseded',
        shutdownRequested: 'handedBack',
        scenarioSettled: {
          actions: { type: 'noteSettled', params: ({ event }) => ({ scenarioRunId: event.scenarioRunId }) },
        },
      },
      states: {
        restored: {
          always: [
            { guard: 'isCompleted', target: '#testRun.completed' },
            { guard: 'isFailed', target: '#testRun.failed' },
            { guard: 'isCanceled', target: '#testRun.canceled' },
            { guard: 'isScheduled', target: 'scheduled' },
            { guard: 'isPending', target: 'pending' },
            { target: 'running' },
          ],
        },
        scheduled: {
          tags: 'scheduled',
          invoke: {
            src: 'waitUntilDue',
            id: 'waitUntilDue',
            input: ({ context }) => ({ scheduledAt: context.scheduledAt }),
            onDone: 'pending',
            onError: '#testRun.handedBack',
          },
        },
        pending: {
          tags: 'pending',
          invoke: {
            src: 'recordStart',
            id: 'recordStart',
            input: ({ context }) => idsOf(context),
            onDone: [
              {
                guard: { type: 'wasSuperseded', params: ({ event }) => event.output },
                target: '#testRun.superseded',
              },
              { guard: { type: 'wasCanceled', params: ({ event }) => event.output }, target: '#testRun.canceled' },
              { target: 'running' },
            ],
            onError: '#testRun.handedBack',
          },
        },
        running: {
          tags: 'running',
          initial: 'supervising',
          states: {
            supervising: {
              always: [
                { guard: 'hasRoom', target: 'handingOut' },
                { guard: 'isAllSettled', target: 'recordingFinish' },
              ],
            },
            handingOut: {
              invoke: {
                src: 'handOut',
                id: 'handOut',
                input: ({ context }) => ({ ...idsOf(context), scenarioRunIds: dueOf(context) }),
                onDone: {
                  target: 'supervising',
                  actions: {
                    type: 'noteHandedOut',
                    params: ({ event }) => ({ scenarioRunIds: event.output.scenarioRunIds }),
                  },
                },
                onError: '#testRun.handedBack',
              },
            },
            recordingFinish: {
              invoke: {
                src: 'recordFinish',
                id: 'recordFinish',
                input: ({ context }) => idsOf(context),
                onDone: [
                  {
                    guard: {
                      type: 'finishedAs',
                      params: ({ event }) => ({ finished: event.output, status: 'completed' }),
                    },
                    target: '#testRun.completed',
                  },
                  {
                    guard: {
                      type: 'finishedAs',
                      params: ({ event }) => ({ finished: event.output, status: 'failed' }),
                    },
                    target: '#testRun.failed',
                  },
                  {
                    guard: {
                      type: 'finishedAs',
                      params: ({ event }) => ({ finished: event.output, status: 'canceled' }),
                    },
                    target: '#testRun.canceled',
                  },
                  {
                    guard: { type: 'wasSuperseded', params: ({ event }) => event.output },
                    target: '#testRun.superseded',
                  },
                  {
                    target: 'supervising',
                    actions: { type: 'startOver', params: ({ event }) => ({ finished: event.output }) },
                  },
                ],
                onError: '#testRun.handedBack',
              },
            },
          },
        },
      },
    },
    completed: { type: 'final', tags: 'completed' },
    failed: { type: 'final', tags: 'failed' },
    canceled: { type: 'final', tags: 'canceled' },
    /** Another process supervises the run now. */
    superseded: { type: 'final' },
    /** The run waits for another process. */
    handedBack: { type: 'final' },
  },
});
