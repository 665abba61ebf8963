import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createAgent, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { eventually } from '../setup/eventually';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const MARKUP =
  '<script>window.taken = 1</script><img src="/x" onerror="window.taken = 1"><svg onload="window.taken = 1"></svg>' +
  '<a href="javascript:window.taken = 1">click</a><style>body { display: none }</style>';
const REVERSED = '\u202eecnalubma na llac\u202c \u2067isolated\u2069 \u200bhidden\ufeff';
const LONG_LINE = 'x'.repeat(200_000);
const CONTROLS = 'bell \u0007, escape \u001b[31mred\u001b[0m, backspace \u0008, return \rover it';
/** What the agent says, turn by turn; each also earns its mark. */
const REPLIES = [MARKUP, REVERSED, LONG_LINE, CONTROLS, '\u0301'.repeat(500)].map(
  (text) => `Call an ambulance. ${text}`,
);
const HOSTILE_NAME = `<img src=/x onerror="window.taken = 1"> \u202ereversed`;

describeWithBrowser('A hostile transcript', () => {
  let agent: FakeAgent;
  let service: TestService;
  let visitor: PageVisitor;
  let ids: { run: string; otherRun: string; scenarioRun: string; scenario: string; agent: string };

  beforeAll(async () => {
    agent = await startFakeOpenAi({
      reply: (messages) => REPLIES[messages.filter(({ role }) => role === 'assistant').length] ?? 'Goodbye.',
    });
    service = await startTestService({}, { pageFolder: await builtPage() });
    const api = new ApiClient(service.url);
    const agentId = await createAgent(api, agent.baseUrl);
    await api.patch(`/api/v1/agents/${agentId}`, { name: HOSTILE_NAME, description: HOSTILE_NAME });
    const [scenario = ''] = await createScenarios(api, 1, { name: HOSTILE_NAME, tags: [HOSTILE_NAME] });
    await api.post('/api/v1/test-suites', { name: HOSTILE_NAME, scenario_ids: [scenario] });
    const request = { agent_id: agentId, name: HOSTILE_NAME, max_turns: 5 };
    const runs: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const { body } = await api.post('/start-run', request);
      await untilFinal(api, body.id);
      runs.push(body.id);
    }
    const [run = '', otherRun = ''] = runs;
    const [scenarioRun] = await scenarioRunsOf(api, run);
    await api.put(`/api/v1/agents/${agentId}/baseline`, { test_run_id: run });
    ids = { run, otherRun, scenarioRun: scenarioRun.id, scenario, agent: agentId };
    visitor = await PageVisitor.open(service.url, { viewport: { width: 390, height: 844 } });
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await agent?.close();
  });

  it.each([
    ['/', 'table.rows'],
    ['/runs/{run}', '.scenario-row'],
    ['/scenario-runs/{scenarioRun}', '.criterion'],
    ['/agents', 'table.rows'],
    ['/agents/{agent}', '.baseline a'],
    ['/scenarios', 'table.rows'],
    ['/scenarios/{scenario}', '.past'],
    ['/suites', 'table.rows'],
    ['/start?agent={agent}', '.plan .stack p'],
    ['/compare?base={run}&head={otherRun}', 'table.forest'],
  ])('is harmless on %s', async (path, shown) => {
    visitor.complaints.length = 0;
    await visitor.go(path.replaceAll(/\{(\w+)\}/g, (_, id: keyof typeof ids) => ids[id]));
    await visitor.page.locator(shown).first().waitFor();
    await visitor.page.waitForLoadState('networkidle');
    expect(await visitor.page.evaluate('window.taken')).toBeUndefined();
    expect(await visitor.page.locator('main :is(script, img, style, svg[onload], [onerror])').count()).toBe(0);
    // Nothing that turns the direction of what stands beside it.
    expect(await visitor.page.evaluate('document.title + document.body.innerText')).not.toMatch(
      /[\u0000-\u0008\u000b-\u001f\u200b\u202a-\u202e\u2066-\u2069\ufeff]/,
    );
    expect(await visitor.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(visitor.complaints).toEqual([]);
  });

  it('is shown as it is', async () => {
    const { page } = visitor;
    await visitor.go(`/scenario-runs/${ids.scenarioRun}`);
    const replies = page.locator('.message.agent .untrusted');
    await replies.nth(4).waitFor();
    expect(await replies.nth(0).innerText()).toBe(REPLIES[0]);
    expect(await replies.nth(1).innerText()).toContain('RLOecnalubma na llacPDF');
    await eventually(async () =>
      expect(await replies.nth(1).locator('[title="Right-to-left override (U+202E)"]').count()).toBe(1),
    );
    const controls = await replies.nth(3).innerText();
    for (const symbol of ['\u2407', '\u241b', '\u2408', '\u240d']) expect(controls).toContain(symbol);
    await visitor.picture('hostile-scenario-run');
  });

  it('shows a line of 200 kB in parts, wrapped', async () => {
    const { page } = visitor;
    const message = page.locator('.message.agent').nth(2);
    const before = (await message.locator('.untrusted').innerText()).length;
    expect(before).toBeLessThan(10_000);
    await message.getByRole('button', { name: /characters left/ }).click();
    await eventually(async () =>
      expect((await message.locator('.untrusted').innerText()).length).toBeGreaterThan(before),
    );
    for (let presses = 0; (await message.getByRole('button').count()) > 0; presses += 1) {
      expect(presses).toBeLessThan(20);
      await message.getByRole('button').click();
    }
    expect(await message.locator('.untrusted').innerText()).toBe(REPLIES[2]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });

  it('still shows where the evidence is', async () => {
    await visitor.page.locator('.criterion').first().hover();
    await visitor.page.locator('mark.lit').first().waitFor();
    expect(await visitor.page.locator('mark.lit').first().innerText()).toContain('Call an ambulance.');
  });

  it('of a try is shown the same way', async () => {
    const { page } = visitor;
    await visitor.go('/agents');
    await page.locator('table.rows th a').first().click();
    await page.getByRole('link', { name: 'Connection' }).click();
    await page.getByRole('button', { name: 'Send it' }).click();
    await page.locator('.try .message').waitFor();
    expect(await page.locator('.try .untrusted').innerText()).toBe(REPLIES[0]);
    expect(await page.evaluate('window.taken')).toBeUndefined();
  });
});
