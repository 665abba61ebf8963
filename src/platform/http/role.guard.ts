import { ForbiddenException, type CanActivate, type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { calledInSentence, callerOf, type Caller, suffices } from '../access/caller';
import type { Role } from '../../../contract/operation';

/** The role that an endpoint declares for its callers. */
export const NeedsRole = Reflector.createDecorator<Role | 'anyone'>();

/** Refuses what the caller's role may not do. It is the one place that does, before anything is checked or looked up. */
export class RoleGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    // An endpoint that declares no role is for callers who may everything.
    const needed = this.reflector.get(NeedsRole, context.getHandler()) ?? 'admin';
    if (needed === 'anyone') return true;
    const caller = callerOf(context.switchToHttp().getRequest<Request>());
    const { role, isPerson } = caller;
    if (suffices(role, needed)) return true;
    const takes = isPerson === true ? `the role ${needed}` : `a key with the role ${needed}`;
    throw new ForbiddenException(`This takes ${takes}; ${calledInSentence(caller)} has the role ${role}.`);
  }
}

/** A parameter of an endpoint: the caller that sent the request. */
export const FromCaller = createParamDecorator((_: undefined, context: ExecutionContext): Caller => {
  return callerOf(context.switchToHttp().getRequest<Request>());
});
