import * as z from 'zod/mini';
import { serviceKey } from './service-key';

// Zod's compiled parsers need eval, which the page's content security policy forbids.
z.config({ jitless: true });

const ANSWERS_WITHIN_MS = 30_000;

/** Why a call failed, as a sentence for the reader: the service's own wherever it gave one. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  /** @param status the HTTP status; 0 when the service could not be reached */
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  /** The ETag of the state to change; without one (or null) any state is changed. */
  readonly etag?: string | null;
  /** For a creation that takes effect once, however often it is sent. */
  readonly idempotencyKey?: string;
  /** Ends the call early. */
  readonly signal?: AbortSignal;
  /** Longer than usual for calls that involve a language model. */
  readonly withinMs?: number;
}

/** Calls the service and reads its answer. @throws ApiError */
export async function call<Schema extends z.ZodMiniType>(
  schema: Schema,
  path: string,
  options: Call = {},
): Promise<z.output<Schema>> {
  return (await callTagged(schema, path, options)).answer;
}

/** The same, with the ETag of the answer; null when there is none. @throws ApiError */
export async function callTagged<Schema extends z.ZodMiniType>(
  schema: Schema,
  path: string,
  options: Call = {},
): Promise<{ readonly answer: z.output<Schema>; readonly etag: string | null }> {
  const response = await send(path, options);
  const read = schema.safeParse(await jsonOf(response));
  if (read.success) return { answer: read.data, etag: response.headers.get('ETag') };
  const at = read.error.issues[0]?.path.join('.') ?? '';
  throw new ApiError(`The service answered ${path} in a format that this page does not know${at && ` (${at})`}.`, 200);
}

/** For answers without a body. @throws ApiError */
export async function callForNothing(path: string, options: Call): Promise<void> {
  await send(path, options);
}

/** For images and downloads, which a link could not fetch with a key. @throws ApiError */
export async function callForFile(path: string, options: Call = {}): Promise<Blob> {
  return (await send(path, options)).blob();
}

async function send(path: string, call: Call) {
  const { method = 'GET', body, etag = null, idempotencyKey, signal, withinMs = ANSWERS_WITHIN_MS } = call;
  const { key } = serviceKey.get();
  const deadline = AbortSignal.timeout(withinMs);
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(key === null ? {} : { 'X-API-Key': key }),
        ...(etag === null ? {} : { 'If-Match': etag }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      cache: 'no-cache',
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new ApiError(
      deadline.aborted
        ? `The service did not answer within ${Math.round(withinMs / 1_000)} seconds.`
        : 'The service is out of reach. Is it running?',
      0,
    );
  }
  if (response.ok) return response;
  if (response.status === 401) serviceKey.refused();
  throw new ApiError(await sentenceOf(response), response.status);
}

/** The format of the service's X-Request-Id; other values are not shown. */
const REQUEST_ID = /^[\w.-]{1,128}$/;

const errorAnswer = z.object({ error: z.string() });

async function sentenceOf(response: Response): Promise<string> {
  const read = errorAnswer.safeParse(await jsonOf(response).catch(() => null));
  const sentence = read.success ? read.data.error : `The service answered ${response.status} without saying why.`;
  const id = response.headers.get('X-Request-Id') ?? '';
  // With this id the operator finds the request in the service's log.
  return response.status >= 500 && REQUEST_ID.test(id) ? `${sentence} (request ${id})` : sentence;
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new ApiError('The service’s answer broke off. Try again.', 0);
  }
}
