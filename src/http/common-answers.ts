import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Answers = Operation['responses'];

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** Paths that are answered without a key and are never rate-limited. */
const OPEN_PATHS = new Set(['/health', '/health/live']);

const error = (description: string): Answers[string] => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

const ALWAYS: Answers = { 400: error('The request is malformed.'), 500: error('An unexpected error of the service.') };
const MISDIRECTED: Answers = {
  421: error('No service key is set, and the request is for a host that ALLOWED_HOSTS does not name.'),
};
const CHANGES: Answers = { 403: error('A web page of another origin may not change anything.') };
const UNCHANGED: Answers = { 304: { description: 'What the client has (If-None-Match) is current.' } };
const GUARDED: Answers = {
  401: error('A service key is set and the request carries none that is valid.'),
  429: error('Too many requests; Retry-After says when to try again.'),
  503: error('The database is out of reach.'),
};
const WITH_BODY: Answers = {
  413: error('The body is larger than 1 MiB.'),
  415: error('The body is not JSON.'),
};

/** Adds to every operation what any endpoint may answer; what an endpoint says about a status itself stays. */
export function withCommonAnswers(document: OpenAPIObject): OpenAPIObject {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      const isOpen = OPEN_PATHS.has(path);
      if (isOpen) operation.security = [];
      const isJsonRead = method === 'get' && carriesJson(operation.responses[200]);
      operation.responses = {
        ...(isJsonRead ? UNCHANGED : {}),
        ...ALWAYS,
        ...MISDIRECTED,
        ...(method === 'get' ? {} : CHANGES),
        ...(isOpen ? {} : GUARDED),
        ...(operation.requestBody === undefined ? {} : WITH_BODY),
        ...operation.responses,
      };
    }
  }
  return document;
}

function carriesJson(answer: Answers[string] | undefined): boolean {
  return answer !== undefined && 'content' in answer && answer.content?.['application/json'] !== undefined;
}
