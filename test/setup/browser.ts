import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import type { BrowserInstallation } from '../../src/agents/browser/packaged-chromium';
import { findBrowser } from '../../src/agents/browser/browser-choice';

/** Where the packaged browser is unpacked for tests: once, and kept. */
export const TEST_BROWSER_DIR = join(__dirname, '..', '..', 'artifacts', 'browser');

export const BROWSER_HINT =
  'no browser was found; install Chromium (Debian: apt-get install chromium), or set BROWSER_EXECUTABLE to one';

/** The browser that the service would drive on this machine; null when there is none. */
export function findTestBrowser(): BrowserInstallation | null {
  return findConfigured(process.env['BROWSER_EXECUTABLE'] ?? null);
}

/** Chromium without windows, as Debian packages it: it shows our page for three quarters of the processor time. */
const WINDOWLESS = '/usr/bin/chromium-headless-shell';

function findConfigured(configured: string | null): BrowserInstallation | null {
  return findBrowser({ configured, dataDir: TEST_BROWSER_DIR }).found;
}

/** A headless browser for tests of web pages; close it when done. @throws Error when there is none */
export async function launchTestBrowser(): Promise<Browser> {
  const windowless = existsSync(WINDOWLESS) ? WINDOWLESS : null;
  const installation = findConfigured(process.env['BROWSER_EXECUTABLE'] ?? windowless);
  if (installation === null) throw new Error(`The test cannot run: ${BROWSER_HINT}.`);
  const [place = ''] = installation.paths;
  const { path, args, environment } = await installation.prepare(place, new AbortController().signal);
  return chromium.launch({
    executablePath: path,
    args: [...args],
    env: { ...process.env, ...environment },
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}
