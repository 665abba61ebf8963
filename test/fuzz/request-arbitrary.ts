import fc from 'fast-check';
import type { ApiDescription, Operation, Parameter } from '../setup/api-description';
import { hostileBody, hostileText, hostileValue } from './hostile';
import type { IdPool } from './id-pool';
import { SchemaArbitrary } from './schema-arbitrary';

export interface FuzzRequest {
  /** How fast-check prints it. */
  [fc.toStringMethod](): string;
  /** Null: the request is aimed at no operation; any error will do. */
  readonly operation: Operation | null;
  readonly method: string;
  /** As it goes over the wire. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
}

/** The request in one line, so that a failure can be read. */
function writeRequest(this: FuzzRequest): string {
  const { method, target, headers, body } = this;
  const shown = body === null ? '' : JSON.stringify(body.toString().slice(0, 300));
  return `${method} ${target.slice(0, 300)} ${JSON.stringify(headers)} ${shown}`;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PURGE', 'PROPFIND'];

const CONTENT_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/json; charset=utf-16',
  'application/json; charset="',
  'application/json;;;',
  'Application/JSON',
  'application/vnd.api+json',
  '*/*',
  '/',
  ';',
];

const ODD_HEADERS: readonly (readonly [string, string])[] = [
  ['content-encoding', 'gzip'],
  ['content-encoding', 'br, gzip'],
  ['if-none-match', '*'],
  ['if-none-match', 'W/"'],
  ['if-modified-since', 'yesterday'],
  ['range', 'bytes=5-1'],
  ['accept', 'application/xml;q=0'],
  ['accept-encoding', ';;q=2'],
  ['authorization', 'Bearer'],
  ['x-api-key', '\u00ff'],
  ['x-forwarded-for', '::, 127.0.0.1, nonsense'],
  ['x-http-method-override', 'DELETE'],
  ['last-event-id', '-1'],
  ['last-event-id', '99999999999999999999'],
  ['cookie', '__proto__=1; a'],
  ['host', 'elsewhere.example'],
  ['origin', 'null'],
];

/** Requests to these operations of the description, some sane, most of them hostile somewhere, and some to nowhere. */
export function requestArbitrary(
  description: ApiDescription,
  operations: readonly Operation[],
  ids: IdPool,
): fc.Arbitrary<FuzzRequest> {
  const schemas = new SchemaArbitrary(description, ids.fields());
  const sparse = new SchemaArbitrary(description, ids.fields(), 2);
  const aimed = operations.map((operation) => aimedAt(operation, schemas, ids));
  // The more fields an operation takes, the less often every one of them is right by chance.
  const sane = operations.map((operation) => saneFor(operation, sparse, ids));
  return fc.oneof(
    { weight: 9, arbitrary: fc.oneof(...aimed) },
    { weight: 3, arbitrary: fc.oneof(...sane) },
    { weight: 1, arbitrary: anywhere(description) },
  );
}

/** As a client would send it, about something that exists more often than not. */
function saneFor(operation: Operation, schemas: SchemaArbitrary, ids: IdPool): fc.Arbitrary<FuzzRequest> {
  const schema = operation.requestBody?.content['application/json']?.schema;
  const parameters = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required = false, schema: described = {} }) => {
      const given = (ids.fields()[name] ?? schemas.valueOf(described)).map(
        (value) => `${name}=${encode(String(value))}`,
      );
      return required ? given : fc.oneof({ weight: 4, arbitrary: fc.constant('') }, { weight: 1, arbitrary: given });
    });
  return fc
    .record({
      segment: ids.pathIds(operation).map(encodeSegment),
      query: fc.tuple(...parameters).map(joined),
      body: schema === undefined ? fc.constant(null) : schemas.valueOf(schema).map((value) => JSON.stringify(value)),
    })
    .map(({ segment, query, body }) => requestTo(operation, segment, query, body));
}

