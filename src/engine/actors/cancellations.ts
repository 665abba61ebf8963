import { Injectable } from '@nestjs/common';
import { Bus, type Subscription, subjects } from '../bus/bus';
import { OwnershipStore } from '../ledger/ownership.store';
import { ActorHost } from './actor-host';

/**
 * Delivers stored cancellations to the actors of every process. A message on the bus is a reason to look at the rows at once and
 * no more: a program that can write to the bus cancels nothing with it. Where the bus loses a message, OwnershipWatch finds the
 * cancellation in the rows.
 */
@Injectable()
export class Cancellations {
  private subscription: Subscription | null = null;
  /** Runs of this process that are said to be canceled and have not been looked up since. */
  private readonly said = new Set<string>();
  private isLooking = false;

  constructor(
    private readonly bus: Bus,
    private readonly host: ActorHost,
    private readonly ownership: OwnershipStore,
  ) {}

  start(): void {
    this.subscription = this.bus.subscribe(subjects.anyCancel, (_payload, subject) => {
      this.hear(subject.slice(subject.lastIndexOf('.') + 1));
    });
  }

  stop(): void {
    this.subscription?.unsubscribe();
  }

  /**
   * Informs every process that the run's cancellation is stored. The one shortcut past the bus: this process's actors stop
   * before cancel-run is answered, even while the bus is down (invariant 6: their sockets are closed within 250 ms of the answer).
   */
  announce(testRunId: string): void {
    this.host.cancel(testRunId);
    this.bus.publish(subjects.cancelTestRun(testRunId), {});
  }

  private hear(testRunId: string): void {
    if (this.said.has(testRunId) || !this.host.listTestRunIds().includes(testRunId)) return;
    this.said.add(testRunId);
    if (!this.isLooking) void this.look();
  }

  /** One look at a time, however many messages come: it covers all that were said until it begins. */
  private async look(): Promise<void> {
    this.isLooking = true;
    try {
      while (this.said.size > 0) {
        const said = [...this.said];
        this.said.clear();
        for (const testRunId of await this.ownership.findCanceledRuns(said)) this.host.cancel(testRunId);
      }
    } catch {
      // The database is away: OwnershipWatch looks again when it is back, and reports the outage until then.
      this.said.clear();
    } finally {
      this.isLooking = false;
    }
  }
}
