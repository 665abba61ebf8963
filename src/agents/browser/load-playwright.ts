import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BrowserType } from 'playwright-core';

interface Library {
  readonly chromium: BrowserType;
}

const packages = createRequire(__filename);
const load: (name: string) => Library = packages;
/** Of the library, in the order in which they are needed. */
const HALVES = ['playwright-core/lib/utilsBundle', 'playwright-core/lib/coreBundle'];

let chromium: Promise<BrowserType> | undefined;

/**
 * The browser's library, seven megabytes of source. It is loaded with the first browser agent, since most services never need
 * it: its two halves one after the other, and with `require`, since `import` would first scan all of it for export names.
 */
export function loadChromium(): Promise<BrowserType> {
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
