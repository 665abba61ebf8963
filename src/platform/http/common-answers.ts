import type { OpenAPIObject } from '@nestjs/swagger';
import { OPEN_PATHS } from './admission';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Answers = Operation['responses'];

export const IDEMPOTENCY_KEY = 'Idempotency-Key';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const error = (description: string): Answers[string] => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

const ALWAYS: Answers = { 400: error('The request is malformed.'), 500: error('An unexpected error of the service.') };
const MISDIRECTED: Answers = {
  421: error('No service key is set, and the request is for a host that ALLOWED_HOSTS does not name.'),
};
const FOREIGN_PAGE = 'A web page of another origin must not change anything.';
const CHANGES: Answers = { 403: error(FOREIGN_PAGE) };
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

const UNDER_WAY = 'A request with the same Idempotency-Key is under way; Retry-After says when to send it again.';
const KEYED: Answers = {
  409: error(UNDER_WAY),
  422: error('The Idempotency-Key was sent with another request in the last 24 hours.'),
};
const REPLAYED = {
  'Idempotency-Replayed': {
    description: '`true` when this repeats the answer to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string' as const },
  },
};

/** Adds to every operation what any endpoint may answer; what an endpoint says about a status itself stays. */
export function withCommonAnswers(document: OpenAPIObject): OpenAPIObject {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      const isOpen = OPEN_PATHS.has(path);
      if (isOpen) operation.security = [];
      // JSON, and what is served in ranges, has an entity tag.
      const isTagged =
        method === 'get' && (carriesJson(operation.responses[200]) || operation.responses[206] !== undefined);
      if (takesKey(operation)) describeKey(operation);
      if (method !== 'get') addSentence(operation.responses[403], FOREIGN_PAGE);
      operation.responses = {
        ...(isTagged ? UNCHANGED : {}),
        ...ALWAYS,
        ...MISDIRECTED,
        ...(method === 'get' ? {} : CHANGES),
        ...(isOpen ? {} : GUARDED),
        // Endpoints that need no body have these too: a body that is sent all the same is read.
        ...(method === 'get' || method === 'delete' ? {} : WITH_BODY),
        ...operation.responses,
      };
    }
  }
  return document;
}

function addSentence(answer: Answers[string] | undefined, sentence: string): void {
  if (answer !== undefined && 'description' in answer) answer.description += ` ${sentence}`;
}

function takesKey({ parameters = [] }: Operation): boolean {
  return parameters.some((parameter) => 'name' in parameter && parameter.name === IDEMPOTENCY_KEY);
}

function describeKey(operation: Operation): void {
  addSentence(operation.responses[409], UNDER_WAY);
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (answer !== undefined && 'description' in answer && status.startsWith('2')) {
      answer.headers = { ...answer.headers, ...REPLAYED };
    }
  }
  operation.responses = { ...KEYED, ...operation.responses };
}

function carriesJson(answer: Answers[string] | undefined): boolean {
  return answer !== undefined && 'content' in answer && answer.content?.['application/json'] !== undefined;
}
