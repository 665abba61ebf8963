import { Database } from '../../src/platform/database/database';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { startTestService, type TestService } from '../setup/service';
import { PageVisitor } from './page-visitor';

/** A4 without the margins that the report asks for, at 96 pixels an inch. */
const PAPER = { width: 673, height: 1000 };
const ENDLESS = 'Pneumonoultramicroscopicsilicovolcanoconiosis'.repeat(6);

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
    const beyond: string[] = await page.evaluate(
      `[...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
         .map((one) => one.tagName + ' ' + one.textContent.slice(0, 40))`,
    );
    expect(beyond).toEqual([]);
    const broken: string[] = await page.evaluate(
      `[...document.querySelectorAll('th, .s, .n')].filter((one) => {
         const range = document.createRange();
         range.selectNodeContents(one);
         const words = one.textContent.trim().split(/\\s+/).length;
         return range.getClientRects().length > 0 && new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > words;
       }).map((one) => one.textContent.trim())`,
    );
    expect(broken).toEqual([]);
    const levels: number[] = await page.evaluate(
      `[...document.querySelectorAll('h1, h2, h3')].map((one) => Number(one.tagName[1]))`,
    );
    expect(levels[0]).toBe(1);
    levels.slice(1).forEach((level, at) => expect(level - (levels[at] ?? 0)).toBeLessThanOrEqual(1));
    await page.emulateMedia({ media: null });
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
