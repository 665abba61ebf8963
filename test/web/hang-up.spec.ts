import type { FakeAgent } from '../fakes/fake-agent';
import { END_TOOL, startHangingUpOpenAi } from '../fakes/openai-hanging-up';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createAgent, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

describeWithBrowser('A conversation that the agent ended', () => {
  let agent: FakeAgent;
  let service: TestService;
  let visitor: PageVisitor;
  let runId: string;
  let unanswered: string;

  beforeAll(async () => {
    agent = await startHangingUpOpenAi(3, null);
    service = await startTestService({}, { pageFolder: await builtPage() });
    const api = new ApiClient(service.url);
    await createScenarios(api, 1);
    const agent_id = await createAgent(api, agent.baseUrl, { end_tools: [END_TOOL] });
    runId = (await api.post('/start-run', { agent_id, max_turns: 6 })).body.id;
    await untilFinal(api, runId);
    const [scenarioRun] = await scenarioRunsOf(api, runId);
    unanswered = scenarioRun?.metadata.unanswered_message;
    visitor = await PageVisitor.open(service.url);
    await visitor.go(`/scenario-runs/${scenarioRun?.id}`);
    await visitor.page.locator('.criterion').first().waitFor();
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await agent?.close();
  });

  it('says so after its last turn, and what it hung up on', async () => {
    const end = visitor.page.locator('.early-end');
    await end.getByText('The agent ended the conversation after turn 2 of 6.').waitFor();
    expect(await end.locator('.says').innerText()).toBe(unanswered);
  });

  it('says so in the list of its run', async () => {
    await visitor.go(`/runs/${runId}`);
    await visitor.page.getByText('the agent ended the conversation').waitFor();
  });
});
