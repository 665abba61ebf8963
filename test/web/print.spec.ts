import { inflateSync } from 'node:zlib';
import { ScenariosStore, type NewScenario } from '../../src/features/scenarios/scenarios.store';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { eventually } from '../setup/eventually';
import { CALLS_AMBULANCE, createAgent, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const SCENARIOS = 120;
const LONG_REPLY = `${GOOD_REPLY} ${'Please rest. '.repeat(1_000)}These are the last words.`;

describeWithBrowser('On paper', () => {
  let agent: FakeAgent;
  let service: TestService;
  let api: ApiClient;
  let visitor: PageVisitor;
  let before: string;
  let after: string;

  beforeAll(async () => {
    let reply = 'That will pass.';
    agent = await startFakeOpenAi({ reply: () => reply });
    service = await startTestService({}, { pageFolder: await builtPage() });
    api = new ApiClient(service.url);
    await service.app
      .get(ScenariosStore)
      .createAll(Array.from({ length: SCENARIOS }, (_, index) => scenario(index + 1)));
    const agentId = await createAgent(api, agent.baseUrl);
    const finished = async () => {
      const { body } = await api.post('/start-run', { agent_id: agentId, concurrency_limit: 40, max_turns: 5 });
      await untilFinal(api, body.id, 90_000);
      return String(body.id);
    };
    before = await finished();
    reply = LONG_REPLY;
    after = await finished();
    visitor = await PageVisitor.open(service.url);
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await agent?.close();
  });

  afterEach(() => visitor.page.emulateMedia({ media: null }));

  it('a run has every scenario, each on a line of its own, and nothing to press', async () => {
    const { page } = visitor;
    await visitor.go(`/runs/${before}`);
    const rows = page.locator('.scenario-row');
    await rows.first().waitFor();
    expect(await rows.count()).toBeLessThan(60);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await eventually(async () => expect(await rows.count()).toBe(SCENARIOS));
    const tops: number[] = await page.evaluate(
      `[...document.querySelectorAll('.scenario-row')].map((row) => Math.round(row.getBoundingClientRect().top))`,
    );
    expect(tops).toEqual([...new Set(tops)].sort((one, other) => one - other));
    expect(await rows.last().innerText()).toContain(`Scenario ${SCENARIOS}`);
    // What was missed is as wide as the sheet, not a column with nothing beside it.
    const [missed, sheet] = [await page.locator('.missed').boundingBox(), await page.locator('main').boundingBox()];
    expect(missed?.width).toBeGreaterThan((sheet?.width ?? Infinity) * 0.9);
    expect(await page.locator('main .button:visible, .rail:visible').count()).toBe(0);
    // Paper is white, whatever the screen is.
    expect(await page.evaluate(`getComputedStyle(document.body).color`)).toBe('rgb(29, 39, 48)');
    await page.emulateMedia({ media: null, colorScheme: null });
    await eventually(async () => expect(await rows.count()).toBeLessThan(60));
  });

  it('a printed run has as many sheets as its scenarios need, though nobody scrolled', async () => {
    await visitor.go(`/runs/${before}`);
    await visitor.page.locator('.scenario-row').first().waitFor();
    const pdf = await visitor.page.pdf({ format: 'A4' });
    expect(await visitor.page.locator('.scenario-row').count()).toBeLessThan(60);
    // Each name of a scenario is a link on paper too: to its conversation.
    const runs: { id: string }[] = await scenarioRunsOf(api, before);
    const links = linksIn(pdf);
    expect(runs.filter(({ id }) => !links.includes(`/scenario-runs/${id}`))).toEqual([]);
  });

  it('a conversation has all of its words and its whole checklist', async () => {
    const { page } = visitor;
    const [first]: { id: string }[] = await scenarioRunsOf(api, after);
    await visitor.go(`/scenario-runs/${first?.id}`);
    await page.locator('.criterion').first().waitFor();
    expect(await page.locator('.transcript').innerText()).not.toContain('These are the last words.');
    await page.emulateMedia({ media: 'print' });
    const replies = page.locator('.message.agent', { hasText: 'These are the last words.' });
    await eventually(async () => expect(await replies.count()).toBe(5));
    const cut: string = await page.evaluate(`[...document.querySelectorAll('.checklist, .message')]
      .filter((one) => one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).overflowY !== 'visible').length`);
    expect(cut).toBe(0);
  });

  it('a comparison has every scenario that changed, not only the first page of them', async () => {
    const { page } = visitor;
    await visitor.go(`/compare?base=${before}&head=${after}`);
    await page.getByRole('heading', { name: `Better: ${SCENARIOS} scenarios` }).waitFor();
    const rows = page.locator('table.compared tbody tr');
    await eventually(async () => expect(await rows.count()).toBe(20));
    await page.emulateMedia({ media: 'print' });
    await eventually(async () => expect(await rows.count()).toBe(SCENARIOS));
    expect(await rows.last().innerText()).toContain('Scenario');
    // With each of its conversations, of both runs.
    await eventually(async () => expect(await rows.locator('.trial-mark').count()).toBe(2 * SCENARIOS));
  });
});

/** The addresses of a PDF's links; its objects may be packed. */
function linksIn(pdf: Buffer): string {
  const packed = [...pdf.toString('latin1').matchAll(/stream\r?\n/g)].map(({ index, 0: { length } }) => {
    try {
      return inflateSync(pdf.subarray(index + length)).toString('latin1');
    } catch {
      // The end of a stream, or a picture.
      return '';
    }
  });
  return [pdf.toString('latin1'), ...packed].join('\n');
}

function scenario(number: number): NewScenario {
  return {
    name: `Scenario ${String(number).padStart(3, '0')}`,
    category: number % 2 === 0 ? 'emergency' : 'triage',
    scenarioType: 'custom',
    severity: 'medium',
    isActive: true,
    approved: true,
    priority: null,
    content: { script: 'You sweat. You feel sick.', demographics: {}, chief_complaint: 'My chest hurts.' },
    rubricCriteria: [CALLS_AMBULANCE],
    tags: [],
  };
}
