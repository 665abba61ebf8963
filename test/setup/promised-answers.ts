import type { NestExpressApplication } from '@nestjs/platform-express';
import { describeApi } from '../../src/platform/http/openapi';
import { ApiDescription, type Document, type Operation, type RawAnswer } from './api-description';

interface Promises {
  readonly description: ApiDescription;
  readonly routes: readonly { readonly pattern: RegExp; readonly operation: Operation }[];
}

/** Answered while the request is still being read. */
const BEFORE_ANY_ROUTE = new Set([408, 431]);

let latest: NestExpressApplication | undefined;
let promises: Promises | undefined;

/** Every answer that `ApiClient` reads from here on is held to what this service says of itself. Services of one test file say the same. */
export function holdToDescription(app: NestExpressApplication): void {
  latest = app;
}

/** Made when the first answer comes: most test files have none. */
function promisesOf(app: NestExpressApplication): Promises {
  const document: Document = JSON.parse(JSON.stringify(describeApi(app)));
  const description = new ApiDescription(document);
  const routes = description.operations.map((operation) => ({
    pattern: new RegExp(`^${operation.path.replaceAll('.', '[.]').replace(/\{[^}]+\}/g, '[^/]+')}$`),
    operation,
  }));
  // Where two match, the one with fewer parameters is meant: /scenarios/lint is no id.
  const parameters = ({ operation }: Promises['routes'][number]) => operation.path.split('{').length;
  return { description, routes: routes.sort((one, other) => parameters(one) - parameters(other)) };
}

/**
 * Why an answer is none that the API description promises, for an error message; null when it keeps the promise, for paths that
 * the description does not name, and for services of other processes.
 */
export function brokenPromise(method: string, path: string, answer: RawAnswer): string | null {
  if (latest === undefined || BEFORE_ANY_ROUTE.has(answer.status)) return null;
  const { description, routes } = (promises ??= promisesOf(latest));
  const [name = ''] = path.split('?');
  const operation = routes.find((route) => route.operation.method === method && route.pattern.test(name))?.operation;
  const problem = operation === undefined ? null : description.problemOf(operation, answer);
  if (problem === null) return null;
  const { status, text } = answer;
  return `${method} ${path} was answered ${status}, not as the API description promises: ${problem}. ${text.slice(0, 500)}`;
}
