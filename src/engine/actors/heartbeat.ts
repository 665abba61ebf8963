import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/config';
import { HEARTBEAT_INTERVAL_MS } from '../ledger/lease';
import { OwnershipStore } from '../ledger/ownership.store';
import { ProcessId } from './process-id';
import { RecurringTask } from '../../platform/concurrency';
import { ScenarioRunActors } from './scenario-run-actors';
import { TestRunActors } from './test-run-actors';

/** Renews the leases of this process's actors in their rows. OwnershipWatch confirms that they are still this process's, and stops those that are not. */
@Injectable()
export class Heartbeat {
  private readonly task: RecurringTask;

  constructor(
    private readonly scenarioRuns: ScenarioRunActors,
    private readonly testRuns: TestRunActors,
    private readonly ownership: OwnershipStore,
    private readonly processId: ProcessId,
    log: Log,
  ) {
    this.task = new RecurringTask('heartbeat', HEARTBEAT_INTERVAL_MS, () => this.beat(), log);
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  /** Also called before looking for dead owners: this process must not take itself for one of them. */
  async beat(): Promise<void> {
    const attempts = this.scenarioRuns.listLeases().map(({ ref }) => ref);
    await this.ownership.renew(this.processId.value, attempts, this.testRuns.listIds());
  }
}
