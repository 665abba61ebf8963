import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { findBrowser } from '../../src/agents/browser/browser-choice';
import type { Bench, Section } from '../bench';
import { storeLargeRun } from '../large-run';
import { ServiceProcess } from '../service-process';
import { median, rangeOf } from '../statistics';
import { startDatabase } from './reads';

/** A line of 5 Mbit/s and 40 ms, as Chromium emulates it. */
const LINE = { offline: false, latency: 40, downloadThroughput: 625_000, uploadThroughput: 625_000 };
/** The policy of the page lets no text become code; what is measured is told to the browser as text. */
const WINDOW = { viewport: { width: 1_440, height: 900 }, bypassCSP: true };
const RUN = { scenarioRuns: 2_020, trials: 20 };
const GRID = { scenarioRuns: 20_000, trials: 20 };

/** What a reader sees, in the order in which it appears, and within how many milliseconds it should. */
const SEEN = [
  { what: 'the first paint', selector: null, goal: 1_000 },
  { what: 'the verdict', selector: '.progress .rate', goal: 1_000 },
  { what: 'the first rows', selector: '.scenario-list [role=listitem]', goal: null },
] as const;

/** How long the page takes on a slow line, in a browser that has not seen it. */
export const firstContent: Section = {
  name: 'first-content',
  about: `the page of a run of ${RUN.scenarioRuns} scenario runs in Chromium, with 40 ms and 5 Mbit/s`,
  run: async (bench) => {
    const databaseUrl = await startDatabase(bench);
    const service = bench.keep(await ServiceProcess.start({ settings: { DATABASE_URL: databaseUrl } }));
    bench.progress('first-content: storing runs');
    const run = await storeLargeRun(databaseUrl, RUN);
    const large = await storeLargeRun(databaseUrl, GRID);
    const browser = await launch(bench);
    const load = `a run of ${RUN.scenarioRuns}, ${RUN.trials} trials, 40 ms and 5 Mbit/s, nothing cached`;
    const rounds = bench.rounds(7);
    const times: number[][] = [];
    for (let round = 0; round <= rounds; round += 1) {
      bench.progress(`first-content: load ${round} of ${rounds}`);
      const found = await seen(browser, `${service.client.url}/runs/${run}`);
      // The first one compiles and reads for the first time, in the service too.
      if (round > 0) times.push(found);
    }
    for (const [place, { what, goal }] of SEEN.entries()) {
      const values = times.map((of) => of[place] ?? NaN);
      bench.report({
        section: 'first-content',
        what: `from the address to ${what}`,
        load,
        unit: 'ms',
        value: median(values),
        range: rangeOf(values),
        floor: null,
        goal: goal === null ? null : { of: 'value', is: 'at most', limit: goal },
      });
    }
    await openGrid(bench, browser, `${service.client.url}/runs/${large}`);
  },
};

/** Milliseconds from the address to each thing that is seen. */
async function seen(browser: Browser, url: string): Promise<number[]> {
  const context = await browser.newContext(WINDOW);
  try {
    const page = await context.newPage();
    const line = await context.newCDPSession(page);
    await line.send('Network.enable');
    await line.send('Network.emulateNetworkConditions', LINE);
    await page.goto(url, { waitUntil: 'commit' });
    const times: number[] = [];
    for (const { selector } of SEEN) {
      if (selector === null) {
        await page.waitForFunction(`${FIRST_PAINT} !== undefined`, null, { polling: 'raf' });
        times.push(await page.evaluate<number>(`${FIRST_PAINT}.startTime`));
      } else {
        const at = await page.waitForFunction(
          `document.querySelector(${JSON.stringify(selector)}) && performance.now()`,
          null,
          { polling: 'raf' },
        );
        times.push(Number(await at.jsonValue()));
      }
    }
    return times;
  } finally {
    await context.close();
  }
}

const FIRST_PAINT = `performance.getEntriesByName('first-contentful-paint')[0]`;

/** From the click that opens the grid to its cells, and from a choice of another order to the new ones. */
async function openGrid(bench: Bench, browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage(WINDOW);
  await page.goto(url);
  await page.getByText('Grid: 1,000 scenarios × 20 conversations').waitFor();
  const until = async (act: () => Promise<unknown>, appeared: string): Promise<number> => {
    await page.evaluate('window.beganAt = performance.now()');
    await act();
    const took = await page.waitForFunction(`${appeared} && performance.now() - window.beganAt`, null, {
      polling: 'raf',
    });
    return Number(await took.jsonValue());
  };
  const cells = `document.querySelectorAll('.trial-grid td a').length === 2000`;
  const opened = await until(() => page.getByText('Grid: 1,000 scenarios × 20 conversations').click(), cells);
  const grouped = await until(
    () => page.getByLabel('Grouped by').selectOption('severity'),
    `document.querySelector('.trial-grid .group') && ${cells}`,
  );
  const common = { section: 'first-content', unit: 'ms', range: null, floor: null, goal: null } as const;
  const load = `a run of ${GRID.scenarioRuns}, ${GRID.trials} trials, loopback; the first 2,000 cells`;
  bench.report({ ...common, load, what: 'from the click to the grid of a run', value: opened });
  bench.report({ ...common, load, what: 'from another order to its rows', value: grouped });
}

async function launch(bench: Bench): Promise<Browser> {
  const dataDir = await mkdtemp(join(tmpdir(), 'agent-osce-bench-'));
  bench.keep({ stop: () => rm(dataDir, { recursive: true, force: true }) });
  const search = findBrowser({ configured: process.env['BROWSER_EXECUTABLE'] ?? null, dataDir });
  if (search.found === null) throw new Error(search.reason);
  const [place = ''] = search.found.paths;
  const { path, args, environment } = await search.found.prepare(place, new AbortController().signal);
  const browser = await chromium.launch({
    executablePath: path,
    args: [...args],
    env: { ...process.env, ...environment },
  });
  bench.keep({ stop: () => browser.close() });
  return browser;
}
