import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { fromPromise } from 'xstate';
import { isFinalScenarioRun } from '../../domain';
import { testRunMachine, type Dispatched } from '../../../machines';
import { Bus, BusError } from '../bus/bus';
import { Log } from '../../platform/config';
import { Database } from '../../platform/database';
import { OwnershipStore } from '../ledger/ownership.store';
import { TestRunLedger } from '../ledger/test-run.ledger';
import { untilAvailable } from './persistent-retry';
import { ProcessId } from './process-id';
import { enqueueWork, type Unowned } from './scenario-run-work';
import { Settlements } from './settlements';

/** Longest single wait of a scheduled run: the database's clock is asked again after it. */
const LONGEST_SLEEP_MS = 60_000;

/** As many as hide a server's round trip. */
const MOST_ENQUEUED_AT_ONCE = 64;

interface Ids {
  readonly testRunId: string;
  readonly attempt: number;
}

export type HostedTestRun = typeof testRunMachine;

/** What the supervision of a test run does outside of its chart. */
@Injectable()
export class TestRunEffects {
  /** The statechart with these effects. */
  readonly chart: HostedTestRun = testRunMachine.provide({
    actors: {
      waitUntilDue: fromPromise(async ({ input, signal }) =>
        this.logged('waitUntilDue', input, signal, () => this.waitUntilDue(input.scheduledAt, signal)),
      ),
      recordStart: fromPromise(async ({ input, signal }) =>
        this.logged('recordStart', input, signal, () =>
          this.untilStored(() => this.ledger.start(this.fenced(input)), signal),
        ),
      ),
      dispatch: fromPromise(async ({ input, signal }) =>
        this.logged('dispatch', input, signal, () => this.dispatch(input, signal)),
      ),
      recordFinish: fromPromise(async ({ input, signal }) =>
        this.logged('recordFinish', input, signal, async () => {
          const finished = await this.untilStored(() => this.ledger.finish(this.fenced(input)), signal);
          return { ...finished, round: input.round };
        }),
      ),
    },
  });

  constructor(
    private readonly processId: ProcessId,
    private readonly ledger: TestRunLedger,
    private readonly ownership: OwnershipStore,
    private readonly database: Database,
    private readonly settlements: Settlements,
    private readonly bus: Bus,
    private readonly log: Log,
  ) {}

  private async waitUntilDue(scheduledAt: string | null, signal: AbortSignal): Promise<void> {
    if (scheduledAt === null) return;
    for (;;) {
      const remainingMs = await this.untilStored(() => this.ownership.millisecondsUntil(scheduledAt), signal);
      if (remainingMs <= 0) return;
      await sleep(Math.min(remainingMs, LONGEST_SLEEP_MS), undefined, { signal });
    }
  }

  private async dispatch(
    { testRunId, attempt, round, scenarioRunIds }: Ids & Dispatched,
    signal: AbortSignal,
  ): Promise<Dispatched> {
    const waiting =
      attempt === 1
        ? scenarioRunIds.map((scenarioRunId) => ({ scenarioRunId, testRunId, attempt: 0 }))
        : await this.untilStored(() => this.findWaiting(scenarioRunIds), signal);
    await this.enqueueAll(waiting, signal);
    return { round, scenarioRunIds };
  }

  /** Enqueues them in their order, a bounded number at a time: a queue is not asked to confirm thousands of messages at once. */
  private async enqueueAll(waiting: readonly Unowned[], signal: AbortSignal): Promise<void> {
    const isAway = (error: unknown) => error instanceof BusError && error.reason === 'unavailable';
    const left = waiting.values();
    let hasFailed = false;
    const inTurn = async (): Promise<void> => {
      for (const one of left) {
        if (hasFailed) return;
        await untilAvailable(() => enqueueWork(this.bus, one), isAway, signal);
      }
    };
    await Promise.all(
      Array.from({ length: MOST_ENQUEUED_AT_ONCE }, () =>
        inTurn().catch((error: unknown) => {
          hasFailed = true;
          throw error;
        }),
      ),
    );
  }

  /** The scenario runs of an adopted run that no process executes; those that are final are announced. */
  private async findWaiting(scenarioRunIds: readonly string[]): Promise<readonly Unowned[]> {
    const standings = await this.ownership.findStanding(scenarioRunIds);
    for (const { testRunId, scenarioRunId, status } of standings) {
      if (isFinalScenarioRun(status)) this.settlements.announce(testRunId, scenarioRunId);
    }
    return standings.filter(({ status, isUnowned }) => isUnowned && !isFinalScenarioRun(status));
  }

  private fenced({ testRunId, attempt }: Ids) {
    return { testRunId, attempt, owner: this.processId.value };
  }

  private untilStored<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    return untilAvailable(work, (error) => this.database.isUnavailable(error), signal);
  }

  /** The chart only knows that the run waits for another try: the reason is for the operator. */
  private async logged<Result>(
    effect: string,
    { testRunId, attempt }: Ids,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!signal.aborted) this.log.error('An effect of a test run failed', { error, effect, testRunId, attempt });
      throw error;
    }
  }
}
