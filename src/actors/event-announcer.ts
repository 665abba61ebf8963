import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import type { EventNotice, RunEvent } from '../../machines/run-events';
import { Bus } from '../bus/bus';
import { subjects } from '../bus/subjects';
import { CommittedEvents } from '../persistence/committed-events';

/** Larger messages than this only point to the stored event: NATS refuses messages over 1 MiB by default. */
const LARGEST_MESSAGE_CHARS = 128 * 1024;

/** Tells committed events to all processes. What is lost on the way is read from the log by whoever sees the gap. */
@Injectable()
export class EventAnnouncer implements OnModuleInit, OnApplicationShutdown {
  private subscription: Subscription | null = null;

  constructor(
    private readonly committed: CommittedEvents,
    private readonly bus: Bus,
  ) {}

  onModuleInit(): void {
    this.subscription = this.committed.stream.subscribe((event) =>
      this.bus.publish(subjects.testRunEvent(event.run_id), noticeOf(event)),
    );
  }

  /** Not before the actors have stopped: what they commit last is told too. */
  onApplicationShutdown(): void {
    this.subscription?.unsubscribe();
  }
}

function noticeOf(event: RunEvent): EventNotice {
  if (event.type !== 'transcript_update') return event;
  const chars = event.patient_message.length + event.agent_message.length;
  return chars <= LARGEST_MESSAGE_CHARS ? event : { run_id: event.run_id, seq: event.seq, type: 'stored' };
}
