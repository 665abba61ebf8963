import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { tap, type Observable } from 'rxjs';
import { Recorded, WhenAway } from '../../platform/http/recording';
import { askedChange, asksForChange } from './asked-change';
import { AuditTrail } from './audit-trail';
import { answeredIds } from './resource-ids';

/**
 * In front of every endpoint, so that none has to remember it: a change is recorded before its handler runs. How one ends that fails is
 * known where errors become answers: `RecordedRefusals`.
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