function aimedAt(operation: Operation, schemas: SchemaArbitrary, ids: IdPool): fc.Arbitrary<FuzzRequest> {
  const schema = operation.requestBody?.content['application/json']?.schema;
  return fc
    .record({
      segment: oftenHostile(8, ids.pathIds(operation), hostileText).map(encodeSegment),
      rawSegment: rarely(fc.constantFrom('%zz', '%E0%A4%A', '%', '%c0%af', '..', ';a=b', '%2e%2e%2f')),
      query: queryOf(operation.parameters ?? [], schemas, ids),
      body: schema === undefined ? rarely(hostileBody) : bodyFor(schemas.valueOf(schema)),
      contentType: oftenHostile(20, fc.constant('application/json'), fc.constantFrom(...CONTENT_TYPES)),
      odd: rarely(fc.constantFrom(...ODD_HEADERS)),
    })
    .map(({ segment, rawSegment, query, body, contentType, odd }) => ({
      ...requestTo(operation, rawSegment ?? segment, query, body),
      headers: { ...(body !== null && { 'content-type': contentType }), ...(odd !== null && { [odd[0]]: odd[1] }) },
    }));
}

function requestTo(operation: Operation, segment: string, query: string, body: string | Buffer | null): FuzzRequest {
  return {
    [fc.toStringMethod]: writeRequest,
    operation,
    method: operation.method,
    target: operation.path.replace('{id}', segment) + (query === '' ? '' : `?${query}`),
    headers: body === null ? {} : { 'content-type': 'application/json' },
    body,
  };
}

/** Known paths with methods they do not have, and paths that nobody knows. */
function anywhere(description: ApiDescription): fc.Arbitrary<FuzzRequest> {
  const paths = Object.keys(description.document.paths).map((path) => path.replace('{id}', 'x'));
  const stranger = fc.array(
    fc.constantFrom('/', '//', '.', '..', 'api', 'v1', '%2f', '%00', '%', '__proto__', '?', '#', '*'),
  );
  return fc
    .record({
      method: fc.constantFrom(...METHODS),
      path: fc.oneof(
        fc.constantFrom(...paths.map((path) => `${path}/-`)),
        stranger.map((parts) => `/-${parts.join('')}`),
      ),
      body: rarely(hostileBody),
    })
    .map(({ method, path, body }) => ({
      [fc.toStringMethod]: writeRequest,
      operation: null,
      method,
      target: path,
      headers: {},
      body,
    }));
}

/** JSON of the schema's values, of values with a part replaced, taken away or added, and what is no JSON at all. */
function bodyFor(valid: fc.Arbitrary<unknown>): fc.Arbitrary<string | Buffer | null> {
  const mutated = fc.tuple(valid, fc.nat(), hostileValue, fc.constantFrom('replace', 'remove', 'add')).map(mutate);
  return fc.oneof(
    { weight: 6, arbitrary: valid.map((value) => JSON.stringify(value)) },
    { weight: 6, arbitrary: mutated.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: hostileValue.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: hostileBody },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

function mutate([value, at, hostile, how]: [unknown, number, unknown, string]): unknown {
  if (typeof value !== 'object' || value === null) return hostile;
  const keys = Object.keys(value);
  const key = keys[at % Math.max(1, keys.length)];
  const entries = Object.entries(value).filter(([other]) => how === 'add' || other !== key);
  if (how === 'replace' && key !== undefined) entries.push([key, hostile]);
  if (how === 'add') entries.push([typeof hostile === 'string' ? hostile : 'unknown_field', hostile]);
  return Object.fromEntries(entries);
}

function queryOf(parameters: readonly Parameter[], schemas: SchemaArbitrary, ids: IdPool): fc.Arbitrary<string> {
  const described = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required = false, schema = {} }) => {
      const valid = ids.fields()[name] ?? schemas.valueOf(schema);
      const one = oftenHostile(4, valid.map(String), hostileText).map((text) => `${name}=${encode(text)}`);
      const repeated = fc.array(one, { minLength: 2, maxLength: 3 }).map((parts) => parts.join('&'));
      return fc.oneof(
        { weight: 8, arbitrary: one },
        { weight: required ? 1 : 8, arbitrary: fc.constant('') },
        { weight: 1, arbitrary: repeated },
        { weight: 1, arbitrary: one.map((text) => text.replace('=', '[]=')) },
      );
    });
  const strange = fc.oneof(
    { weight: 12, arbitrary: fc.constant('') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '&&&',
        '=',
        '__proto__=1',
        'a[__proto__][b]=1',
        '%zz=%',
        'x=%00',
        '?',
        'access_token=x',
      ),
    },
  );
  return fc.tuple(...described, strange).map(joined);
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('&');
}

function oftenHostile<T>(sane: number, valid: fc.Arbitrary<T>, hostile: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: sane, arbitrary: valid }, { weight: 1, arbitrary: hostile });
}

function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

/** An empty segment would name another path. */
function encodeSegment(text: string): string {
  return encode(text) || '%20';
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
