import { assign, fromPromise, setup } from 'xstate';
import { PositionSet } from './position-set';
import type { FinalTestRunStatus, TestRunStatus } from '../src/domain';

/** What a row says when a process takes a test run on. */
export interface TestRunInput {
  readonly testRunId: string;
  /** Fencing token of this supervision. */
  readonly attempt: number;
  readonly status: TestRunStatus;
  /** ISO 8601 UTC; null when the run starts at once. */
  readonly scheduledAt: string | null;
  readonly concurrencyLimit: number;
  /** Scenario runs that are not final, in the order in which they are to be dispatched. */
  readonly unsettled: readonly string[];
}

export interface TestRunContext extends TestRunInput {
  /** What the row says, as far as this actor has read or written it. */
  readonly status: TestRunStatus;
  /** The position of each scenario run in `unsettled`. */
  readonly positions: ReadonlyMap<string, number>;
  /** What has settled since `unsettled` was read, even before it was dispatched. */
  readonly settled: PositionSet;
  /** Everything before this position was dispatched or has settled; the one at it has not settled. */
  readonly next: number;
  /** How many are dispatched and have not settled. */
  readonly live: number;
  /** Counts the outcomes of repeated effects. They carry the count, so that a late one is recognised. */
  readonly round: number;
}

export type TestRunEvent =
  /** The row of a scenario run is final. May come twice, and for one that was never dispatched by this process. */
  | { readonly type: 'scenarioSettled'; readonly scenarioRunId: string }
  | { readonly type: 'runCanceled' }
  | { readonly type: 'attemptSuperseded' }
  | { readonly type: 'shutdownRequested' };

/** `failed`: its start time is too long past. */
export type Started = { readonly kind: 'started' | 'superseded' | 'canceled' | 'failed' };

export type Finished =
  | { readonly kind: 'finished'; readonly status: FinalTestRunStatus }
  /** The rows disagree with the events this actor received: these are still to be settled. */
  | { readonly kind: 'unsettled'; readonly scenarioRunIds: readonly string[] }
  | { readonly kind: 'superseded' };

type FinishedRound = Finished & { readonly round: number };

/** What is, or was, dispatched together. */
export interface Dispatched {
  readonly round: number;
  readonly scenarioRunIds: readonly string[];
}

type Ids = Pick<TestRunContext, 'testRunId' | 'attempt'>;

/** Stands in for an effect until the host gives the real one with `.provide()`. */
function effect<Output, Input>() {
  return fromPromise<Output, Input>(() => Promise.reject(new Error('This effect was not provided.')));
}

function idsOf({ testRunId, attempt }: TestRunContext): Ids {
  return { testRunId, attempt };
}

/** A list of which nothing has been dispatched yet. */
function fresh(unsettled: readonly string[]) {
  const positions = new Map(unsettled.map((id, position) => [id, position]));
  return { unsettled, positions, settled: PositionSet.over(unsettled.length), next: 0, live: 0 };
}

/** Of the positions from one on; beyond the last one nothing has settled. */
function firstUnsettled(settled: PositionSet, from: number): number {
  let position = from;
  while (settled.has(position)) position += 1;
  return position;
}

/** The scenario runs to dispatch now: as many as the concurrency limit has room for. */
function dueOf({ unsettled, settled, next, live, concurrencyLimit }: TestRunContext): readonly string[] {
  const due: string[] = [];
  for (let position = next; position < unsettled.length && live + due.length < concurrencyLimit; position += 1) {
    const id = unsettled[position];
    if (id !== undefined && !settled.has(position)) due.push(id);
  }
  return due;
}

function endsAs(status: FinalTestRunStatus, finished: FinishedRound, { round }: TestRunContext): boolean {
  return finished.round === round && finished.kind === 'finished' && finished.status === status;
}

/** The scenario runs that are dispatched and have not settled, as far as the actor knows. */
export function listDispatched({
  unsettled,
  settled,
  next,
}: Pick<TestRunContext, 'unsettled' | 'settled' | 'next'>): readonly string[] {
  return unsettled.slice(0, next).filter((_, position) => !settled.has(position));
}

