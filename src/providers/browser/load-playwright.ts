import { createRequire } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BrowserType } from 'playwright-core';

interface Library {
  readonly chromium: BrowserType;
}

const load: (name: string) => Library = createRequire(__filename);

/**
 * The browser's library, seven megabytes of source. It is loaded with the first browser agent, since most services never need
 * it: its two halves one after the other, and by `require`, as `import` would first look through all of it for names of exports.
 */
export async function loadChromium(): Promise<BrowserType> {
  load('playwright-core/lib/utilsBundle');
  await nextTurn();
  const { chromium }: Library = load('playwright-core');
  return chromium;
}
