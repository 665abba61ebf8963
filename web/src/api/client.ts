import { addressOf, type AnswerTo, type Given, type OperationName } from '../../../contract/call';
import { serviceKey } from './service-key';

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

interface Options {
  /** The ETag of the state to change; without one (or null) any state is changed. */
  readonly etag?: string | null;
  /** For a creation that takes effect once, however often it is sent. */
  readonly idempotencyKey?: string;
  /** Ends the call early. */
  readonly signal?: AbortSignal;
  /** Longer than usual for calls that involve a language model. */
  readonly withinMs?: number;
}

/** What a call gives beside the name of its operation: parameters, body, and how it is made. */
export type Call<Name extends OperationName> = Given<Name> & Options;

/** Calls the service and reads its answer, which is what the contract says: page and service are of one version. @throws ApiError */
export async function call<Name extends OperationName>(name: Name, options: Call<Name>): Promise<AnswerTo<Name>> {
  return (await callTagged(name, options)).answer;
}

/** The same, with the ETag of the answer; null when there is none. @throws ApiError */
export async function callTagged<Name extends OperationName>(
  name: Name,
  options: Call<Name>,
): Promise<{ readonly answer: AnswerTo<Name>; readonly etag: string | null }> {
  const response = await send(name, options);
  return { answer: await jsonOf(response), etag: response.headers.get('ETag') };
}

/** For answers without a body. @throws ApiError */
export async function callForNothing<Name extends OperationName>(name: Name, options: Call<Name>): Promise<void> {
  await send(name, options);
}

/** For images and downloads, which a link could not fetch with a key. @param path as the service gives it @throws ApiError */
export async function callForFile(path: string, options: Options = {}): Promise<Blob> {
  return (await ask('GET', path, undefined, options)).blob();
}

function send<Name extends OperationName>(name: Name, options: Call<Name>): Promise<Response> {
  const { method, path } = addressOf(name, options);
  return ask(method, path, options.body, options);
}

async function ask(method: string, path: string, body: unknown, options: Options): Promise<Response> {
  const { etag = null, idempotencyKey, signal, withinMs = ANSWERS_WITHIN_MS } = options;
  const { key } = serviceKey.get();
  const deadline = AbortSignal.timeout(withinMs);
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(key === null ? {} : { 'X-API-Key': key }),
        // No page of another origin can send it: a session counts for a change only together with it.
        'X-OSCE-Page': '1',
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
  const sentence = await sentenceOf(response);
  if (response.status === 401) serviceKey.refused(sentence);
  throw new ApiError(sentence, response.status);
}

/** The format of the service's X-Request-Id; other values are not shown. */
const REQUEST_ID = /^[\w.-]{1,128}$/;

async function sentenceOf(response: Response): Promise<string> {
  const answer: unknown = await jsonOf<object>(response).catch(() => ({}));
  const given = typeof answer === 'object' && answer !== null && 'error' in answer ? answer.error : null;
  const sentence = typeof given === 'string' ? given : `The service answered ${response.status} without saying why.`;
  const id = response.headers.get('X-Request-Id') ?? '';
  // With this id the operator finds the request in the service's log.
  return response.status >= 500 && REQUEST_ID.test(id) ? `${sentence} (request ${id})` : sentence;
}

async function jsonOf<Answer>(response: Response): Promise<Answer> {
  const text = await response.text().catch(() => '');
  try {
    // The contract says what it is.
    const answer = JSON.parse(text) as Answer | null;
    if (typeof answer === 'object' && answer !== null) return answer;
  } catch {
    // Said below.
  }
  throw new ApiError(
    text.trimStart().startsWith('<')
      ? 'Something between this page and the service answered with a page of its own. Reload this page.'
      : 'The service’s answer broke off. Try again.',
    0,
  );
}
