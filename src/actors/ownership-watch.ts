import { Injectable } from '@nestjs/common';
import { Log } from '../config/log';
import { OwnershipStore } from '../persistence/ownership.store';
import { ActorHost } from './actor-host';
import { AttemptLeases } from './attempt-leases';
import { RecurringTask } from './recurring-task';
import { ScenarioRunActors } from './scenario-run-actors';

/**
 * So often the rows are asked who owns them. Often enough that a lease is younger than what an attempt takes for granted
 * (attempt-leases.ts) whenever a call begins, so that calls have nobody to ask.
 */
const LOOK_INTERVAL_MS = 400;

/**
 * Asks the rows about everything that lives here: ends what was canceled or went to another process, with or without a
 * message of it, and renews the leases of the rest.
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
    // One that fails must not keep the other from what it is for.
    const looks = await Promise.allSettled([this.cancel(), this.leases.look(this.scenarioRuns.listLeases())]);
    for (const look of looks) if (look.status === 'rejected') throw look.reason;
  }

  private async cancel(): Promise<void> {
    const canceled = await this.ownership.findCanceledRuns(this.host.listTestRunIds());
    for (const testRunId of canceled) this.host.cancel(testRunId);
  }
}
