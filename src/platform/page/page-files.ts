import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** One file of the built page, as it is sent. */
export interface PageFile {
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
export function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
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
