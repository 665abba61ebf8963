import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { findRun } from '../named-resources';
import type { Host, Session } from '../session';

const EXAMPLES = `
Examples:
  $ osce open
  $ osce open latest
  $ osce open latest --print`;

export function addOpenCommand(program: Command, host: Host): void {
  program
    .command('open [run]')
    .summary('open the page of the service in the browser')
    .description('Open the page of the service, or that of a run: an id, a label, or latest.')
    .option('--print', 'print its address, and open nothing')
    .addHelpText('after', EXAMPLES)
    .action((run: string | undefined, options: { print?: boolean }, command: Command) =>
      host.run(command, (session) => open(session, run, options)),
    );
}

async function open(
  session: Session,
  given: string | undefined,
  { print = false }: { print?: boolean },
): Promise<void> {
  const { api, output } = session;
  // A browser would say no more than that it cannot connect.
  if (given === undefined) await api.health();
  const url = given === undefined ? `${api.url}/` : `${api.url}/runs/${(await findRun(api, given)).id}`;
  output.answer({ url }, (screen) => screen.line(url));
  if (print) return;
  if (!(await showInBrowser(url))) {
    output.remark('No browser could be started here: open the address in one.');
  }
}

/** The program of the desktop that shows an address; none of them goes through a shell. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** How long to wait for the program: one that still runs by then is a browser. */
const OPENING_MS = 3_000;

function showInBrowser(url: string): Promise<boolean> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' });
    const timer = setTimeout(() => resolve(true), OPENING_MS);
    const end = (isShown: boolean): void => {
      clearTimeout(timer);
      resolve(isShown);
    };
    child.on('error', () => end(false));
    child.on('exit', (code) => end(code === 0));
    child.unref();
  });
}
