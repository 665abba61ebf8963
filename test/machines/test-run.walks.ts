import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import { FINAL_TEST_RUN_STATUSES } from '../../src/domain/statuses';
import type { Dispatched, TestRunContext, TestRunInput } from '../../machines/test-run.machine';
import { done, failed, type Walk } from './chart-paths';

export function rowWith(changes: Partial<TestRunInput> = {}): TestRunInput {
  return {
    testRunId: 'test-run',
    attempt: 1,
    status: 'running',
    scheduledAt: null,
    concurrencyLimit: 1,
    unsettled: ['first', 'second'],
    ...changes,
  };
}

/** Rows in every condition that the chart tells apart. */
export const rows: readonly TestRunInput[] = [
  ...FINAL_TEST_RUN_STATUSES.map((status) => rowWith({ status, unsettled: [] })),
  rowWith({ status: 'scheduled', scheduledAt: '2030-01-01T00:00:00.000Z', unsettled: ['only'] }),
  rowWith({ status: 'pending', unsettled: ['only'] }),
  rowWith(),
  rowWith({ concurrencyLimit: 2 }),
  rowWith({ unsettled: [] }),
];

const trouble = new Error('The database is not the one that was expected.');

const oncePerRun: readonly AnyEventObject[] = [
  { type: 'runCanceled' },
  { type: 'attemptSuperseded' },
  { type: 'shutdownRequested' },
  done('waitUntilDue'),
  failed('waitUntilDue', trouble),
  done('recordStart', { kind: 'started' }),
  done('recordStart', { kind: 'superseded' }),
  done('recordStart', { kind: 'canceled' }),
  done('recordStart', { kind: 'failed' }),
  failed('recordStart', trouble),
  failed('dispatch', trouble),
  failed('recordFinish', trouble),
];

export function settledEvent(scenarioRunId: string): AnyEventObject {
  return { type: 'scenarioSettled', scenarioRunId };
}

/** Outcomes of the effects that come again and again. */
export function outcomesOfRound(round: number, asked: readonly string[], unsettled: readonly string[]) {
  return [
    done('dispatch', { round, scenarioRunIds: asked }),
    ...FINAL_TEST_RUN_STATUSES.map((status) => done('recordFinish', { round, kind: 'finished', status })),
    done('recordFinish', { round, kind: 'superseded' }),
    done('recordFinish', { round, kind: 'unsettled', scenarioRunIds: unsettled }),
  ];
}

export function contextOf(snapshot: AnyMachineSnapshot): TestRunContext {
  const context: TestRunContext = snapshot.context;
  return context;
}

/** What the effect was asked to dispatch, in the states where it is under way. */
function askedOf(snapshot: AnyMachineSnapshot): readonly string[] {
  const asked: Dispatched | undefined = snapshot.children['dispatch']?.options.input;
  return asked?.scenarioRunIds ?? [];
}

export function everyEvent(snapshot: AnyMachineSnapshot): readonly AnyEventObject[] {
  const { unsettled, round } = contextOf(snapshot);
  // Rows that still differ after a fresh start would only lead round the same circle again.
  const remaining = unsettled.slice(1);
  return [
    ...oncePerRun,
    ...[...unsettled, 'of another run'].map(settledEvent),
    ...outcomesOfRound(round, askedOf(snapshot), remaining).filter(
      ({ output }) => output.kind !== 'unsettled' || remaining.length > 0,
    ),
  ];
}

export function walkFrom(input: TestRunInput): Walk {
  return {
    input,
    events: everyEvent,
    distinguish: (snapshot) => {
      const { unsettled, settled, next, live, round } = contextOf(snapshot);
      return [unsettled, unsettled.map((_, position) => settled.has(position)), next, live, round, askedOf(snapshot)];
    },
  };
}
