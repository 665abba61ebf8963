import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/config';
import { OwnershipStore } from '../ledger/ownership.store';
import { ActorHost } from './actor-host';
import { AttemptLeases } from './attempt-leases';
import { RecurringTask } from '../../platform/concurrency';
import { ScenarioRunActors } from './scenario-run-actors';

/**
 * How often the rows are asked who owns them. Often enough that the last confirmation is younger than what an attempt takes for granted
 * (attempt-leases.ts) whenever a call begins, so that calls need no query of their own.
 */
const LOOK_INTERVAL_MS = 400;

/**
 * Checks the rows of all live actors here: ends those that were canceled or superseded, with or without a
 * message about it, and confirms that this process owns the rest. It writes nothing: Heartbeat renews the leases in the rows.
 */
@Injectable()
export class OwnershipWatch {
  private readonly task: RecurringTask;

  constructor(
    private readonly host: ActorHost,
    private readonly scenarioRuns: ScenarioRunActors,
    private readonly leases: AttemptLeases,
    private readonly ownership: OwnershipStore,
    log: Log,
  ) {
    this.task = new RecurringTask('ownership watch', LOOK_INTERVAL_MS, () => this.look(), log);
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  private async look(): Promise<void> {
    // A failure of one must not prevent the other.
    const looks = await Promise.allSettled([this.cancel(), this.leases.look(this.scenarioRuns.listLeases())]);
    for (const look of looks) if (look.status === 'rejected') throw look.reason;
  }

  private async cancel(): Promise<void> {
    const canceled = await this.ownership.findCanceledRuns(this.host.listTestRunIds());
    for (const testRunId of canceled) this.host.cancel(testRunId);
  }
}
