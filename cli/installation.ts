import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { CommandFailure } from './failure';

/** The package with the service, the page and the library beside the command. The command alone is packed under another name. */
const WHOLE = 'agent-osce';

/** A program of the package that the command can run in its process. It is never imported: that would load the whole service. */
export type Program = 'serve' | 'demo' | 'backup' | 'restore' | 'speech check' | 'speech calibrate';

const FILES: Readonly<Record<Program, readonly string[]>> = {
  serve: ['src', 'main'],
  demo: ['demo', 'run-demo'],
  backup: ['src', 'start', 'backup-program'],
  restore: ['src', 'start', 'backup-program'],
  'speech check': ['src', 'start', 'speech-program'],
  'speech calibrate': ['src', 'start', 'timing-program'],
};

const ELSEWHERE = 'or give the address of a running service with --url or OSCE_URL';
const WITH_THE_DATA = 'where the service and its data are';
/** What a user with the command alone can do instead. */
const OTHERWISE: Readonly<Record<Program, string>> = {
  serve: ELSEWHERE,
  demo: ELSEWHERE,
  backup: WITH_THE_DATA,
  restore: WITH_THE_DATA,
  'speech check': 'on the machine that examines',
  'speech calibrate': 'on the machine that examines',
};

/** The file to start. @throws CommandFailure where only the command is installed */
export function programFile(program: Program): string {
  if (!isWhole(__dirname)) {
    throw new CommandFailure(
      `osce ${program} is part of the whole package, ${WHOLE}, and this is the command alone: install that one instead, ` +
        `${OTHERWISE[program]}.`,
    );
  }
  // In a checkout `cli` stands beside `src`; built, both are below `dist`.
  return join(__dirname, '..', ...FILES[program]) + extname(__filename);
}

/** Runs the program in this process: it handles signals and ends the process itself. */
export function become(program: Program, args: readonly string[] = []): void {
  const file = programFile(program);
  process.argv = [process.argv[0] ?? process.execPath, file, ...args];
  createRequire(__filename)(file);
}

/** Whether this is a checkout, which keeps data beside the sources, and not an installed package, which the next installation replaces. */
export function isCheckout(): boolean {
  return existsSync(join(packageFolder(__dirname), 'tsconfig.json'));
}

/** How the user of this process starts the service. */
export function serveCommand(environment: Readonly<Record<string, string | undefined>>): string {
  if (isCheckout()) return 'npm start';
  return environment['npm_command'] === 'exec' ? 'npx --no-install osce serve' : 'osce serve';
}

function isWhole(folder: string): boolean {
  const manifest: unknown = JSON.parse(readFileSync(join(packageFolder(folder), 'package.json'), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'name' in manifest && manifest.name === WHOLE;
}

/** The folder with package.json: one up from the sources and from the command alone, two from the built files. */
function packageFolder(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new CommandFailure('package.json was not found above the command: install it again.');
  return packageFolder(parent);
}
