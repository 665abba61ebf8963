import { Injectable } from '@nestjs/common';
import { Bus, type Subscription } from '../bus/bus';
import { subjects } from '../bus/subjects';
import { Log } from '../config/log';
import { OwnershipStore } from '../persistence/ownership.store';
import { ActorHost } from './actor-host';
import { RecurringTask } from './recurring-task';

/** A cancellation reaches every process by the bus at once; where the bus loses it, the rows tell within this time. */
const LOOK_INTERVAL_MS = 500;

/** Hears of stored cancellations and stops the actors of the run. */
@Injectable()
export class Cancellations {
  private subscription: Subscription | null = null;
  private readonly look: RecurringTask;

  constructor(
    private readonly bus: Bus,
    private readonly host: ActorHost,
    private readonly ownership: OwnershipStore,
    log: Log,
  ) {
    this.look = new RecurringTask('cancellations', LOOK_INTERVAL_MS, () => this.lookForCanceledRuns(), log);
  }

  start(): void {
    this.subscription = this.bus.subscribe(subjects.anyCancel, (_payload, subject) => {
      this.host.cancel(subject.slice(subject.lastIndexOf('.') + 1));
    });
    this.look.start();
  }

  async stop(): Promise<void> {
    this.subscription?.unsubscribe();
    await this.look.stop();
  }

  /** Tells every process, this one first, that the run's cancellation is stored. */
  announce(testRunId: string): void {
    this.host.cancel(testRunId);
    this.bus.publish(subjects.cancelTestRun(testRunId), {});
  }

  private async lookForCanceledRuns(): Promise<void> {
    for (const testRunId of await this.ownership.findCanceledRuns(this.host.listTestRunIds())) {
      this.host.cancel(testRunId);
    }
  }
}
