import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { callerOf } from '../../platform/access/caller';
import { requestIdOf } from '../../platform/http/request-id';
import type { AuditDraft } from './audit.store';
import { knownNamesOf } from './known-names';
import { namedFields } from './named-fields';
import { namedIds } from './resource-ids';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Longer than any address: IPv6 with a zone. */
const LONGEST_ADDRESS = 100;
const API = '/api/v1/';

/** Whether a request asks for something that an auditor asks about. */
export function asksForChange({ method }: Request): boolean {
  return !READS.has(method);
}

/** What is recorded of a request before anything is done for it. Nothing of it but ids is a value that the client chose. */
export function askedChange(context: ExecutionContext, request: Request): AuditDraft {
  const known = knownNamesOf(context);
  return {
    ...origin(request),
    resource_ids: namedIds(request.params, request.body, known.body),
    fields: namedFields(request.body, request.query, known),
    status: null,
  };
}

/** The same of one that was refused before it reached its endpoint. */
export function refusedChange(request: Request, status: number): AuditDraft {
  return { ...origin(request), resource_ids: namedIds(request.params, null, new Set()), fields: [], status };
}

/** The path of the endpoint with its parameters in braces, as the API description has it; null when there is none. */
export function routeOf(request: Request): string | null {
  const route: unknown = request.route;
  const path: unknown = typeof route === 'object' && route !== null && 'path' in route ? route.path : null;
  return typeof path === 'string' ? path.replace(/:(\w+)/g, '{$1}') : null;
}

function origin(request: Request): Omit<AuditDraft, 'resource_ids' | 'fields' | 'status'> {
  const { name, role } = callerOf(request);
  const route = routeOf(request) ?? 'unknown';
  return {
    who: name,
    role,
    address: request.ip?.slice(0, LONGEST_ADDRESS) ?? null,
    method: request.method,
    route,
    resource: resourceOf(route),
    request_id: requestIdOf(request),
  };
}

/** `agents` of `/api/v1/agents/{id}/baseline`. Runs are started and canceled beside the resources. */
function resourceOf(route: string): string {
  if (!route.startsWith(API)) return 'tests';
  return route.slice(API.length).split('/')[0] ?? '';
}
