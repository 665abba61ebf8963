import { setTimeout as sleep } from 'node:timers/promises';
import { fromPromise } from 'xstate';
import { isFinalScenarioRun } from '../../machines/statuses';
import { testRunMachine } from '../../machines/test-run.machine';
import { BusError, type Bus } from '../bus/bus';
import { subjects } from '../bus/subjects';
import { Database } from '../persistence/database';
import type { OwnershipStore } from '../persistence/ownership.store';
import type { TestRunLedger } from '../persistence/test-run.ledger';
import { untilAvailable } from './persistent-retry';

export interface SupervisionParts {
  readonly owner: string;
  readonly ledger: TestRunLedger;
  readonly ownership: OwnershipStore;
  readonly database: Database;
  readonly bus: Bus;
  /** Tells the test-run actor of this process that a scenario run is final already. */
  readonly settle: (testRunId: string, scenarioRunId: string) => void;
}

/** Longest single wait of a scheduled run: the database's clock is asked again after it. */
const LONGEST_SLEEP_MS = 60_000;

/** One piece of work: execute this scenario run. */
export interface ScenarioRunWork {
  readonly scenario_run_id: string;
  readonly test_run_id: string;
}

/** The same claimable state of a row is handed out under the same id, so that the queue holds it once. */
export function workMessageId(scenarioRunId: string, attempt: number): string {
  return `${scenarioRunId}:${attempt}`;
}

/** The test-run statechart with its effects. */
export function testRunWithEffects(parts: SupervisionParts) {
  const { owner, ledger, ownership, database, bus } = parts;
  const untilStored = <Result>(work: () => Promise<Result>, signal: AbortSignal) =>
    untilAvailable(work, (error) => database.isUnavailable(error), signal);
  return testRunMachine.provide({
    actors: {
      waitUntilDue: fromPromise(async ({ input: { scheduledAt }, signal }) => {
        if (scheduledAt === null) return;
        for (;;) {
          const remainingMs = await untilStored(() => ownership.millisecondsUntil(scheduledAt), signal);
          if (remainingMs <= 0) return;
          await sleep(Math.min(remainingMs, LONGEST_SLEEP_MS), undefined, { signal });
        }
      }),
      recordStart: fromPromise(async ({ input: { testRunId, attempt }, signal }) =>
        untilStored(() => ledger.start({ testRunId, owner, attempt }), signal),
      ),
      handOut: fromPromise(async ({ input: { testRunId, attempt, round, scenarioRunIds }, signal }) => {
        const isFresh = attempt === 1;
        const waiting = isFresh
          ? scenarioRunIds.map((scenarioRunId) => ({ scenarioRunId, attempt: 0 }))
          : await untilStored(() => findWaiting(parts, testRunId, scenarioRunIds), signal);
        const enqueue = ({ scenarioRunId, attempt: seen }: { scenarioRunId: string; attempt: number }) =>
          untilAvailable(
            () =>
              bus.enqueue(
                subjects.scenarioRunWork,
                { scenario_run_id: scenarioRunId, test_run_id: testRunId } satisfies ScenarioRunWork,
                { messageId: workMessageId(scenarioRunId, seen) },
              ),
            (error) => error instanceof BusError && error.reason === 'unavailable',
            signal,
          );
        await Promise.all(waiting.map(enqueue));
        return { round, scenarioRunIds };
      }),
      recordFinish: fromPromise(async ({ input: { testRunId, attempt, round }, signal }) => ({
        ...(await untilStored(() => ledger.finish({ testRunId, owner, attempt }), signal)),
        round,
      })),
    },
  });
}

export type HostedTestRun = ReturnType<typeof testRunWithEffects>;

/** Of an adopted run's scenario runs, those that nobody executes; the ones that are final are told to the actor. */
async function findWaiting(
  { ownership, settle }: SupervisionParts,
  testRunId: string,
  scenarioRunIds: readonly string[],
): Promise<readonly { scenarioRunId: string; attempt: number }[]> {
  const standings = await ownership.findStanding(scenarioRunIds);
  for (const { scenarioRunId, status } of standings) {
    if (isFinalScenarioRun(status)) settle(testRunId, scenarioRunId);
  }
  return standings.filter(({ status, isUnowned }) => isUnowned && !isFinalScenarioRun(status));
}
