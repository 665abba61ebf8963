import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import type { Request } from 'express';
import { z } from 'zod';
import { CONFIG_FIELDS } from '../../agents';
import { callerOf } from '../../platform/access';
import { isUuid } from '../../platform/database';
import { requestIdOf } from '../../platform/http';
import type { AuditDraft } from './audit.store';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Longer than any address: IPv6 with a zone. */
const LONGEST_ADDRESS = 100;
const API = '/api/v1/';

/** Whether a request asks for a change, which the audit trail records. */
export function asksForChange({ method }: Request): boolean {
  return !READS.has(method);
}

/** The record of a request, made before anything is done for it. Ids are the only values in it that the client chose. */
export function askedChange(context: ExecutionContext, request: Request): AuditDraft {
  const known = knownNamesOf(context);
  return {
    ...origin(request),
    resource_ids: namedIds(request.params, request.body, known.body),
    fields: namedFields(request.body, request.query, known),
    status: null,
  };
}

/** The record of a request that was refused before it reached its endpoint. */
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

/** The names that an endpoint gives to what it is sent. */
interface KnownNames {
  readonly body: ReadonlySet<string>;
  readonly query: ReadonlySet<string>;
}

const parameters = z.record(z.string(), z.looseObject({ schema: z.unknown().optional() }));
const known = new WeakMap<object, KnownNames>();

/** Reads them from the schemas that the endpoint's parameters are declared with (`@Body({ schema })`, `@Query({ schema })`). */
function knownNamesOf(context: ExecutionContext): KnownNames {
  const handler = context.getHandler();
  const before = known.get(handler);
  if (before !== undefined) return before;
  const declared = parameters.safeParse(
    Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) ?? {},
  );
  const names = (kind: RouteParamtypes) =>
    new Set(
      Object.entries(declared.data ?? {}).flatMap(([place, { schema }]) =>
        place.startsWith(`${kind}:`) && schema instanceof z.ZodType ? namesIn(schema) : [],
      ),
    );
  const found = { body: names(RouteParamtypes.BODY), query: names(RouteParamtypes.QUERY) };
  known.set(handler, found);
  return found;
}

/** The fields of an object; for alternatives, those of each. */
function namesIn(schema: z.ZodType): readonly string[] {
  const { $defs = {}, ...whole } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const names = new Set<string>();
  const waiting: unknown[] = [whole];
  const seen = new Set<unknown>();
  for (const part of waiting) {
    if (typeof part !== 'object' || part === null || seen.has(part)) continue;
    seen.add(part);
    const { properties, anyOf, oneOf, allOf, $ref } = part as z.core.JSONSchema.BaseSchema;
    for (const name of Object.keys(properties ?? {})) names.add(name);
    for (const parts of [anyOf, oneOf, allOf]) waiting.push(...(parts ?? []));
    if ($ref !== undefined) waiting.push($defs[$ref.replace('#/$defs/', '')]);
  }
  return [...names];
}

/**
 * Stands for the keys of an agent's config that no provider knows. They are stored, so they are a change, but their names may be
 * anything.
 */
const OTHER_KEYS = 'config.*';

/**
 * The names of what a request changes: fields of its body, keys of an agent's config as `config.api_key`, parameters of its query
 * as `?purge`. Only names that this service has given are recorded: a client may paste a secret where a name belongs. Each is
 * recorded once, so their number is bounded by what the service knows and none is cut off: whatever else a request sends, every
 * field that it changes is named.
 */
function namedFields(body: unknown, query: unknown, known: KnownNames): readonly string[] {
  const fields = keysOf(body).filter((name) => known.body.has(name));
  const keys = fields.includes('config') ? configKeys(Reflect.get(Object(body), 'config')) : [];
  const parameters = keysOf(query).filter((name) => known.query.has(name));
  return [...fields, ...keys, ...parameters.map((name) => `?${name}`)];
}

/** In snake_case, however they were sent: a config takes both. */
function configKeys(config: unknown): readonly string[] {
  const names = keysOf(config).map(snakeCase);
  return [...new Set(names.map((name) => (CONFIG_FIELDS.has(name) ? `config.${name}` : OTHER_KEYS)))];
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function keysOf(given: unknown): readonly string[] {
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? Object.keys(given) : [];
}

const RUN_LABEL = /^run_\d{14}_[0-9a-f]{8}$/;
const MOST_IDS = 100;
/** The fields in which an answer names what it is about: scenarios have one of their own. */
const OWN_ID = ['id', 'scenario_id'] as const;
/** The fields in which a body names a run: of several, the first that is given counts, as it does for the endpoint. */
const RUN_IN_BODY = ['test_run_id', 'run_id', 'id'] as const;

/** The id of a resource: a UUID, or the label of a run. Any other value in its place may be anything, a secret too. */
function resourceIdOf(given: unknown): string | null {
  if (typeof given !== 'string') return null;
  return isUuid(given) ? given.toLowerCase() : RUN_LABEL.test(given) ? given : null;
}

/** The resources that a request names: in its path, and the run in its body. */
function namedIds(params: Readonly<Record<string, unknown>>, body: unknown, bodyNames: ReadonlySet<string>) {
  return distinct([...Object.values(params), runInBody(body, bodyNames)]);
}

function runInBody(body: unknown, bodyNames: ReadonlySet<string>): unknown {
  const given = RUN_IN_BODY.filter((name) => bodyNames.has(name)).map((name) => fieldOf(body, name));
  return given.find((id) => id !== undefined && id !== null);
}

/** The resources that an answer is about: its own id, with those of its runs if it is a set of them, or those of the items that it lists. */
export function answeredIds(answer: unknown): readonly string[] {
  const own = ownId(answer);
  if (own !== null) {
    const runs = fieldOf(answer, 'runs');
    return distinct([own, ...(Array.isArray(runs) ? runs.slice(0, MOST_IDS).map(ownId) : [])]);
  }
  if (typeof answer !== 'object' || answer === null) return [];
  const listed = Array.isArray(answer) ? [answer] : Object.values(answer).filter(Array.isArray);
  return distinct(listed.flatMap((list) => list.slice(0, MOST_IDS).map(ownId)));
}

function ownId(item: unknown): string | null {
  for (const name of OWN_ID) {
    const id = resourceIdOf(fieldOf(item, name));
    if (id !== null) return id;
  }
  return null;
}

function fieldOf(item: unknown, name: string): unknown {
  return typeof item === 'object' && item !== null && Object.hasOwn(item, name) ? Reflect.get(item, name) : undefined;
}

function distinct(given: readonly unknown[]): readonly string[] {
  return [...new Set(given.map(resourceIdOf).filter((id) => id !== null))].slice(0, MOST_IDS);
}
