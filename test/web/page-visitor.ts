import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchTestBrowser } from '../setup/browser';

const PICTURES = join(__dirname, '..', '..', 'artifacts', 'pages');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core found wrong, as one line a rule and element. */
export interface Finding {
  readonly rule: string;
  readonly impact: string;
  readonly where: string;
}

/** Somebody who looks at the page in a real browser, and everything that must never happen meanwhile. */
export class PageVisitor {
  /** Errors in the console, uncaught exceptions, and requests to anywhere but the service. */
  readonly complaints: string[] = [];

  private constructor(
    private readonly browser: Browser,
    readonly page: Page,
    readonly url: string,
  ) {
    page.on('console', (message) => {
      // A failed request is told in the page; the console repeats it.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        this.complaints.push(`console: ${message.text()}`);
      }
    });
    page.on('pageerror', (error) => this.complaints.push(`uncaught: ${error.message}`));
    page.on('request', (request) => {
      const address = request.url();
      if (!address.startsWith(`${url}/`) && !address.startsWith('blob:')) this.complaints.push(`request: ${address}`);
    });
  }

  static async open(url: string, options: BrowserContextOptions = {}): Promise<PageVisitor> {
    const browser = await launchTestBrowser();
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
      timezoneId: 'Europe/Zurich',
      reducedMotion: 'reduce',
      ...options,
    });
    const page = await context.newPage();
    // Only for what never comes: a machine may be busy with something else for a while.
    page.setDefaultTimeout(90_000);
    return new PageVisitor(browser, page, url);
  }

  async go(path: string): Promise<void> {
    await this.page.goto(`${this.url}${path}`);
  }

  /** Keeps a picture for people to look at: artifacts/pages/<name>.png. Lists that draw what is seen want no full page. */
  async picture(name: string, { fullPage = true } = {}): Promise<void> {
    mkdirSync(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage });
  }

  /** What keeps people from using the view as it is now. */
  async findings(): Promise<Finding[]> {
    await this.page.evaluate(AXE);
    return this.page.evaluate(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, impact, nodes }) =>
        nodes.map(({ target, failureSummary }) => ({ rule: id, impact, where: target + ' ' + failureSummary }))))`);
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}
