import { accessSync, constants, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BrowserInstallation } from './browser-program';
import { findPackagedChromium } from './packaged-chromium';

export type BrowserSearch =
  | { readonly found: BrowserInstallation }
  | {
      readonly found: null;
      /** A sentence saying what to do. */
      readonly reason: string;
    };

export interface BrowserSearchOptions {
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
