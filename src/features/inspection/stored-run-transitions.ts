import type { AnyMachineSnapshot, OutputFrom, SnapshotFrom } from 'xstate';
import { testRunMachine, type TestRunInput } from '../../../machines';
import type { TestRunStatus } from '../../domain';
import type { LoggedStep } from './inspection.store';
import { charts, ChartWalk, done, type Possible, transitionOf } from './chart-walk';
import type { ActorTransition } from '../../../contract/inspection';

type Effects = NonNullable<Parameters<typeof testRunMachine.provide>[0]['actors']>;
type Answers = {
  readonly [Effect in keyof Effects]?: (round: number) => readonly OutputFrom<NonNullable<Effects[Effect]>>[];
};

/** The effects' outputs, as far as the chart depends on them. */
const ANSWERS: Answers = {
  recordStart: () => [{ kind: 'started' }, { kind: 'failed' }],
  recordFinish: (round) => [
    { kind: 'finished', status: 'completed', round },
    { kind: 'finished', status: 'failed', round },
    { kind: 'finished', status: 'canceled', round },
  ],
};

/** The status of the run once the log holds an event of this type. */
const STATUS_AFTER: Readonly<Record<string, TestRunStatus | undefined>> = {
  test_run_scheduled: 'scheduled',
  test_run_started: 'running',
  test_run_complete: 'completed',
  test_run_failed: 'failed',
  test_run_canceled: 'canceled',
};

/**
 * The path of a test run through its chart, derived from the log: the chart itself says which steps lead from one status
 * to the next. The log does not say who supervised the run, nor when it dispatched what.
 */
export function storedRunTransitions(steps: readonly LoggedStep[], attempt: number): readonly ActorTransition[] {
  const walk = new ChartWalk(testRunMachine, charts.test_run);
  const derived: ActorTransition[] = [];
  for (const { type, at } of steps) {
    const status = STATUS_AFTER[type];
    if (status === undefined) continue;
    const isThere = (snapshot: AnyMachineSnapshot): boolean => snapshot.hasTag(status);
    if (walk.snapshot === null) {
      const first = walk.begin(rowWith(status, attempt), isThere);
      derived.push(transitionOf(charts.test_run, first, attempt, at, 'stored'));
      continue;
    }
    const path = walk.to(isThere, (snapshot) => possibleIn(walk, snapshot, status)) ?? [];
    for (const [position, walked] of path.entries()) {
      const source = position === path.length - 1 ? 'stored' : 'inferred';
      derived.push(transitionOf(charts.test_run, walked, attempt, at, source));
    }
  }
  return derived;
}

/** A row with nothing left to dispatch: what was dispatched is in the logs of the scenario runs. */
function rowWith(status: TestRunStatus, attempt: number): TestRunInput {
  return { testRunId: '', attempt, status, scheduledAt: null, concurrencyLimit: 1, unsettled: [] };
}

function possibleIn(walk: ChartWalk, snapshot: AnyMachineSnapshot, status: TestRunStatus): readonly Possible[] {
  if (status === 'canceled') return [{ event: { type: 'runCanceled' }, cost: 1 }];
  const round = roundIn(snapshot);
  const answers: Readonly<Record<string, ((round: number) => readonly unknown[]) | undefined>> = ANSWERS;
  return walk
    .effectsIn(snapshot)
    .flatMap((effect) =>
      (answers[effect]?.(round) ?? [undefined]).map((answer) => ({ event: done(effect, answer), cost: 1 })),
    );
}

/** Outcomes of repeated effects carry it. */
function roundIn(snapshot: unknown): number {
  return isTestRun(snapshot) ? snapshot.context.round : 0;
}

function isTestRun(snapshot: unknown): snapshot is SnapshotFrom<typeof testRunMachine> {
  return (
    typeof snapshot === 'object' && snapshot !== null && 'machine' in snapshot && snapshot.machine === testRunMachine
  );
}
