import { startFakeChatPage, type ChatLook } from '../fakes/chat-page';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { hostileTexts, SEED } from './corpus';
import { ExaminedService } from './examined-service';
import { hostileReply } from './hostile-agents';
import type { HostileText } from './hostile-text';
import { RunReader } from './read-everything';

/** The limit of what hangs; a quiet machine takes a tenth of it. */
const WITHIN_MS = 560_000;
/** What a page can do to a scenario run. Anything else would be the harness' own failure. */
const PAGES_FAULTS = ['auth_failed', 'config_invalid', 'provider_error', 'provider_timeout', 'transport_unsupported'];
/** A page needs a good part of a core. */
const PATIENTLY = { max_turns: 5, concurrency_limit: 4 };
/** Of each family of texts: what a browser does with them takes seconds each. */
const SHOWN_EACH = 2;

const corpus = hostileTexts(SEED);
const families = [...new Set(corpus.map(({ family }) => family))];
const longest = corpus.filter(({ name }) => /almost 1 MiB|1 MiB and one/.test(name)).slice(0, 6);
const shown = [
  ...new Set([...families.flatMap((family) => spread(corpus.filter((text) => text.family === family))), ...longest]),
];

/** Some of a family, from all over it. */
function spread(texts: readonly HostileText[]): readonly HostileText[] {
  return Array.from({ length: SHOWN_EACH }, (_, at) => texts[Math.floor((at * texts.length) / SHOWN_EACH)]).filter(
    (text) => text !== undefined,
  );
}

describeWithBrowser('Chat pages that show hostile things', () => {
  let service: ExaminedService;
  beforeAll(async () => {
    const executable = process.env['BROWSER_EXECUTABLE'];
    service = await ExaminedService.start({
      BROWSER_ALLOW_NO_SANDBOX: 'true',
      ...(executable === undefined ? {} : { BROWSER_EXECUTABLE: executable }),
    });
  }, 180_000);
  afterAll(() => service?.close());

  test('are of every family, the longest among them', () => {
    expect(longest.length).toBeGreaterThan(0);
    expect(new Set(shown.map(({ family }) => family))).toEqual(new Set(families));
  });

  test.each<[how: string, look: ChatLook, texts: readonly HostileText[]]>([['as text', {}, shown]])(
    'a page that shows them %s is examined like any other',
    async (how, look, texts) => {
      const page = await startFakeChatPage({ reply: hostileReply(texts), ...look, record: false });
      const cases = await service.createCases(texts.map(({ name }) => name));
      await service.survives(`${texts.length} texts ${how}, browser`, async () => {
        const config = {
          url: page.baseUrl,
          message_selector: '.message.agent',
          reply_idle_ms: 250,
          turn_timeout_ms: 30_000,
        };
        const run = await service.examine('browser', config, cases, WITHIN_MS, PATIENTLY);
        const reader = new RunReader(service.api, run.id);
        const scenarioRuns = await reader.exportedJson();
        expect(scenarioRuns).toHaveLength(texts.length);
        for (const { scenario_name, status, error_code } of scenarioRuns) {
          const isKnown =
            status === 'error' ? PAGES_FAULTS.includes(error_code) : ['passed', 'failed'].includes(status);
          expect({ scenario_name, status, error_code, isKnown }).toMatchObject({ isKnown: true });
        }
        // A page that stands still, or a reply beyond all bounds, ends alone: others are heard to the end.
        const marked = scenarioRuns.filter(({ status }) => ['passed', 'failed'].includes(status));
        expect(marked.length).toBeGreaterThan(texts.length / 4);
        await reader.csv(texts.length);
        await reader.events();
      });
      await page.close();
    },
    WITHIN_MS,
  );
});
