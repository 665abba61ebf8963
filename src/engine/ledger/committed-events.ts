import { Injectable } from '@nestjs/common';
import { Observable, Subject } from 'rxjs';
import type { RunEvent } from '../../domain/run-events';

/** Run events of this process, heard after their transaction has committed and never before (invariant 2). */
@Injectable()
export class CommittedEvents {
  private readonly events = new Subject<RunEvent>();

  readonly stream: Observable<RunEvent> = this.events.asObservable();

  publish(events: readonly RunEvent[]): void {
    for (const event of events) this.events.next(event);
  }
}
