import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { tap, type Observable } from 'rxjs';
import { askedChange, asksForChange } from './asked-change';
import { AuditTrail } from './audit-trail';
import { answeredIds } from './resource-ids';

/**
 * In front of every endpoint, so that none has to remember it: a change is recorded before its handler runs. How one ends that fails is
 * known where errors become answers: `RecordedRefusals`.
 */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(private readonly trail: AuditTrail) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!asksForChange(request)) return next.handle();
    await this.trail.begin(request, askedChange(context, request));
    const response = http.getResponse<Response>();
    return next.handle().pipe(
      tap((answer) =>
        this.trail.end(request, {
          status: response.statusCode,
          replayed: response.getHeader('Idempotency-Replayed') !== undefined,
          resource_ids: answeredIds(answer),
        }),
      ),
    );
  }
}
