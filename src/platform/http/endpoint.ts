import { applyDecorators, HttpCode, type HttpException } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { z } from 'zod';
import type { Role } from '../access/caller';
import { NeedsRole } from './role.guard';

/** A successful answer. */
export interface Success {
  readonly description: string;
  /** Schema of the body; left out when there is none, or when it is not JSON. */
  readonly schema?: z.ZodType;
  /** Media types of a body that is not JSON of one schema. */
  readonly produces?: string | readonly string[];
  /** Headers of the answer. */
  readonly headers?: Readonly<
    Record<string, { readonly description: string; readonly schema: { readonly type: 'string' | 'integer' } }>
  >;
}

export interface EndpointDescription {
  /** operationId: what generated clients call the method. */
  readonly id: string;
  /** The role that a key needs to call it, or one that may more. `anyone`: no key is needed; see OPEN_PATHS. */
  readonly role: Role | 'anyone';
  /** How it appears in the audit trail; `before` unless it says otherwise. */
  readonly recorded?: Recording;
  /** What it answers when the database is out of reach, where that is not 503. */
  readonly whenAway?: OutageAnswer;
  /** One line. */
  readonly summary: string;
  readonly description?: string;
  /** Answers by status: a 2xx with its body, the others with the condition that causes them. */
  readonly answers: Readonly<Record<number, Success | string>>;
}

/**
 * Declares an endpoint once: the status of its first 2xx answer is the one Nest sends, and all of it is in the API
 * description. What any endpoint may answer (400 to a malformed request, 401, 413, 415, 429, 500, 503) is added by
 * `describeApi`; name those here only to say more.
 *
 *     @Post()
 *     @Endpoint({
 *       id: 'createAgent',
 *       role: 'admin',
 *       summary: 'Create an agent',
 *       answers: { 201: { description: 'The agent as stored.', schema: agentView }, 400: 'A field is missing or wrong.' },
 *     })
 *     create(@Body({ schema: createAgentRequest }) request: CreateAgentRequest): Promise<AgentView>
 */
export function Endpoint(endpoint: EndpointDescription): MethodDecorator {
  const { id, role, recorded = 'before', whenAway, summary, description, answers } = endpoint;
  const decorators: MethodDecorator[] = [
    ApiOperation({ operationId: id, summary, ...(description && { description }) }),
    NeedsRole(role),
    Recorded(recorded),
    ...(whenAway === undefined ? [] : [WhenAway(whenAway)]),
    ApiExtension('x-role', role),
  ];
  if (role === 'runner' || role === 'admin') {
    decorators.push(ApiResponse({ status: 403, description: REFUSED[role], standardSchema: errorView }));
  }
  const successStatus = Object.keys(answers)
    .map(Number)
    .find((status) => status < 300);
  if (successStatus !== undefined) decorators.push(HttpCode(successStatus));
  for (const [key, answer] of Object.entries(answers)) {
    const status = Number(key);
    if (typeof answer === 'string') {
      decorators.push(ApiResponse({ status, description: answer, standardSchema: errorView }));
      continue;
    }
    decorators.push(ApiResponse({ status, ...answerOf(answer) }));
  }
  return applyDecorators(...decorators);
}

const REFUSED = {
  runner: 'The service key has the role viewer; this takes runner or admin.',
  admin: 'The service key has the role viewer or runner; this takes admin.',
} as const;

function answerOf({ description, schema, produces = [], headers }: Success) {
  const answer = { description, ...(headers && { headers: { ...headers } }) };
  if (schema !== undefined) return { ...answer, standardSchema: schema };
  const types = typeof produces === 'string' ? [produces] : produces;
  if (types.length === 0) return answer;
  const content: Record<string, { schema: BodySchema }> = {};
  for (const type of types) content[type] = { schema: schemaOf(type) };
  return { ...answer, content };
}

interface BodySchema {
  readonly type?: 'string';
  readonly format?: 'binary';
}

/** JSON of no schema may be anything, a picture is bytes, the rest is text. */
function schemaOf(mediaType: string): BodySchema {
  if (mediaType === 'application/json') return {};
  return mediaType.startsWith('image/') ? { type: 'string', format: 'binary' } : { type: 'string' };
}

/** The body of every error. */
const errorView = z
  .strictObject({ error: z.string().describe('What is wrong, in a sentence for people.') })
  .meta({ id: 'Error', examples: [{ error: 'Agent not found' }] });

/**
 * How an endpoint that is not for reading appears in the audit trail. `before`: it does nothing unless its record is stored. `beside`: it is
 * recorded if that can be done soon, and done in any case: nothing may stand in the way of stopping. `never`: it changes and starts nothing.
 */
type Recording = 'before' | 'beside' | 'never';

export const Recorded = Reflector.createDecorator<Recording>();

/** What an endpoint answers instead of 503 when the database is out of reach before anything was done. */
export type OutageAnswer = () => HttpException;

export const WhenAway = Reflector.createDecorator<OutageAnswer>();
