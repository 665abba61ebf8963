import type { FakeAgent } from '../fakes/fake-agent';
import { sendJson, type Step } from '../fakes/http-stub';
import { hang } from '../fakes/misbehaviour';
import { completion, startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { startServiceProcess, type ServiceProcess } from '../setup/service-process';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

/** The states of a conversation of five turns that passes, from the first reply on. */
const FROM_THE_FIRST_REPLY = [
  ...Array.from({ length: 5 }, (_, index) => [
    'active.conversing.awaitingReply',
    'active.conversing.recordingTurn',
    index === 4 ? 'active.grading.judging' : 'active.conversing.composing',
  ]).flat(),
  'active.grading.recordingVerdict',
  'passed',
];

describeWithBrowser('the state charts on the page', () => {
  let database: TestDatabase;
  let agent: FakeAgent;
  let service: TestService;
  let visitor: PageVisitor;
  beforeEach(async () => {
    const pageFolder = await builtPage();
    database = await createTestDatabase();
    agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
    service = await startTestService({}, { database, pageFolder });
    visitor = await PageVisitor.open(service.url);
  });
  afterEach(async () => {
    await visitor.close();
    await service.close();
    await agent.close();
    await database.drop();
  });

  /** A run of one scenario, started at a service; answers the ids of both. */
  async function startOne(url: string): Promise<{ id: string; scenarioRunId: string }> {
    const api = new ApiClient(url);
    const agent_id = await createAgent(api, agent.baseUrl);
    const scenario_ids = await createScenarios(api, 1, { name: 'Crushing chest pain' });
    const { body } = await api.post('/start-run', { agent_id, scenario_ids, max_turns: 5 });
    const [scenarioRun] = await scenarioRunsOf(api, body.id);
    return { id: String(body.id), scenarioRunId: String(scenarioRun.id) };
  }

  /** From now on keeps every state that is lit on the chart. */
  const noteStates = () =>
    visitor.page.evaluate(`
      const chart = document.querySelector('svg.chart');
      window.litStates = [chart.dataset.state];
      new MutationObserver(() => {
        const lit = document.querySelector('.state.lit')?.dataset.id;
        if (lit !== window.litStates.at(-1)) window.litStates.push(lit);
      }).observe(chart, { subtree: true, attributes: true, childList: true });
    `);

  const untilLit = (state: string) => visitor.page.waitForSelector(`.state.lit[data-id="${state}"]`);

  it('a live scenario run is seen moving through every state', async () => {
    const release: (() => void)[] = [];
    agent.next((response) => release.push(() => sendJson(response, 200, completion(GOOD_REPLY))));
    const { scenarioRunId } = await startOne(service.url);
    await agent.until(() => release.length === 1);

    await visitor.go('/inspect');
    await visitor.page.getByRole('cell', { name: 'awaiting reply' }).waitFor();
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('inspect-list');
    await visitor.page.getByRole('link', { name: 'Crushing chest pain' }).click();
    await untilLit('active.conversing.awaitingReply');
    await visitor.page.getByText('Following live.').waitFor();
    await visitor.picture('inspect-live');
    await noteStates();
    release[0]?.();
    await untilLit('passed');
    expect(await visitor.page.evaluate('window.litStates')).toEqual(FROM_THE_FIRST_REPLY);
    await visitor.page.getByText('Ended; read from the log.').waitFor();
    // Two steps before the first reply, then one for every state but the one that was lit when it came.
    const steps = visitor.page.getByRole('list', { name: /^Transitions/ }).getByRole('button');
    await eventually(async () => expect(await steps.count()).toBe(2 + FROM_THE_FIRST_REPLY.length));
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('inspect-ended');

    // Any step can be gone back to, by the keyboard too.
    await steps.nth(1).focus();
    await visitor.page.keyboard.press('Enter');
    await untilLit('active.grading.recordingVerdict');
    await visitor.page.getByRole('button', { name: 'Back to live' }).click();
    await untilLit('passed');

    // And from the pages of the scenario run and of its run.
    await visitor.page.getByRole('link', { name: 'Open the scenario run' }).click();
    await visitor.page.getByRole('link', { name: 'State chart' }).click();
    await untilLit('passed');
    await visitor.page.getByRole('link', { name: 'Chart of its run' }).click();
    await untilLit('completed');
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('inspect-run');
    await visitor.page.getByRole('link', { name: 'Open the run' }).click();
    await visitor.page.getByRole('link', { name: 'State chart' }).waitFor();
    await visitor.go(`/inspect/${scenarioRunId}`);
    await untilLit('passed');
    expect(visitor.complaints).toEqual([]);
  });

  it('is read in the dark and on a phone', async () => {
    const { id, scenarioRunId } = await startOne(service.url);
    await untilFinal(new ApiClient(service.url), id, 60_000);
    await visitor.page.emulateMedia({ colorScheme: 'dark' });
    await visitor.go(`/inspect/${scenarioRunId}`);
    await untilLit('passed');
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('inspect-dark');
    await visitor.page.setViewportSize({ width: 360, height: 740 });
    const overflow = await visitor.page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('inspect-phone');
    expect(visitor.complaints).toEqual([]);
  });

  it('both attempts of a scenario run are shown whose process was killed and that went on elsewhere', async () => {
    const answer: Step = (response) => sendJson(response, 200, completion(GOOD_REPLY));
    agent.next(answer, answer, hang());
    const killed: ServiceProcess = await startServiceProcess({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' });
    try {
      const { id, scenarioRunId } = await startOne(killed.url);
      await agent.until(() => agent.requests.length === 3);
      await visitor.go(`/inspect/${scenarioRunId}`);
      // The two processes have no bus in common: the log tells where it stood, and the page says so.
      await visitor.page.getByText('did not answer').waitFor();
      await untilLit('active.conversing.composing');
      await visitor.picture('inspect-unanswered');
      await killed.end('SIGKILL');
      // The lease runs out, this process goes on with it, and the page shows how.
      await untilLit('passed');
      await eventually(async () => {
        const facts = await visitor.page.locator('dl.facts').innerText();
        expect(facts.replaceAll(/\s+/g, ' ')).toContain('Attempt 1 ended interrupted Attempt 2 ended passed');
      });
      const log = visitor.page.getByRole('list', { name: /^Transitions/ });
      expect(await log.locator('.attempt-begins').allInnerTexts()).toEqual(['Attempt 2', 'Attempt 1']);
      await visitor.picture('inspect-two-attempts');
      await untilFinal(new ApiClient(service.url), id, 60_000);
      expect(visitor.complaints).toEqual([]);
    } finally {
      await killed.end('SIGKILL');
    }
  });
});
