import { setTimeout as sleep } from 'node:timers/promises';
import { fromPromise } from 'xstate';
import { isFinalScenarioRun } from '../../machines/statuses';
import { testRunMachine } from '../../machines/test-run.machine';
import { BusError, type Bus } from '../bus/bus';
import { subjects } from '../bus/subjects';
import type { Log } from '../config/log';
import { Database } from '../persistence/database';
import type { OwnershipStore } from '../persistence/ownership.store';
import type { TestRunLedger } from '../persistence/ledger/test-run.ledger';
import { untilAvailable } from './persistent-retry';

export interface SupervisionParts {
  readonly owner: string;
  readonly ledger: TestRunLedger;
  readonly ownership: OwnershipStore;
  readonly database: Database;
  readonly bus: Bus;
  /** Tells the test-run actor of this process that a scenario run is final already. */
  readonly settle: (testRunId: string, scenarioRunId: string) => void;
  readonly log: Log;
}

/** Longest single wait of a scheduled run: the database's clock is asked again after it. */
const LONGEST_SLEEP_MS = 60_000;

/** One piece of work: execute this scenario run. */
export interface ScenarioRunWork {
  readonly scenario_run_id: string;
  readonly test_run_id: string;
}

interface Ids {
  readonly testRunId: string;
  readonly attempt: number;
}

/** A scenario run that nobody executes. */
interface Unowned {
  readonly scenarioRunId: string;
  /** The last one; 0 before the first. */
  readonly attempt: number;
}

/** The same claimable state of a row is handed out under the same id, so that the queue holds it once. */
export function workMessageId(scenarioRunId: string, attempt: number): string {
  return `${scenarioRunId}:${attempt}`;
}

/** The test-run statechart with its effects. */
export function testRunWithEffects(parts: SupervisionParts) {
  const { owner, ledger, ownership, database, bus, log } = parts;
  const untilStored = <Result>(work: () => Promise<Result>, signal: AbortSignal) =>
    untilAvailable(work, (error) => database.isUnavailable(error), signal);
  const enqueue = (testRunId: string, { scenarioRunId, attempt }: Unowned, signal: AbortSignal) =>
    untilAvailable(
      () =>
        bus.enqueue(
          subjects.scenarioRunWork,
          { scenario_run_id: scenarioRunId, test_run_id: testRunId } satisfies ScenarioRunWork,
          { messageId: workMessageId(scenarioRunId, attempt) },
        ),
      (error) => error instanceof BusError && error.reason === 'unavailable',
      signal,
    );
  /** The chart only knows that the run waits for another try: the reason is for the operator. */
  const logged = async <Result>(effect: string, ids: Ids, signal: AbortSignal, work: () => Promise<Result>) => {
    try {
      return await work();
    } catch (error) {
      const { testRunId, attempt } = ids;
      if (!signal.aborted) log.error('An effect of a test run failed', { error, effect, testRunId, attempt });
      throw error;
    }
  };
  return testRunMachine.provide({
    actors: {
      waitUntilDue: fromPromise(async ({ input, signal }) =>
        logged('waitUntilDue', input, signal, async () => {
          const { scheduledAt } = input;
          if (scheduledAt === null) return;
          for (;;) {
            const remainingMs = await untilStored(() => ownership.millisecondsUntil(scheduledAt), signal);
            if (remainingMs <= 0) return;
            await sleep(Math.min(remainingMs, LONGEST_SLEEP_MS), undefined, { signal });
          }
        }),
      ),
      recordStart: fromPromise(async ({ input, signal }) =>
        logged('recordStart', input, signal, () => {
          const { testRunId, attempt } = input;
          return untilStored(() => ledger.start({ testRunId, owner, attempt }), signal);
        }),
      ),
      handOut: fromPromise(async ({ input, signal }) =>
        logged('handOut', input, signal, async () => {
          const { testRunId, attempt, round, scenarioRunIds } = input;
          const waiting =
            attempt === 1
              ? scenarioRunIds.map((scenarioRunId) => ({ scenarioRunId, attempt: 0 }))
              : await untilStored(() => findWaiting(parts, testRunId, scenarioRunIds), signal);
          await Promise.all(waiting.map((one) => enqueue(testRunId, one, signal)));
          return { round, scenarioRunIds };
        }),
      ),
      recordFinish: fromPromise(async ({ input, signal }) =>
        logged('recordFinish', input, signal, async () => {
          const { testRunId, attempt, round } = input;
          return { ...(await untilStored(() => ledger.finish({ testRunId, owner, attempt }), signal)), round };
        }),
      ),
    },
  });
}

export type HostedTestRun = ReturnType<typeof testRunWithEffects>;

/** Of an adopted run's scenario runs, those that nobody executes; the ones that are final are told to the actor. */
async function findWaiting(
  { ownership, settle }: SupervisionParts,
  testRunId: string,
  scenarioRunIds: readonly string[],
): Promise<readonly Unowned[]> {
  const standings = await ownership.findStanding(scenarioRunIds);
  for (const { scenarioRunId, status } of standings) {
    if (isFinalScenarioRun(status)) settle(testRunId, scenarioRunId);
  }
  return standings.filter(({ status, isUnowned }) => isUnowned && !isFinalScenarioRun(status));
}
