import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import type { EventNotice, RunEvent } from '../../machines/run-events';
import { Bus, BusError } from '../bus/bus';
import { subjects } from '../bus/subjects';
import { Log } from '../config/log';
import { CommittedEvents } from '../persistence/ledger/committed-events';

/** Events with more text than this are only pointed to; as JSON it stays below what any bus carries by default, 1 MiB. */
const LONGEST_TEXT = 128 * 1024;

/**
 * Tells committed events to all processes. What is lost on the way is read from the log by whoever sees the gap, so nothing
 * that goes wrong here is anybody's failure: the event is stored.
 */
@Injectable()
export class EventAnnouncer implements OnModuleInit, OnApplicationShutdown {
  private subscription: Subscription | null = null;

  constructor(
    private readonly committed: CommittedEvents,
    private readonly bus: Bus,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.subscription = this.committed.stream.subscribe((event) => this.announce(event));
  }

  /** Not before the actors have stopped: what they commit last is told too. */
  onApplicationShutdown(): void {
    this.subscription?.unsubscribe();
  }

  private announce(event: RunEvent): void {
    try {
      this.publish(textIn(event) > LONGEST_TEXT ? pointerTo(event) : event);
    } catch (error) {
      this.log.error('An event could not be told; it is read from the log', {
        error,
        testRunId: event.run_id,
        seq: event.seq,
      });
    }
  }

  private publish(notice: EventNotice): void {
    const subject = subjects.testRunEvent(notice.run_id);
    try {
      this.bus.publish(subject, notice);
    } catch (error) {
      // The bus knows best what it carries.
      if (!(error instanceof BusError) || error.reason !== 'payload_too_large') throw error;
      this.bus.publish(subject, pointerTo(notice));
    }
  }
}

function pointerTo({ run_id, seq }: EventNotice): EventNotice {
  return { run_id, seq, type: 'stored' };
}

/** Characters of all its texts; what else an event holds is small. */
function textIn(event: RunEvent): number {
  return Object.values(event).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
}
