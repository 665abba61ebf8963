import { ApiClient } from '../setup/api-client';
import { startFakeOpenAi } from '../fakes/openai-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

describeWithBrowser('A run that is watched, and one after a rubric was changed', () => {
  let service: TestService;
  let api: ApiClient;
  let agent: FakeAgent;
  let visitor: PageVisitor;
  let agentId: string;
  let scenarioIds: string[];
  let release = () => {};
  let isHeld = true;

  beforeAll(async () => {
    service = await startTestService({}, { pageFolder: await builtPage() });
    api = new ApiClient(service.url);
    const released = new Promise<void>((resolve) => (release = resolve));
    let replies = 0;
    agent = await startFakeOpenAi({
      reply: () => GOOD_REPLY,
      // The first replies are given; the others wait until the test has looked.
      mayAnswer: () => ((replies += 1) <= 3 || !isHeld ? Promise.resolve() : released),
    });
    agentId = await createAgent(api, agent.baseUrl);
    scenarioIds = await createScenarios(api, 2);
    visitor = await PageVisitor.open(service.url);
  });
  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await agent?.close();
    expect(visitor.complaints).toEqual([]);
  });

  const run = async (): Promise<string> =>
    (await api.post('/start-run', { agent_id: agentId, scenario_ids: scenarioIds, max_turns: 5 })).body.id;

  it('says how fast the agent answers and what each conversation is doing', async () => {
    const { page } = visitor;
    const id = await run();
    await visitor.go(`/runs/${id}`);
    await page.getByText(/^the agent answers in \d[\d.]* m?s on average$/).waitFor();
    const rows = page.getByRole('list', { name: 'Scenario runs' });
    await rows.getByText(`agent: “${GOOD_REPLY}”`).first().waitFor();
    await visitor.picture('run-under-way', { fullPage: false });
    expect(await visitor.findings()).toEqual([]);
    isHeld = false;
    release();
    await untilFinal(api, id);
    await page.getByRole('region', { name: 'Result' }).waitFor();
    expect(await page.getByText('the agent answers in').count()).toBe(0);
  });

  it('compares what was changed of a rubric line by line', async () => {
    const { page } = visitor;
    const before = await run();
    await untilFinal(api, before);
    const { body: scenario } = await api.get(`/api/v1/scenarios/${scenarioIds[0]}`);
    await api.patch(`/api/v1/scenarios/${scenarioIds[0]}`, {
      rubric_criteria: [
        ...scenario.rubric_criteria,
        { criterion: 'Asks <b>when</b> it began', points: 3, tags: ['history'] },
      ],
    });
    const after = await run();
    await untilFinal(api, after);
    await visitor.go(`/compare?base=${before}&head=${after}`);
    await page.getByText('1 scenario compared. Left out: 1 changed between the runs.').click();
    await page.getByRole('heading', { name: 'Changed between the runs' }).waitFor();
    const left = page.locator('.left-out');
    await left.getByText(scenario.name).click();
    const changes = left.getByRole('region', { name: `Changes of ${scenario.name}` });
    await changes.getByText('Asks <b>when</b> it began').waitFor();
    expect(await changes.locator('.line.new').allInnerTexts()).toEqual([
      expect.stringMatching(/\+3: Asks <b>when<\/b> it began \(history\)/),
    ]);
    expect(await changes.locator('.line.old').count()).toBe(0);
    await visitor.picture('rubric-changed');
    expect(await visitor.findings()).toEqual([]);
  });
});
