import { applyDecorators, Delete, Get, HttpCode, Patch, Post, Put, type HttpException } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Method, Operation, Recording, Success } from '../../../contract/operation';
import { refusal } from '../../../contract/refusal';
import { IDEMPOTENCY_KEY } from './common-answers';
import { NeedsRole } from './role.guard';

/**
 * Has a controller's method answer an operation of the contract: its route, its role, the status of its first 2xx answer and its
 * description. The method's parameters name the operation's schemas, which check what comes with a request.
 *
 *     @Serves(createAgent)
 *     create(@Body({ schema: createAgent.body }) request: BodyOf<typeof createAgent>): Promise<AnswerOf<typeof createAgent>>
 *
 * @param whenAway what it answers when the database is out of reach, where that is not 503
 */
export function Serves(operation: Operation, whenAway?: OutageAnswer): MethodDecorator {
  const { id, method, path, tag, role, recorded = 'before', summary, description, answers } = operation;
  const decorators: MethodDecorator[] = [
    ROUTES[method](path.replaceAll(/\{(\w+)\}/g, ':$1')),
    ApiTags(tag),
    ApiOperation({ operationId: id, summary, ...(description && { description }) }),
    NeedsRole(role),
    Recorded(recorded),
    ...(whenAway === undefined ? [] : [WhenAway(whenAway)]),
    ...(operation.isKeyed ? [takesIdempotencyKey] : []),
    ...(operation.takesIfMatch ? [takesIfMatch] : []),
    ApiExtension('x-role', role),
  ];
  if (role !== 'anyone' && role !== 'viewer') decorators.push(refused(403, REFUSED[role]));
  for (const [key, answer] of Object.entries(answers)) {
    const status = Number(key);
    decorators.push(
      typeof answer === 'string' ? refused(status, answer) : ApiResponse({ status, ...answerOf(answer) }),
    );
  }
  const successStatus = Object.keys(answers)
    .map(Number)
    .find((status) => status < 300);
  if (successStatus !== undefined) decorators.push(HttpCode(successStatus));
  return applyDecorators(...decorators);
}

const ROUTES: Readonly<Record<Method, (path: string) => MethodDecorator>> = {
  GET: Get,
  POST: Post,
  PUT: Put,
  PATCH: Patch,
  DELETE: Delete,
};

const REFUSED = {
  reviewer: 'The caller has the role viewer; this takes reviewer, runner or admin.',
  runner: 'The caller has the role viewer or reviewer; this takes runner or admin.',
  admin: 'The caller has the role viewer, reviewer or runner; this takes admin.',
} as const;

const takesIdempotencyKey = ApiHeader({
  name: IDEMPOTENCY_KEY,
  required: false,
  description:
    'Any text of your own, such as a new UUID. For 24 hours the same request with the same key creates nothing new and gets ' +
    'the same answer, with Idempotency-Replayed: true. Requests that are refused or fail do not use the key up.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '5f0a1c1e-5d3b-4b1e-9f57-2f6c1d7e8a90',
});

const takesIfMatch = ApiHeader({
  name: 'If-Match',
  required: false,
  // Entity tags, or a star.
  schema: { type: 'string', pattern: '"[^"]*"|^ *[*] *$' },
  description: 'The ETag of the state that is to be changed; without it the change is made whatever the state is.',
});

function refused(status: number, description: string): MethodDecorator {
  return ApiResponse({ status, description, standardSchema: refusal });
}

function answerOf({ description, schema, produces = [], headers }: Success) {
  const answer = { description, ...(headers && { headers: { ...headers } }) };
  const types = typeof produces === 'string' ? [produces] : produces;
  const content: Record<string, { schema: BodySchema }> = {};
  for (const type of types) content[type] = { schema: schemaOf(type) };
  if (schema !== undefined) {
    return { ...answer, standardSchema: schema, ...(types.length > 0 && { [OTHER_FORMS]: content }) };
  }
  return types.length === 0 ? answer : { ...answer, content };
}

/** Where an answer that is JSON of a schema says what else it may be; Nest would drop it from `content`. */
export const OTHER_FORMS = 'x-other-forms';

interface BodySchema {
  readonly type?: 'string';
  readonly format?: 'binary';
}

/** JSON of no schema may be anything, pictures and sound are bytes, the rest is text. */
function schemaOf(mediaType: string): BodySchema {
  if (mediaType === 'application/json') return {};
  return /^(?:image|audio)\//.test(mediaType) ? { type: 'string', format: 'binary' } : { type: 'string' };
}

/** How an operation appears in the audit trail. */
export const Recorded = Reflector.createDecorator<Recording>();

/** What an operation answers instead of 503 when the database is out of reach before anything was done. */
export type OutageAnswer = () => HttpException;

export const WhenAway = Reflector.createDecorator<OutageAnswer>();
