import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { KEYS, keyVariables } from '../setup/role-keys';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';
import type { Role } from '../../contract/operation';

describeWithBrowser('The page of a service whose keys have roles', () => {
  let agent: FakeAgent;
  let service: TestService;
  let visitor: PageVisitor;
  let agentId: string;
  let scenarioId: string;
  let runId: string;
  let suiteId: string;
  let scenarioRunId: string;
  let webhookId: string;

  beforeAll(async () => {
    agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
    service = await startTestService(keyVariables(), { pageFolder: await builtPage() });
    const api = new ApiClient(service.url, { 'x-api-key': KEYS.admin });
    agentId = await createAgent(api, agent.baseUrl);
    [scenarioId = ''] = await createScenarios(api, 1);
    runId = (await api.post('/start-run', { agent_id: agentId })).body.id;
    await untilFinal(api, runId);
    scenarioRunId = (await api.get(`/api/v1/scenario-runs?test_run_id=${runId}`)).body.results[0].id;
    suiteId = (await api.post('/api/v1/test-suites', { name: 'Gate', scenario_ids: [scenarioId] })).body.id;
    webhookId = (await api.post('/api/v1/webhooks', { url: 'http://127.0.0.1:9/hook' })).body.id;
    visitor = await PageVisitor.open(service.url);
  });
  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await agent?.close();
    expect(visitor.complaints).toEqual([]);
  });

  async function enterAs(role: Role): Promise<void> {
    const { page } = visitor;
    const forget = page.getByRole('button', { name: 'Remove key' });
    await visitor.go('/agents');
    if (await forget.isVisible()) {
      await forget.click();
      await visitor.go('/agents');
    }
    await page.getByLabel('Service key').fill(KEYS[role]);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText(`(${role})`).waitFor();
  }

  const offered = async (path: string, loaded: string, names: readonly string[]): Promise<string[]> => {
    const { page } = visitor;
    await visitor.go(path);
    await page.getByText(loaded).first().waitFor();
    await page.getByText(/^Key “/).waitFor();
    const found: string[] = [];
    for (const name of names) {
      const controls = page
        .getByRole('button', { name, exact: true })
        .or(page.getByRole('link', { name, exact: true }));
      if ((await controls.count()) > 0 && (await controls.first().isEnabled())) found.push(name);
    }
    return found;
  };

  const ON_AGENTS = ['Start a run', 'Register an agent'];
  const ON_AGENT = ['Examine this agent', 'Deactivate', 'Delete', 'Send it', 'Save'];
  const ON_SCENARIO = ['Run this scenario', 'Delete', 'Delete for good'];
  const ON_RUN = ['Grade again with today’s rubric', 'Make this run the agent’s baseline', 'Delete'];

  it.each<readonly [Role, readonly string[], readonly string[], readonly string[], readonly string[]]>([
    ['viewer', [], [], [], []],
    [
      'runner',
      ['Start a run'],
      ['Examine this agent', 'Send it'],
      ['Run this scenario'],
      ['Grade again with today’s rubric'],
    ],
    ['admin', ON_AGENTS, ON_AGENT, ON_SCENARIO, ON_RUN],
  ])('offers a %s what the key may do, and nothing else', async (role, onAgents, onAgent, onScenario, onRun) => {
    await enterAs(role);
    expect(await offered('/agents', 'The assistants under test', ON_AGENTS)).toEqual(onAgents);
    expect(await offered(`/agents/${agentId}/connection`, 'Connection', ON_AGENT)).toEqual(onAgent);
    expect(await offered(`/scenarios/${scenarioId}`, 'Chief complaint', ON_SCENARIO)).toEqual(onScenario);
    expect(await offered(`/runs/${runId}`, 'finished', ON_RUN)).toEqual(onRun);
    expect(await visitor.findings()).toEqual([]);
  });

  it('shows a viewer what forms hold as text, and no form', async () => {
    await enterAs('viewer');
    const { page } = visitor;
    const shown: readonly (readonly [string, string])[] = [
      [`/scenarios/${scenarioId}`, 'Chief complaint'],
      [`/agents/${agentId}/connection`, '"base_url"'],
      [`/suites/${suiteId}`, '1 scenario'],
      [`/webhooks/${webhookId}`, 'Sends a message when'],
      [`/runs/${runId}`, 'finished'],
      [`/scenario-runs/${scenarioRunId}/review`, GOOD_REPLY],
    ];
    for (const [path, words] of shown) {
      await visitor.go(path);
      await page.getByText(words).first().waitFor();
      expect({ path, forms: await page.locator('main form:visible').count() }).toEqual({ path, forms: 0 });
      expect({ path, findings: await visitor.findings() }).toEqual({ path, findings: [] });
    }
    await visitor.go(`/scenarios/${scenarioId}`);
    await page.getByRole('heading', { name: 'Rubric' }).waitFor();
    await visitor.picture('scenario-as-viewer');
  });

  it('says which role a form takes in its place', async () => {
    await enterAs('viewer');
    const { page } = visitor;
    await visitor.go('/start');
    await page.getByText('has the role viewer: this takes a key with the role runner or admin.').waitFor();
    for (const path of [
      '/suites/new',
      '/scenarios/new',
      '/scenarios/generate',
      '/scenarios/import',
      '/webhooks/new',
      '/calibrations',
    ]) {
      await visitor.go(path);
      await page
        .getByText('Your key “viewer-of-the-clinic” has the role viewer: this takes a key with the role admin.')
        .first()
        .waitFor();
      expect({ path, forms: await page.locator('main form:visible').count() }).toEqual({ path, forms: 0 });
    }
  });
});
