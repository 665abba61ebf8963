import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { ScenariosStore, type NewScenario } from '../../src/features/scenarios/scenarios.store';
import type { FakeAgent } from '../fakes/fake-agent';
import { hang } from '../fakes/misbehaviour';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { CALLS_AMBULANCE, createAgent, GOOD_REPLY, scenarioRunsOf } from '../setup/examination';
import { eventually } from '../setup/eventually';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const SCENARIOS = 500;
/** Replies this slow, so many at once: some 200 events a second. */
const PACE = { delayMs: 600, concurrency_limit: 100 };
const LONGEST_TASK_MS = 100;
const WATCHED_MS = 4_000;

/**
 * Lets the page work for a while, then tells how it went: the longest time that one task kept its main thread busy (the
 * thread's own clock: what the machine does for others does not count), the longest time between two frames by the clock on
 * the wall, and how many events arrived.
 */
async function watch(
  page: Page,
): Promise<{ longestTaskMs: number; longestGapMs: number; frames: number; events: number }> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('The page has no browser.');
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  const seen = watched.parse(await page.evaluate(WATCH));
  const { traceEvents } = trace.parse(JSON.parse((await browser.stopTracing()).toString()));
  const mainThreads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const isMain = ({ pid, tid }: TraceEvent) => mainThreads.some((thread) => thread.pid === pid && thread.tid === tid);
  const tasks = traceEvents.filter((event) => event.name.endsWith('RunTask') && isMain(event));
  if (tasks.length === 0) throw new Error('The trace holds no task of the page.');
  return { ...seen, longestTaskMs: Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000 };
}

const watched = z.object({ longestGapMs: z.number(), frames: z.number(), events: z.number() });
const traceEvent = z.object({
  name: z.string(),
  pid: z.number(),
  tid: z.number(),
  /** Microseconds of the thread's own clock. */
  tdur: z.number().optional(),
  args: z.looseObject({ name: z.unknown().optional() }).optional(),
});
type TraceEvent = z.output<typeof traceEvent>;
const trace = z.object({ traceEvents: z.array(traceEvent) });

const WATCH = `new Promise((resolve) => {
  const watched = { longestGapMs: 0, frames: 0, events: 0 };
  const begun = performance.now();
  const before = window.eventsReceived;
  let last = begun;
  const frame = (now) => {
    watched.longestGapMs = Math.max(watched.longestGapMs, now - last);
    watched.frames += 1;
    last = now;
    watched.events = window.eventsReceived - before;
    if (now - begun < ${WATCHED_MS}) requestAnimationFrame(frame);
    else resolve(watched);
  };
  requestAnimationFrame((now) => { last = now; requestAnimationFrame(frame); });
})`;

/** Before the page's own script: counts what its event source receives. */
const COUNT_EVENTS = `
  window.eventsReceived = 0;
  const Native = window.EventSource;
  window.EventSource = class extends Native {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', () => { window.eventsReceived += 1; });
    }
  };`;

describeWithBrowser(`A run of ${SCENARIOS} scenarios`, () => {
  let agent: FakeAgent;
  let service: TestService;
  let api: ApiClient;
  let visitor: PageVisitor;
  let run: string;

  beforeAll(async () => {
    agent = await startFakeOpenAi({ reply: () => GOOD_REPLY, delayMs: PACE.delayMs });
    service = await startTestService({}, { pageFolder: await builtPage() });
    api = new ApiClient(service.url);
    const agentId = await createAgent(api, agent.baseUrl, { turn_timeout_ms: 120_000 });
    await service.app
      .get(ScenariosStore)
      .createAll(Array.from({ length: SCENARIOS }, (_, index) => scenario(index + 1)));
    visitor = await PageVisitor.open(service.url);
    await visitor.page.addInitScript(COUNT_EVENTS);
    // However late the page is, the run is not over before it is canceled.
    agent.next(hang());
    const { body } = await api.post('/start-run', { agent_id: agentId, concurrency_limit: PACE.concurrency_limit });
    run = body.id;
    await visitor.go(`/runs/${run}`);
    await visitor.page.locator('.scenario-row').first().waitFor();
  });

  afterAll(async () => {
    await visitor?.close();
    await api?.post('/cancel-run', { test_run_id: run });
    await service?.close();
    await agent?.close();
  });

  it('stays responsive while events arrive', async () => {
    const seen = await watch(visitor.page);
    if (process.env['SHOW_MEASUREMENTS'] !== undefined) process.stdout.write(`${JSON.stringify(seen)}\n`);
    expect(seen.events).toBeGreaterThan(0);
    expect(seen.longestTaskMs).toBeGreaterThan(0);
    expect(seen.longestTaskMs).toBeLessThanOrEqual(LONGEST_TASK_MS);
  });

  it('draws only what is on the screen, wherever one scrolls', async () => {
    const { page } = visitor;
    const rows = page.locator('.scenario-row');
    expect(await rows.count()).toBeLessThan(60);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await page.getByRole('link', { name: `Scenario ${SCENARIOS}` }).waitFor();
    expect(await rows.count()).toBeLessThan(60);
    expect(await rows.last().getAttribute('aria-posinset')).toBe(String(SCENARIOS));
    await visitor.picture('many-scenarios', { fullPage: false });
  });

  it('keeps every row in its place while the run goes on', async () => {
    const { page } = visitor;
    await page.evaluate('scrollTo(0, 0)');
    const tenth = page.getByRole('link', { name: 'Scenario 010' });
    await tenth.waitFor();
    const place = await tenth.boundingBox();
    for (let look = 0; look < 5; look += 1) {
      await sleep(200);
      expect(await tenth.boundingBox()).toEqual(place);
    }
  });

  it('shows in the end what the service says', async () => {
    // A filter is offered for what there is.
    await eventually(async () => expect((await api.get(`/api/v1/tests/${run}`)).body.passed_count).toBeGreaterThan(0));
    await api.post('/cancel-run', { test_run_id: run });
    await visitor.page.locator('.facts .status.canceled').waitFor();
    const { body } = await api.get(`/api/v1/tests/${run}`);
    const finished = SCENARIOS - Number(body.canceled_count);
    await visitor.page.getByText(`${finished} / ${SCENARIOS} finished before the run was canceled`).waitFor();
    const filter = visitor.page.getByRole('button', { name: /^passed / });
    await eventually(async () =>
      expect(await filter.innerText()).toMatch(new RegExp(`passed\\s+${body.passed_count}$`)),
    );
    const runs: { status: string; scenario_name: string }[] = await scenarioRunsOf(api, run);
    const first = visitor.page.locator('.scenario-row').first();
    expect(await first.innerText()).toContain(runs[0]?.scenario_name);
    expect(await first.innerText()).toContain(runs[0]?.status);
    expect(visitor.complaints).toEqual([]);
  });
});

function scenario(number: number): NewScenario {
  return {
    name: `Scenario ${String(number).padStart(3, '0')}`,
    category: 'emergency',
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
