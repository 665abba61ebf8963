import { Injectable } from '@nestjs/common';
import { Bus, type Subscription } from '../bus/bus';
import { subjects } from '../bus/subjects';
import { ActorHost } from './actor-host';

/** Delivers stored cancellations to the actors of every process. Where the bus loses one, OwnershipWatch finds it in the rows. */
@Injectable()
export class Cancellations {
  private subscription: Subscription | null = null;

  constructor(
    private readonly bus: Bus,
    private readonly host: ActorHost,
  ) {}

  start(): void {
    this.subscription = this.bus.subscribe(subjects.anyCancel, (_payload, subject) => {
      this.host.cancel(subject.slice(subject.lastIndexOf('.') + 1));
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
}
