import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { join, sep, dirname } from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';

/**
 * First segments of the page's addresses: reloading one of them gets the page, which then shows the view. Nothing else is
 * ever answered with the page, so that it never shadows an endpoint, whatever is added.
 */
export const PAGE_SECTIONS = [
  'runs',
  'start',
  'scenario-runs',
  'agents',
  'scenarios',
  'suites',
  'schedules',
  'compare',
  'sets',
  'side-by-side',
  'inspect',
  'calibrations',
  'webhooks',
  'audit',
  'keys',
] as const;

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
    // Screenshots and recordings are fetched with the service key, and shown and played from memory.
    imgSrc: ["'self'", 'blob:'],
    mediaSrc: ['blob:'],
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

/** One file of the built page, as it is sent. */
interface PageFile {
  readonly type: string;
  readonly plain: Buffer;
  /** Compressed when the page was built; some files are not worth it, or are compressed in themselves. */
  readonly br?: Buffer;
  readonly gzip?: Buffer;
  /** A digest of the contents, without the quotes of an entity tag. */
  readonly digest: string;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  // Compressed in itself.
  woff2: 'font/woff2',
};

/**
 * The built page by path (`/index.html`, `/assets/…`), read once into memory: a few hundred kilobytes that stay one
 * consistent version while another is built over them.
 */
function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const built = new Set(paths);
  for (const path of paths) {
    const type = TYPES[path.slice(path.lastIndexOf('.') + 1)];
    if (type === undefined) continue;
    const read = (name: string) => readFileSync(join(folder, name));
    const plain = read(path);
    files.set(`/${path.split(sep).join('/')}`, {
      type,
      plain,
      ...(built.has(`${path}.br`) && { br: read(`${path}.br`) }),
      ...(built.has(`${path}.gz`) && { gzip: read(`${path}.gz`) }),
      digest: createHash('sha1').update(plain).digest('base64url'),
    });
  }
  return files;
}

/** Where `npm run build` puts the page: dist/web, found from the sources and from the built files. Null: not built. */
export function builtPageFolder(below = __dirname): string | null {
  const folder = join(below, 'dist', 'web');
  if (existsSync(join(folder, 'index.html'))) return folder;
  const parent = dirname(below);
  return parent === below ? null : builtPageFolder(parent);
}
