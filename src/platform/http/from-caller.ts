import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { callerOf, type Caller } from '../access/caller';

/** A parameter of an endpoint: who sent the request. */
export const FromCaller = createParamDecorator((_: undefined, context: ExecutionContext): Caller => {
  return callerOf(context.switchToHttp().getRequest<Request>());
});
