import { Injectable } from '@nestjs/common';
import { Log } from '../config/log';
import { HEARTBEAT_INTERVAL_MS } from '../persistence/ledger/lease';
import { OwnershipStore } from '../persistence/ownership.store';
import { ActorHost } from './actor-host';
import { ProcessId } from './process-id';
import { RecurringTask } from './recurring-task';

/** Renews the leases of this process's actors and stops those whose lease went to somebody else. */
@Injectable()
export class Heartbeat {
  private readonly task: RecurringTask;

  constructor(
    private readonly host: ActorHost,
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

  /** Also called by whoever is about to look for dead owners: this process must not take itself for one of them. */
  async beat(): Promise<void> {
    const attempts = this.host.listAttempts();
    await this.ownership.renew(
      this.processId.value,
      attempts,
      this.host.listSupervised().map(({ testRunId }) => testRunId),
    );
    for (const lost of await this.ownership.findLostAttempts(this.processId.value, attempts)) {
      this.host.loseAttempt(lost, lost.isCanceled);
    }
  }
}
