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
 * @param gate the program that starts the browser and stands in front of it
 * @throws Error when there is nowhere to write it
 */
export async function writeStarter(
  program: BrowserProgram,
  user: BrowserUser | null,
  spareFolder: string,
  gate = GATE,
): Promise<BrowserStarter> {
  const text = script(program, user, gate);
  const starter = await writeScript(text, tmpdir());
  if (await isStartable(starter.path)) return starter;
  await starter.remove();
  return writeScript(text, spareFolder);
}

function script({ path, environment }: BrowserProgram, user: BrowserUser | null, gate: string): string {
  // Libraries that come with the browser are for the browser only.
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const command = [process.execPath, gate, ...(user === null ? [] : becoming(user)), 'env', ...variables, path];
  const lines = [
    '#!/bin/sh',
    ...forgetting(gate),
    ...(user === null ? [] : moving(user)),
    `exec ${command.map(quoted).join(' ')} "$@"`,
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * NODE_OPTIONS is set for the service: a debugger's port that is taken, or a module beside a folder where the gate is not, would keep
 * it from starting. Only a gate in TypeScript needs what loads it.
 */
function forgetting(gate: string): readonly string[] {
  return extname(gate) === '.ts' ? [] : ['unset NODE_OPTIONS'];
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
