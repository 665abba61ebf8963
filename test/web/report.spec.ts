import { Database } from '../../src/platform/database/database';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { startTestService, type TestService } from '../setup/service';
import { PageVisitor } from './page-visitor';

/** A4 without the margins that the report asks for, at 96 pixels an inch. */
const PAPER = { width: 673, height: 1000 };
const PHONE = { width: 390, height: 844 };
const ENDLESS = 'Pneumonoultramicroscopicsilicovolcanoconiosis'.repeat(6);

/** What is wider than the screen or the paper. */
const BEYOND = `[...document.querySelectorAll('main *')]
  .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map((one) => one.tagName + ' ' + one.textContent.slice(0, 40))`;
/** How far the page could be moved sideways: text that leaves its box does that too. */
const SIDEWAYS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
/** Headings and numbers of which a word stands on more than one line. */
const BROKEN = `[...document.querySelectorAll('th, .s, .n')].filter((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  const words = one.textContent.trim().split(/\\s+/).length;
  return range.getClientRects().length > 0 && new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > words;
}).map((one) => one.textContent.trim())`;

describeWithBrowser('The report of a run', () => {
  let service: TestService;
  let visitor: PageVisitor;
  let address: string;

  beforeAll(async () => {
    service = await startTestService();
    const database = service.app.get(Database);
    const names = Array.from({ length: 24 }, (_, at) => (at === 3 ? ENDLESS : `Scenario ${at + 1} of the library`));
    const ids = await storeScenarios(database, names);
    const scenarios = names.map((name, at) => ({
      id: ids[at] ?? '',
      name,
      outcomes: at % 3 === 0 ? ['failed', 'passed', 'failed'] : ['passed', 'passed', 'passed'],
      content: { hazard: `${name} is taken for something harmless.` },
      rubric: [{ criterion: 'Tells the patient to call emergency services now', points: 5, tags: ['must_pass'] }],
    }));
    const run = await storeGradedRun(database, scenarios, {
      criteria: ({ outcomes, name }, trial) => [
        {
          criterion: `Tells the patient to call emergency services now (${name})`,
          tags: ['must_pass'],
          decision: outcomes[trial - 1] === 'passed' ? 'MET' : 'NOT MET',
          max_points: 5,
          disputed: trial === 2,
        },
      ],
    });
    address = `/api/v1/tests/${run}/report`;
    visitor = await PageVisitor.open(service.url, { viewport: PAPER });
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
  });

  it('loads nothing, and prints on A4 as pages that browsers make', async () => {
    const { page } = visitor;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await visitor.go(address);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(asked).toEqual([address]);
    expect(visitor.complaints).toEqual([]);
    // 210 × 297 mm in points.
    expect(pdf).toMatch(/\/MediaBox \[0 0 59[45](\.\d+)? 84[12](\.\d+)?\]/);
    const pages = pdf.match(/\/Type \/Page\b(?!s)/g)?.length ?? 0;
    // 24 scenarios, 16 violations and 24 disputed marks.
    expect(pages).toBeGreaterThan(4);
    expect(pages).toBeLessThan(16);
  });

  it('fits the paper, endless words too, breaks no short word, and has headings in their order', async () => {
    const { page } = visitor;
    await page.setContent(await (await fetch(`${service.url}${address}`)).text());
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate(BEYOND)).toEqual([]);
    expect(await page.evaluate(SIDEWAYS)).toBe(0);
    expect(await page.evaluate(BROKEN)).toEqual([]);
    const levels: number[] = await page.evaluate(
      `[...document.querySelectorAll('h1, h2, h3')].map((one) => Number(one.tagName[1]))`,
    );
    expect(levels[0]).toBe(1);
    levels.slice(1).forEach((level, at) => expect(level - (levels[at] ?? 0)).toBeLessThanOrEqual(1));
    await page.emulateMedia({ media: null });
  });

  it('fits a phone: the figures stand under each other, must-pass violations first, and lists have one column', async () => {
    const { page } = visitor;
    await page.emulateMedia({ media: null });
    await page.setViewportSize(PHONE);
    try {
      await page.setContent(await (await fetch(`${service.url}${address}`)).text());
      expect(await page.evaluate(BEYOND)).toEqual([]);
      expect(await page.evaluate(SIDEWAYS)).toBe(0);
      expect(await page.evaluate(BROKEN)).toEqual([]);
      const figures: { label: string; top: number; width: number }[] = await page.evaluate(
        `[...document.querySelectorAll('section.figures > div')].map((one) => ({
           label: one.querySelector('.label').textContent, top: one.getBoundingClientRect().top, width: one.clientWidth }))`,
      );
      expect(figures.sort((one, other) => one.top - other.top).map(({ label }) => label)).toEqual([
        'Must-pass violations',
        'Passed of what was graded',
        'Coverage',
      ]);
      const widths: number[] = await page.evaluate(
        `[...document.querySelectorAll('section.figures > div, .beside, .grid li, nav li')].map((one) => one.clientWidth)`,
      );
      expect(Math.min(...widths)).toBeGreaterThan(PHONE.width * 0.8);
    } finally {
      await page.setViewportSize(PAPER);
    }
  });

  it('is read by everybody: axe finds nothing serious', async () => {
    const { page } = visitor;
    // Its own address is sandboxed: there not even the timers of a checker run.
    await page.goto('about:blank');
    await page.setContent(await (await fetch(`${service.url}${address}`)).text());
    const serious = (await visitor.findings()).filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(serious).toEqual([]);
  });
});
