import { existsSync, accessSync, constants, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type BrowserProgram, type BrowserInstallation, findPackagedChromium } from './packaged-chromium';
import type { BrowserUser } from './browser-user';

export interface BrowserOptions extends BrowserSearchOptions {
  /** The setting BROWSER_ALLOW_NO_SANDBOX: a root process may run a browser without a sandbox. */
  readonly allowNoSandbox: boolean;
}

/** A browser that may be started here, and the user it runs as. */
export interface ChosenBrowser {
  /** For messages: its path, or where it comes from. */
  readonly name: string;
  /** Null: the user of the service. */
  readonly user: BrowserUser | null;
  /** Whether it is started with its sandbox, where the system allows one; Chromium has none as root. */
  readonly sandbox: boolean;
  /** @throws Error when it cannot be unpacked */
  prepare(signal: AbortSignal): Promise<BrowserProgram>;
}

export type BrowserChoice =
  | { readonly chosen: ChosenBrowser }
  | {
      readonly chosen: null;
      /** A sentence saying what to do. */
      readonly reason: string;
    };

/**
 * Which browser is driven, and as which user. A page is hostile until proven otherwise, so a service that runs as root runs its
 * browser as a user who owns nothing. Where there is none, the browser would run as root, which Chromium does only without
 * its sandbox: that is refused unless the operator allows it.
 * @param user the user that a service running as root can start it as; null: the service does not run as root
 */
export function chooseBrowser(options: BrowserOptions, user: BrowserUser | null): BrowserChoice {
  const search = findBrowser(options);
  if (search.found === null) return { chosen: null, reason: search.reason };
  const { found } = search;
  const choose = (path: string, as: BrowserUser | null, sandbox: boolean): BrowserChoice => ({
    chosen: { name: found.name, user: as, sandbox, prepare: (signal) => found.prepare(path, signal) },
  });
  const [first = found.name] = found.paths;
  if (user === null) return choose(first, null, true);
  const reachable = user.canReach(tmpdir()) ? found.paths.find((path) => user.canReach(nearest(path))) : undefined;
  if (reachable !== undefined) return choose(reachable, user, true);
  if (options.allowNoSandbox) return choose(first, null, false);
  return {
    chosen: null,
    reason:
      `The service runs as root, and no other user can start ${found.name}: the browser would run as root without a sandbox. ` +
      'Start the service as another user, put the browser and TMPDIR where every user can reach them, ' +
      'or set BROWSER_ALLOW_NO_SANDBOX=true.',
  };
}

/** The part of a path that exists: a browser that is not unpacked yet will be as accessible as the folder it is unpacked into. */
function nearest(path: string): string {
  return existsSync(path) ? path : nearest(dirname(path));
}

type BrowserSearch =
  | { readonly found: BrowserInstallation }
  | {
      readonly found: null;
      /** A sentence saying what to do. */
      readonly reason: string;
    };

interface BrowserSearchOptions {
  /** The setting BROWSER_EXECUTABLE: nothing else is tried when it is set. */
  readonly configured: string | null;
  /** Where the packaged browser is unpacked. */
  readonly dataDir: string;
  /** For tests: instead of the usual places of this operating system. */
  readonly usualPlaces?: readonly string[];
}

/** Where Chromium, Chrome and Edge are installed, by operating system. */
const USUAL_PLACES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome-stable',
    '/usr/bin/google-chrome',
    '/opt/google/chrome/chrome',
    '/usr/bin/microsoft-edge-stable',
    '/usr/bin/microsoft-edge',
    '/snap/bin/chromium',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['C:\\Program Files', 'C:\\Program Files (x86)'].flatMap((folder) => [
    join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
    join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
  ]),
};

/** The browser to drive: the configured one, else an installed one, else the one delivered with the npm packages. */
export function findBrowser({ configured, dataDir, usualPlaces }: BrowserSearchOptions): BrowserSearch {
  if (configured !== null) {
    if (isExecutable(configured)) return { found: installedAt(configured) };
    return { found: null, reason: `BROWSER_EXECUTABLE names ${configured}, which is not an executable program.` };
  }
  const installed = (usualPlaces ?? USUAL_PLACES[process.platform] ?? []).find(isExecutable);
  if (installed !== undefined) return { found: installedAt(installed) };
  const packaged = findPackagedChromium(dataDir);
  if (packaged !== null) return { found: packaged };
  return {
    found: null,
    reason:
      'No browser was found: install Chromium or Google Chrome, or set BROWSER_EXECUTABLE to the path of one. ' +
      'On Linux (x64), npm install without --omit=optional installs one, and the container image "whole" holds one.',
  };
}

function installedAt(path: string): BrowserInstallation {
  return {
    name: path,
    paths: [resolve(path)],
    prepare: (program) => Promise.resolve({ path: program, args: [], environment: {} }),
  };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