/** Supervises one test run: dispatches its scenario runs, at most `concurrencyLimit` at a time, and finishes the run. */
export const testRunMachine = setup({
  types: {
    input: {} as TestRunInput,
    context: {} as TestRunContext,
    events: {} as TestRunEvent,
    tags: {} as TestRunStatus,
  },
  actors: {
    waitUntilDue: effect<void, Ids & { scheduledAt: string | null }>(),
    recordStart: effect<Started, Ids>(),
    dispatch: effect<Dispatched, Ids & Dispatched>(),
    recordFinish: effect<FinishedRound, Ids & { round: number }>(),
  },
  guards: {
    isCompleted: ({ context }) => context.status === 'completed',
    isFailed: ({ context }) => context.status === 'failed',
    isCanceled: ({ context }) => context.status === 'canceled',
    isScheduled: ({ context }) => context.status === 'scheduled',
    isPending: ({ context }) => context.status === 'pending',
    hasRoom: ({ context: { live, concurrencyLimit, next, unsettled } }) =>
      live < concurrencyLimit && next < unsettled.length,
    isAllSettled: ({ context: { live, next, unsettled } }) => live === 0 && next === unsettled.length,
    concernsThisRound: ({ context }, params: { round: number }) => params.round === context.round,
    wasSuperseded: ({ context }, params: { kind: string; round?: number }) =>
      params.kind === 'superseded' && (params.round ?? context.round) === context.round,
    wasCanceled: (_, params: Started) => params.kind === 'canceled',
    wasFailed: (_, params: Started) => params.kind === 'failed',
    finishCompleted: ({ context }, finished: FinishedRound) => endsAs('completed', finished, context),
    finishFailed: ({ context }, finished: FinishedRound) => endsAs('failed', finished, context),
    finishCanceled: ({ context }, finished: FinishedRound) => endsAs('canceled', finished, context),
    finishUnsettled: ({ context }, finished: FinishedRound) =>
      finished.round === context.round && finished.kind === 'unsettled',
  },
  actions: {
    noteDispatched: assign(({ context }, { scenarioRunIds }: Dispatched) => {
      const { positions, settled, next, live, round } = context;
      const last = positions.get(scenarioRunIds.at(-1) ?? '') ?? -1;
      let added = 0;
      for (let position = next; position <= last; position += 1) if (!settled.has(position)) added += 1;
      return {
        next: firstUnsettled(settled, Math.max(next, last + 1)),
        live: live + added,
        round: round + 1,
      };
    }),
    noteSettled: assign(({ context }, params: { scenarioRunId: string }) => {
      const { positions, next, live } = context;
      const position = positions.get(params.scenarioRunId);
      if (position === undefined || context.settled.has(position)) return {};
      const settled = context.settled.with(position);
      return {
        settled,
        next: firstUnsettled(settled, next),
        live: position < next ? live - 1 : live,
      };
    }),
    noteStatus: assign((_, params: { status: TestRunStatus }) => ({ status: params.status })),
    startOver: assign(({ context }, params: { finished: Finished }) => ({
      ...fresh(params.finished.kind === 'unsettled' ? params.finished.scenarioRunIds : []),
      round: context.round + 1,
    })),
  },
}).createMachine({
  id: 'testRun',
  context: ({ input }) => ({ ...input, ...fresh(input.unsettled), round: 0 }),
  initial: 'live',
  // News of an effect that is over already. Unhandled, XState would take an error among them for the actor's own.
  on: { '*': {} },
  states: {
    live: {
      initial: 'restored',
      on: {
        runCanceled: 'canceled',
        attemptSuperseded: 'superseded',
        shutdownRequested: 'released',
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
            input: ({ context }) => ({ ...idsOf(context), scheduledAt: context.scheduledAt }),
            onDone: 'pending',
            onError: '#testRun.released',
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
              { guard: { type: 'wasFailed', params: ({ event }) => event.output }, target: '#testRun.failed' },
              { target: 'running' },
            ],
            onError: '#testRun.released',
          },
        },
        running: {
          tags: 'running',
          entry: { type: 'noteStatus', params: { status: 'running' } },
          initial: 'supervising',
          states: {
            supervising: {
              always: [
                { guard: 'hasRoom', target: 'dispatching' },
                { guard: 'isAllSettled', target: 'recordingFinish' },
              ],
            },
            dispatching: {
              invoke: {
                src: 'dispatch',
                id: 'dispatch',
                input: ({ context }) => ({
                  ...idsOf(context),
                  round: context.round,
                  scenarioRunIds: dueOf(context),
                }),
                onDone: {
                  guard: { type: 'concernsThisRound', params: ({ event }) => event.output },
                  target: 'supervising',
                  actions: { type: 'noteDispatched', params: ({ event }) => event.output },
                },
                onError: '#testRun.released',
              },
            },
            recordingFinish: {
              invoke: {
                src: 'recordFinish',
                id: 'recordFinish',
                input: ({ context }) => ({ ...idsOf(context), round: context.round }),
                onDone: [
                  {
                    guard: { type: 'finishCompleted', params: ({ event }) => event.output },
                    target: '#testRun.completed',
                  },
                  { guard: { type: 'finishFailed', params: ({ event }) => event.output }, target: '#testRun.failed' },
                  {
                    guard: { type: 'finishCanceled', params: ({ event }) => event.output },
                    target: '#testRun.canceled',
                  },
                  {
                    guard: { type: 'wasSuperseded', params: ({ event }) => event.output },
                    target: '#testRun.superseded',
                  },
                  {
                    guard: { type: 'finishUnsettled', params: ({ event }) => event.output },
                    target: 'supervising',
                    actions: { type: 'startOver', params: ({ event }) => ({ finished: event.output }) },
                  },
                ],
                onError: '#testRun.released',
              },
            },
          },
        },
      },
    },
    completed: { type: 'final', tags: 'completed', entry: { type: 'noteStatus', params: { status: 'completed' } } },
    failed: { type: 'final', tags: 'failed', entry: { type: 'noteStatus', params: { status: 'failed' } } },
    canceled: { type: 'final', tags: 'canceled', entry: { type: 'noteStatus', params: { status: 'canceled' } } },
    /** Another process supervises the run now. */
    superseded: { type: 'final' },
    /** The run waits for another process. */
    released: { type: 'final' },
  },
});
