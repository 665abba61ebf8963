import type { Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { readPageFiles, type PageFile } from './page-files';
import { PAGE_SECTIONS } from './page-sections';

const NOT_BUILT =
  'The page is not built: run npm run build and start the service again. The API is described at /docs.';
/** Names of built assets carry a digest of what is in them. */
const ASSETS = '/assets/';
const VIEW = '/index.html';
const SECTIONS = new Set<string>(PAGE_SECTIONS);

/**
 * What the page may do: load files from here and talk to this service. The browser refuses to turn text into HTML at all
 * (trusted types), so that a transcript stays text whatever it holds.
 */
const pagePolicy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    // Screenshots are fetched with the service key and shown from memory.
    imgSrc: ["'self'", 'blob:'],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    requireTrustedTypesFor: ["'script'"],
    trustedTypes: ["'none'"],
  },
});

/**
 * Serves the built page: its files, compressed as they were built, and at `/` and below its sections the page itself. It
 * needs no key: the data it shows is requested with one. Every other request is passed on.
 * @param folder holds index.html; null when the page is not built; its addresses then say so
 */
export function servePage(folder: string | null): RequestHandler {
  const files = folder === null ? null : readPageFiles(folder);
  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const isView = isViewPath(request.path);
    if (files === null) {
      if (isView) response.status(404).json({ error: NOT_BUILT });
      else next();
      return;
    }
    const file = files.get(isView ? VIEW : request.path);
    if (file === undefined) return next();
    pagePolicy(request, response, () => send(file, request, response));
  };
}

function isViewPath(path: string): boolean {
  const [, section = ''] = path.split('/', 2);
  return path === '/' || SECTIONS.has(section);
}

/** Express answers 304 to clients that have it already, and leaves the body out of the answer to HEAD. */
function send(file: PageFile, request: Request, response: Response): void {
  const encoding = request.acceptsEncodings('br', 'gzip', 'identity');
  const compressed = encoding === 'br' ? file.br : encoding === 'gzip' ? file.gzip : undefined;
  if (compressed !== undefined && encoding !== false) response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Type', file.type);
  response.setHeader('Vary', 'Accept-Encoding');
  response.setHeader('ETag', `W/"${file.digest}"`);
  // Assets never change under their names; the page itself is revalidated each time.
  const isAsset = request.path.startsWith(ASSETS);
  response.setHeader('Cache-Control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
  response.send(compressed ?? file.plain);
}
