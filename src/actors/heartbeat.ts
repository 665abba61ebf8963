import { Injectable } from '@nestjs/common';
import { Log } from '../config/log';
import { HEARTBEAT_INTERVAL_MS } from '../persistence/lease';
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

  private async beat(): Promise<void> {
    const attempts = this.host.listAttempts();
    await this.ownership.renew(
      this.processId.value,
      attempts.map(({ scenarioRunId }) => scenarioRunId),
      this.host.listSupervised().map(({ testRunId }) => testRunId),
    );
    const attemptOf = new Map(attempts.map(({ scenarioRunId, attempt }) => [scenarioRunId, attempt]));
    for (const { scenarioRunId, isCanceled } of await this.ownership.findLostAttempts(this.processId.value, attempts)) {
      this.host.loseAttempt({ scenarioRunId, attempt: attemptOf.get(scenarioRunId) ?? 0 }, isCanceled);
    }
  }
}
