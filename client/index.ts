import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { AnswerOf, SentBodyOf } from '../contract/operation';
import type { AnyOperation } from '../contract/operations';
import type { paths } from './paths';

export type { paths } from './paths';

/** What an operation answers, by its `operationId`: `Answer<'getTestRun'>`. */
export type Answer<Id extends AnyOperation['id']> = AnswerOf<Extract<AnyOperation, { readonly id: Id }>>;

/** What an operation takes as its body: `Body<'startRun'>`. */
export type Body<Id extends AnyOperation['id']> = SentBodyOf<Extract<AnyOperation, { readonly id: Id }>>;

export interface OsceClientOptions extends Omit<ClientOptions, 'baseUrl'> {
  /** Address of the service, such as `http://127.0.0.1:8000`. */
  readonly url: string;
  /** A service key, when the service was started with SERVICE_API_KEY. */
  readonly apiKey?: string | undefined;
}

export type OsceClient = Client<paths>;

/**
 * A client whose paths, parameters, bodies and answers are those of the API description, checked by TypeScript.
 *
 *     const osce = createOsceClient({ url: 'http://127.0.0.1:8000' });
 *     const { data, error } = await osce.GET('/api/v1/tests/{id}', { params: { path: { id } } });
 *
 * An answer of 400 or more is `error` (`{ error: string }`), not an exception; only a service out of reach throws.
 */
export function createOsceClient({ url, apiKey, ...options }: OsceClientOptions): OsceClient {
  const client = createFetchClient<paths>({ ...options, baseUrl: url.replace(/\/+$/, '') });
  if (apiKey !== undefined) {
    client.use({ onRequest: ({ request }) => request.headers.set('Authorization', `Bearer ${apiKey}`) });
  }
  return client;
}
