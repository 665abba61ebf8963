import { constants } from 'node:fs';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { becoming, type BrowserUser } from './browser-user';

export interface BrowserStarter {
  /** A program that takes the browser's arguments. */
  readonly path: string;
  /** Once the browser runs. Never throws. */
  remove(): Promise<void>;
}

/**
 * A program that starts the browser as another user; the browser's library cannot. It gives that user the profile which the
 * library made, and removes when the browser ends, for a home.
 * @param spareFolder for systems on which nothing in the folder for temporary files may be started
 * @throws Error when it can be written nowhere
 */
export async function writeStarter(program: string, user: BrowserUser, spareFolder: string): Promise<BrowserStarter> {
  const starter = await writeScript(script(program, user), tmpdir());
  if (await isStartable(starter.path)) return starter;
  await starter.remove();
  return writeScript(script(program, user), spareFolder);
}

function script(program: string, user: BrowserUser): string {
  return [
    '#!/bin/sh',
    'for argument; do',
    '  case $argument in --user-data-dir=*) HOME=${argument#*=} ;; esac',
    'done',
    `chown ${user.uid}:${user.gid} "$HOME" && export HOME && cd "$HOME" || exit 1`,
    `exec ${becoming(user).join(' ')} ${quoted(program)} "$@"`,
    '',
  ].join('\n');
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
