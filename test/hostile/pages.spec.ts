import { startFakeChatPage, type ChatPageOptions, type FakeChatPage } from '../fakes/chat-page';
import type { Answer } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { GOOD_REPLY } from '../setup/examination';
import { PageVisitor } from '../web/page-visitor';
import { hostileTexts } from './corpus';
import { ExaminedService } from './examined-service';
import { hostileOnce, hostileReply } from './hostile-agents';
import type { HostileText } from './hostile-text';
import { pageMarkup } from './page-markup';
import { pageScripts } from './page-scripts';
import { RunReader } from './read-everything';
import { inTurn, SEED, shareOf } from './rotation';

/** The limit of what hangs; a quiet machine takes a tenth of it. */
const WITHIN_MS = 560_000;
/** What a page can do to a scenario run. Anything else would be the harness' own failure. */
const PAGES_FAULTS = ['auth_failed', 'config_invalid', 'provider_error', 'provider_timeout', 'transport_unsupported'];

const corpus = hostileTexts(SEED);
const families = [...new Set(corpus.map(({ family }) => family))];
const longest = shareOf(corpus.filter(({ name }) => /almost 1 MiB|1 MiB and one/.test(name)).slice(0, 6), 0, 2);
/** One of each family beside them: what a browser does with a text takes seconds. The next seed takes the next. */
const shown = [...new Set([...families.map(ofFamily), ...longest])];

function ofFamily(family: string): HostileText {
  const texts = corpus.filter((text) => text.family === family);
  return inTurn(texts, 0);
}

describeWithBrowser('Chat pages that show hostile things', () => {
  let service: ExaminedService;
  const pages: FakeChatPage[] = [];
  beforeAll(async () => {
    const executable = process.env['BROWSER_EXECUTABLE'];
    service = await ExaminedService.start({
      BROWSER_ALLOW_NO_SANDBOX: 'true',
      ...(executable === undefined ? {} : { BROWSER_EXECUTABLE: executable }),
    });
  }, 180_000);
  afterEach(() => Promise.all(pages.splice(0).map((page) => page.close())));
  afterAll(() => service?.close());

  test('are of every family, the longest among them', () => {
    expect(longest.length).toBeGreaterThan(0);
    expect(new Set(shown.map(({ family }) => family))).toEqual(new Set(families));
  });

  async function examine(
    url: string,
    texts: readonly HostileText[],
    limits: { turn_timeout_ms: number; concurrency_limit: number },
  ): Promise<{ runId: string; marked: Answer['body'][] }> {
    const cases = await service.createCases(texts.map(({ name }) => name));
    const { turn_timeout_ms, concurrency_limit } = limits;
    const config = { url, message_selector: '.message.agent', reply_idle_ms: 250, turn_timeout_ms };
    const run = await service.examine('browser', config, cases, WITHIN_MS, { max_turns: 5, concurrency_limit });
    const reader = new RunReader(service.api, run.id);
    const scenarioRuns = await reader.exportedJson();
    expect(scenarioRuns).toHaveLength(texts.length);
    for (const { scenario_name, status, error_code, error_message } of scenarioRuns) {
      const isKnown = status === 'error' ? PAGES_FAULTS.includes(error_code) : ['passed', 'failed'].includes(status);
      expect({ scenario_name, status, error_code, error_message, isKnown }).toMatchObject({ isKnown: true });
    }
    await reader.csv(texts.length);
    await reader.events();
    return { runId: run.id, marked: scenarioRuns.filter(({ status }) => ['passed', 'failed'].includes(status)) };
  }

  async function open(options: ChatPageOptions): Promise<string> {
    const page = await startFakeChatPage({ record: false, ...options });
    pages.push(page);
    return page.baseUrl;
  }

  test(
    'a page that shows them as text is examined like any other',
    async () => {
      const url = await open({ reply: hostileReply(shown) });
      await service.survives(`${shown.length} texts as text, browser`, async () => {
        const { marked } = await examine(url, shown, { turn_timeout_ms: 60_000, concurrency_limit: 4 });
        // A page that stands still, or a reply beyond all bounds, ends alone: others are heard to the end.
        expect(marked.length).toBeGreaterThan(shown.length / 4);
      });
    },
    WITHIN_MS,
  );

  test(
    'a page that takes them for markup is examined as it looks, and none of it gets into our page',
    async () => {
      const texts = shareOf(pageMarkup(), 0, 2);
      const url = await open({ reply: hostileOnce(texts), trusting: true });
      await service.survives(`${texts.length} texts as markup, browser`, async () => {
        const { runId, marked } = await examine(url, texts, { turn_timeout_ms: 20_000, concurrency_limit: 6 });
        // The first text of either share looks like an ordinary page; of some shares few others can be read at all.
        expect(marked.map(({ scenario_name }) => scenario_name)).toContain(texts[0]?.name);
        await expectHarmless([`/runs/${runId}`, ...marked.slice(0, 5).map(({ id }) => `/scenario-runs/${id}`)]);
      });
    },
    WITHIN_MS,
  );

  test(
    'a page whose scripts fight the browser ends its own conversation at most; the next page is examined as usual',
    async () => {
      const texts = shareOf(pageScripts(), 0, 2);
      const url = await open({ reply: hostileOnce(texts), trusting: true });
      await service.survives(`${texts.length} scripts, browser`, async () => {
        const { runId } = await examine(url, texts, { turn_timeout_ms: 5_000, concurrency_limit: 4 });
        await expectHarmless([`/runs/${runId}`]);
      });
      const ordinary = await open({ reply: () => GOOD_REPLY });
      const next = await examine(ordinary, texts.slice(0, 1), { turn_timeout_ms: 60_000, concurrency_limit: 1 });
      expect(next.marked).toEqual([expect.objectContaining({ status: 'passed' })]);
    },
    WITHIN_MS,
  );

  /** In the service's own page. */
  async function expectHarmless(paths: readonly string[]): Promise<void> {
    const visitor = await PageVisitor.open(service.url);
    try {
      for (const path of paths) {
        await visitor.go(path);
        await visitor.page.locator('.scenario-row, .criterion').first().waitFor();
        expect(await visitor.page.evaluate('window.taken')).toBeUndefined();
        expect(await visitor.page.locator('main :is(script, iframe, style, [onerror])').count()).toBe(0);
      }
      expect(visitor.complaints).toEqual([]);
    } finally {
      await visitor.close();
    }
  }
});
