import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { tap, type Observable } from 'rxjs';
import { callerOf } from '../../platform/access';
import { Recorded, WhenAway } from '../../platform/http';
import { askedChange, asksForChange, answeredIds, refusedChange, routeOf } from './asked-change';
import { AuditTrail } from './audit-trail';

/**
 * Stands in front of every endpoint, so that none has to record its changes itself: a change is recorded before its handler runs.
 * The end of one that fails is known where errors become answers: `RecordedRefusals`.
 */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly trail: AuditTrail,
    private readonly reflector: Reflector,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const recorded = this.reflector.get(Recorded, context.getHandler()) ?? 'before';
    if (!asksForChange(request)) return next.handle();
    if (recorded === 'never') {
      this.trail.leaveOut(request);
      return next.handle();
    }
    const draft = askedChange(context, request);
    const whenAway = this.reflector.get(WhenAway, context.getHandler());
    await (recorded === 'before' ? this.trail.begin(request, draft, whenAway) : this.trail.tryToBegin(request, draft));
    const response = http.getResponse<Response>();
    const end = (answer?: unknown) =>
      this.trail.end(request, {
        status: response.statusCode,
        replayed: response.getHeader('Idempotency-Replayed') !== undefined,
        resource_ids: answeredIds(answer),
      });
    // An answer of nothing at all completes without a value.
    return next.handle().pipe(tap({ next: end, complete: end }));
  }
}

const A_MINUTE_MS = 60_000;
/** Refusals recorded of one key on one process: enough to see that a client keeps trying, too few to fill a disk. */
const MOST_A_MINUTE = 60;

/** Changes that ended in an error: those that were begun are completed, those that were refused before that are recorded, within bounds. */
@Injectable()
export class RecordedRefusals {
  private minute = 0;
  private readonly counts = new Map<string, number>();

  constructor(private readonly trail: AuditTrail) {}

  /** Must be called with every error that becomes an answer. */
  record(request: Request, status: number): void {
    if (!asksForChange(request) || this.trail.end(request, { status, replayed: false, resource_ids: [] })) return;
    // A change that could not be recorded was not begun: a record that it failed would say that something may have been done.
    if (status >= 500) return;
    // The sender of a request that was refused before its key was checked is unknown; and where no endpoint is, there is nothing to change.
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
