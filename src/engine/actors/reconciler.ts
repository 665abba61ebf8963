import { Injectable } from '@nestjs/common';
import { isFinalScenarioRun } from '../../domain';
import { ModelSpend } from '../../examiners/model';
import { RecurringTask } from '../../platform/concurrency';
import { Log, Settings } from '../../platform/config';
import { Bus } from '../bus/bus';
import { FailedSupervisions } from '../ledger/failed-supervisions';
import { OwnershipStore, type Standing } from '../ledger/ownership.store';
import type { SupervisionClaim } from '../ledger/supervision';
import { TestRunLedger } from '../ledger/test-run.ledger';
import { Heartbeat } from './heartbeat';
import { ProcessId } from './process-id';
import { enqueueWork } from './scenario-run-work';
import { TestRunActors } from './test-run-actors';

/** Rounds between dispatching again what was dispatched but never claimed: usually it only waits for a free slot. */
const ROUNDS_BETWEEN_REOFFERS = 5;

/**
 * Dispatches again what no process executes: its message or its owner was lost. At most as much per round as one process can
 * execute, whatever the runs' limits allow: what waits behind that finds no slot before the next rounds anyway, and a queue that
 * already holds it gains nothing from a second copy. The runs take turns.
 */
@Injectable()
export class WorkOffers {
  private round = 0;

  constructor(
    private readonly bus: Bus,
    private readonly settings: Settings,
  ) {}

  /** @param unowned of each supervised run, in the order in which they were dispatched. @throws BusError */
  async offer(unowned: readonly (readonly Standing[])[]): Promise<void> {
    this.round += 1;
    const isForAll = this.round % ROUNDS_BETWEEN_REOFFERS === 0;
    const begun = unowned.map((ofRun) => ofRun.filter(({ attempt }) => attempt > 0));
    const fresh = unowned.map((ofRun) => (isForAll ? ofRun.filter(({ attempt }) => attempt === 0) : []));
    const due = [...inTurns(begun), ...inTurns(fresh)].slice(0, this.settings.maxActiveScenarios);
    for (const standing of due) await enqueueWork(this.bus, standing);
  }
}

/** The first of each list, then the second of each, and so on. */
function inTurns<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list.slice(place, place + 1))).flat();
}

const ROUND_INTERVAL_MS = 3_000;
/** Runs adopted in one round: the rest are left to other processes. */
const ADOPTIONS_PER_ROUND = 20;

/**
 * Makes the rows and the actors agree: runs without a live supervisor are adopted, and what a supervised run has dispatched
 * is settled or dispatched again when its message, its owner or the report of its end was lost (invariant 1).
 */
@Injectable()
export class Reconciler {
  private readonly task: RecurringTask;
  private isThrough = false;

  constructor(
    private readonly testRuns: TestRunActors,
    private readonly ledger: TestRunLedger,
    private readonly ownership: OwnershipStore,
    private readonly heartbeat: Heartbeat,
    private readonly spend: ModelSpend,
    private readonly failures: FailedSupervisions,
    private readonly offers: WorkOffers,
    private readonly processId: ProcessId,
    private readonly log: Log,
  ) {
    this.task = new RecurringTask('reconciler', ROUND_INTERVAL_MS, () => this.reconcile(), log);
  }

  /** Whether the runs without a supervisor have been looked for at least once. */
  get hasAdopted(): boolean {
    return this.isThrough;
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  private async reconcile(): Promise<void> {
    // After a pause of this process its leases may look lost: it renews them before it looks for dead owners.
    await this.heartbeat.beat();
    await this.giveUpFailing();
    for (const claim of await this.ledger.adopt(this.processId.value, ADOPTIONS_PER_ROUND)) await this.supervise(claim);
    this.isThrough = true;
    const unowned: (readonly Standing[])[] = [];
    for (const { testRunId, dispatched } of this.testRuns.listSupervised()) {
      unowned.push(await this.settleFinal(testRunId, dispatched));
    }
    // Last, since it needs more than the database: with the bus down, everything before it is still done.
    // While nothing may begin, dispatching would only add to what already waits in the queue.
    if (unowned.every(({ length }) => length === 0) || (await this.spend.reached()) !== null) return;
    await this.offers.offer(unowned);
  }

  /** A run that cannot be continued ends as its own error; if even that is impossible, it waits for the next round. */
  private async giveUpFailing(): Promise<void> {
    for (const testRunId of await this.failures.find()) {
      try {
        if (await this.failures.end(testRunId))
          this.log.error('A test run failed too often and was given up', { testRunId });
      } catch (error) {
        this.log.error('A test run that fails again and again could not be ended', { error, testRunId });
      }
    }
  }

  private async supervise(claim: SupervisionClaim): Promise<void> {
    try {
      this.testRuns.supervise(claim);
    } catch (error) {
      const { testRunId, attempt } = claim;
      this.log.error('The supervision of a test run could not begin', { error, testRunId, attempt });
      await this.failures.note({ testRunId, owner: this.processId.value, attempt });
    }
  }

  /** Settles what is final and returns what no process executes, in the order of the run. */
  private async settleFinal(testRunId: string, dispatched: readonly string[]): Promise<readonly Standing[]> {
    const standings = new Map((await this.ownership.findStanding(dispatched)).map((one) => [one.scenarioRunId, one]));
    return dispatched.flatMap((id) => {
      const standing = standings.get(id);
      if (standing === undefined) return [];
      const isFinal = isFinalScenarioRun(standing.status);
      if (isFinal) this.testRuns.settle(testRunId, id);
      return isFinal || !standing.isUnowned ? [] : [standing];
    });
  }
}
