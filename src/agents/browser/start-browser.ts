import { constants } from 'node:fs';
import { readFile, access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Browser, BrowserType } from 'playwright-core';
import { childEnvironment, type Log } from '../../platform/config';
import type { ChosenBrowser } from './browser-choice';
import type { BrowserProgram } from './packaged-chromium';
import { proxyArgs } from './page-traffic';
import { becoming, type BrowserUser } from './browser-user';

const START_WITHIN_MS = 30_000;

const ARGS = [
  // A page that uses more ends its own process instead of exhausting the machine's memory.
  '--js-flags=--max-old-space-size=512',
  '--disable-background-networking',
  '--mute-audio',
];

export interface StartedBrowser {
  readonly browser: Browser;
  /** Whether Chromium's sandbox confines its pages. */
  readonly isSandboxed: boolean;
}

/**
 * Starts the browser behind its gate and as its user, with the sandbox where possible: many containers forbid it.
 * @param proxy the address of the proxy, the only way out
 * @param dataDir the service's own, for what may not be started in the temporary folder
 * @throws Error of the browser's library or the file system
 */
export async function startBrowser(
  chosen: ChosenBrowser,
  proxy: string,
  dataDir: string,
  log: Log,
  signal: AbortSignal,
): Promise<StartedBrowser> {
  const program = await chosen.prepare(signal);
  const starter = await writeStarter(program, chosen.user, dataDir);
  const chromium = await loadChromium();
  const launch = async (isSandboxed: boolean): Promise<StartedBrowser> => ({
    browser: await chromium
      .launch({
        executablePath: starter.path,
        args: [...ARGS, ...proxyArgs(proxy), ...program.args],
        env: childEnvironment(),
        chromiumSandbox: isSandboxed,
        timeout: START_WITHIN_MS,
        // The service shuts down in its own order; the browser ends on its own when the pipe to it breaks.
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
      })
      .catch(throwWithoutCommandLine),
    isSandboxed,
  });
  try {
    if (!chosen.sandbox) return await launch(false);
    return await launch(true).catch((error: unknown) => {
      log.warn('The browser does not start with its sandbox here; starting it without', { error });
      return launch(false);
    });
  } finally {
    await starter.remove();
  }
}

/** The library's message holds a command line that is longer than a field of the log, and hides what the browser said. */
function throwWithoutCommandLine(error: unknown): never {
  if (!(error instanceof Error)) throw error;
  const lines = error.message.split('\n').filter((line) => !line.includes('<launching>'));
  throw new Error(lines.join('\n'));
}

interface Library {
  readonly chromium: BrowserType;
}

const packages = createRequire(__filename);
const load: (name: string) => Library = packages;
/** The parts of the library, in the order in which they are needed. */
const HALVES = ['playwright-core/lib/utilsBundle', 'playwright-core/lib/coreBundle'];

let chromium: Promise<BrowserType> | undefined;

/**
 * The browser's library, seven megabytes of source. It is loaded with the first browser agent, since most services never need
 * it: its two halves one after the other, and with `require`, since `import` would first scan all of it for export names.
 */
function loadChromium(): Promise<BrowserType> {
  chromium ??= loadInHalves().catch((error: unknown) => {
    // What kept it from being read may be over at the next start.
    chromium = undefined;
    throw error;
  });
  return chromium;
}

async function loadInHalves(): Promise<BrowserType> {
  // Into the system's cache of files: `require` would have the event loop wait for the disk.
  await Promise.all(HALVES.map((name) => readFile(packages.resolve(name))));
  for (const name of HALVES) {
    load(name);
    await nextTurn();
  }
  return load('playwright-core').chromium;
}

/** Beside this module, and in the same form: compiled, or TypeScript where a loader for it is set up. */
const GATE = join(__dirname, `gate-program${extname(__filename)}`);

interface BrowserStarter {
  /** A program that takes the browser's arguments. */
  readonly path: string;
  /** Must be called once the browser runs. Never throws. */
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
