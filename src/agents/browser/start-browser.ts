import type { Browser } from 'playwright-core';
import { childEnvironment } from '../../platform/config/child-environment';
import type { Log } from '../../platform/config/log';
import type { ChosenBrowser } from './browser-choice';
import { proxyArgs } from './browser-proxy';
import { writeStarter } from './browser-starter';
import { loadChromium } from './load-playwright';

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
