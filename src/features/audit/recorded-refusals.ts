import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { callerOf } from '../../platform/access/caller';
import { asksForChange, refusedChange, routeOf } from './asked-change';
import { AuditTrail } from './audit-trail';

const A_MINUTE_MS = 60_000;
/** Of one key on one process: enough to see that somebody tries, too few to fill a disk. */
const MOST_A_MINUTE = 60;

/** Changes that ended in an error: those that were begun are completed, those that were refused before that are recorded, within bounds. */
@Injectable()
export class RecordedRefusals {
  private minute = 0;
  private readonly counts = new Map<string, number>();

  constructor(private readonly trail: AuditTrail) {}

  /** To be called with every error that becomes an answer. */
  record(request: Request, status: number): void {
    if (!asksForChange(request) || this.trail.end(request, { status, replayed: false, resource_ids: [] })) return;
    // What could not be recorded was not begun: a record that it failed would say that something may have been done.
    if (status >= 500) return;
    // Nobody knows who sent what was refused before its key was checked; and where no endpoint is, there is nothing to change.
    if (routeOf(request) === null || !this.hasRoom(callerOf(request).name)) return;
    this.trail.refused(refusedChange(request, status));
  }

  private hasRoom(who: string): boolean {
    const minute = Math.floor(Date.now() / A_MINUTE_MS);
    if (minute !== this.minute) this.counts.clear();
    this.minute = minute;
    const count = (this.counts.get(who) ?? 0) + 1;
    this.counts.set(who, count);
    return count <= MOST_A_MINUTE;
  }
}
