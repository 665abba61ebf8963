import { dirname, join } from 'node:path';
import type { RequestHandler } from 'express';

const OWN = join(__dirname, 'docs');
const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));

const FILES: ReadonlyMap<string, string> = new Map([
  ['/docs', join(OWN, 'page.html')],
  ['/docs/page.mjs', join(OWN, 'page.mjs')],
  ['/docs/swagger-ui-bundle.js', join(SWAGGER_UI, 'swagger-ui-bundle.js')],
  ['/docs/swagger-ui.css', join(SWAGGER_UI, 'swagger-ui.css')],
]);

/**
 * Serves the page that shows the API description. It needs no key, so that a link can lead to it: it holds nothing of the service, and
 * reads /docs/openapi.json with the key that the reader has. Every other request is passed on.
 * @param others files beside it that are the same for everybody, by their path
 */
export function serveDocsPage(others: ReadonlyMap<string, string> = new Map()): RequestHandler {
  return (request, response, next) => {
    const file = FILES.get(request.path) ?? others.get(request.path);
    if (file === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    response.sendFile(file);
  };
}
