import { constants } from 'node:fs';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { BrowserProgram } from './browser-program';
import { becoming, type BrowserUser } from './browser-user';

/** Beside this module, and in the same form: compiled, or TypeScript where a loader for it is set up. */
const GATE = join(__dirname, `gate-program${extname(__filename)}`);

export interface BrowserStarter {
  /** A program that takes the browser's arguments. */
  readonly path: string;
  /** To be called once the browser runs. Never throws. */
  remove(): Promise<void>;
}

/**
 * A script that starts the browser behind its gate and as another user; the browser's library can do neither. It gives that
 * user, as a home, the profile that the library creates and removes when the browser ends.
 * @param user null: the service's own user
 * @param spareFolder for systems where nothing in the temporary folder may be executed
 * @throws Error when there is nowhere to write it
 */
export async function writeStarter(
  program: BrowserProgram,
  user: BrowserUser | null,
  spareFolder: string,
): Promise<BrowserStarter> {
  const starter = await writeScript(script(program, user), tmpdir());
  if (await isStartable(starter.path)) return starter;
  await starter.remove();
  return writeScript(script(program, user), spareFolder);
}

function script({ path, environment }: BrowserProgram, user: BrowserUser | null): string {
  // Libraries that come with the browser are for the browser only.
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const command = [process.execPath, GATE, ...(user === null ? [] : becoming(user)), 'env', ...variables, path];
  return ['#!/bin/sh', ...(user === null ? [] : moving(user)), `exec ${command.map(quoted).join(' ')} "$@"`, ''].join(
    '\n',
  );
}

function moving({ uid, gid }: BrowserUser): readonly string[] {
  return [
    'for argument; do',
    '  case $argument in --user-data-dir=*) HOME=${argument#*=} ;; esac',
    'done',
    `chown ${uid}:${gid} "$HOME" && export HOME && cd "$HOME" || exit 1`,
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

async function writeScript(text: string, parent: string): Promise<BrowserStarter> {
  const folder = await mkdtemp(join(parent, 'agent-osce-browser-'));
  const path = join(folder, 'start');
  await writeFile(path, text, { mode: 0o700 });
  return { path, remove: () => rm(folder, { recursive: true, force: true }).catch(() => undefined) };
}

/** False on a file system that is mounted with noexec. */
async function isStartable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
