import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createAgent, createScenarios, GOOD_REPLY } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { eventually } from '../setup/eventually';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const KEY = 'sk-0123456789abcdef';

describeWithBrowser('Somebody with an edit that is not saved', () => {
  let agent: FakeAgent;
  let stranger: FakeAgent;
  let service: TestService;
  let api: ApiClient;
  let visitor: PageVisitor;
  let agentId: string;

  beforeAll(async () => {
    agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
    stranger = await startFakeOpenAi();
    service = await startTestService({}, { pageFolder: await builtPage() });
    api = new ApiClient(service.url);
    await createScenarios(api, 1);
    agentId = await createAgent(api, agent.baseUrl, { api_key: KEY, model: 'clinic-1' });
    visitor = await PageVisitor.open(service.url);
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await agent?.close();
    await stranger?.close();
    expect(visitor.complaints).toEqual([]);
  });

  /** Does something, and answers what the page asked meanwhile; null when it did not. */
  async function asked(answer: 'stay' | 'leave', act: () => Promise<unknown>): Promise<string | null> {
    let question: string | null = null;
    const listen = (dialog: { message(): string; accept(): Promise<void>; dismiss(): Promise<void> }) => {
      question = dialog.message();
      void (answer === 'leave' ? dialog.accept() : dialog.dismiss());
    };
    visitor.page.on('dialog', listen);
    await act();
    visitor.page.off('dialog', listen);
    return question;
  }

  const name = () => visitor.page.getByLabel('Name', { exact: true });
  const suites = () => visitor.page.getByRole('link', { name: 'Suites' });

  it('is asked before a link leads away, and keeps the edit when it stays', async () => {
    const { page } = visitor;
    await visitor.go('/agents');
    await page.getByRole('main').getByRole('link', { name: 'Agent under test' }).click();
    await page.getByRole('link', { name: 'Connection' }).click();
    await name().fill('Renamed');
    await page.getByText('Unsaved changes').waitFor();
    expect(await asked('stay', () => suites().click())).toContain('Leave without saving?');
    expect(await name().inputValue()).toBe('Renamed');
    expect(new URL(page.url()).pathname).toBe(`/agents/${agentId}/connection`);
  });

  it('is asked before Back, which leads nowhere when it stays', async () => {
    const { page } = visitor;
    const back = () => page.evaluate('new Promise((done) => { history.back(); setTimeout(done, 300); })');
    expect(await asked('stay', back)).toContain('Leave without saving?');
    expect(await name().inputValue()).toBe('Renamed');
    expect(new URL(page.url()).pathname).toBe(`/agents/${agentId}/connection`);
  });

  it('is not asked once it is saved', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    expect(await page.getByText('Unsaved changes').count()).toBe(0);
    expect(await asked('stay', () => suites().click())).toBeNull();
    await page.getByRole('heading', { name: 'No suites yet' }).waitFor();
  });

  it('is not told that an edit is saved by a button that saves something else', async () => {
    const { page } = visitor;
    await visitor.go(`/agents/${agentId}/connection`);
    await name().fill('Renamed again');
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('button', { name: 'Activate', exact: true }).click();
    await page.getByRole('button', { name: 'Deactivate' }).waitFor();
    await eventually(async () => expect(await page.getByText('Unsaved changes').count()).toBe(1));
    expect(await page.getByText('Saved.').count()).toBe(0);
    // Its own change is no conflict with itself.
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    expect((await api.get(`/api/v1/agents/${agentId}`)).body).toMatchObject({ name: 'Renamed again', is_active: true });
  });

  it('leaves when it wants to', async () => {
    const { page } = visitor;
    await visitor.go('/scenarios/new');
    await page.getByLabel('Script').fill('It hurts.');
    expect(await asked('leave', () => suites().click())).toContain('Leave without saving?');
    await page.getByRole('heading', { name: 'No suites yet' }).waitFor();
  });

  it('tries an agent before it is registered', async () => {
    const { page } = visitor;
    await visitor.go('/agents/new');
    await page.getByLabel('Address').fill(agent.baseUrl);
    await page.getByLabel('Model').fill('clinic-9');
    await page.getByRole('button', { name: 'Send it' }).click();
    await page.locator('.try .message.agent').getByText(GOOD_REPLY).waitFor();
    expect(agent.requests.at(-1)?.body).toMatchObject({ model: 'clinic-9' });
    expect((await api.get('/api/v1/agents')).body).toHaveLength(1);
    await visitor.picture('try-before-saving');
    expect(await visitor.findings()).toEqual([]);
  });

  it('tries a change of an agent before it is saved, and sends its secret nowhere else', async () => {
    const { page } = visitor;
    await visitor.go(`/agents/${agentId}/connection`);
    await page.getByLabel('Model').fill('clinic-2');
    await page.getByRole('button', { name: 'Send it' }).click();
    await page.locator('.try .message.agent').getByText(GOOD_REPLY).waitFor();
    expect(agent.requests.at(-1)).toMatchObject({
      headers: { authorization: `Bearer ${KEY}` },
      body: { model: 'clinic-2' },
    });
    expect((await api.get(`/api/v1/agents/${agentId}`)).body.config.model).toBe('clinic-1');
    await page.getByLabel('Address').fill(stranger.baseUrl);
    await page.getByRole('button', { name: 'Send it' }).click();
    await page.getByText('give config.api_key again').waitFor();
    expect(stranger.requests).toHaveLength(0);
  });

  it('starts a run against an agent that it chose, and finds that one chosen the next time', async () => {
    const { page } = visitor;
    await visitor.go('/start');
    const choice = page.getByLabel('Agent', { exact: true });
    await choice.waitFor();
    expect(await choice.inputValue()).toBe('');
    await page.getByText('Choose the agent to examine.').waitFor();
    await choice.selectOption(agentId);
    await page.getByRole('button', { name: 'Start the run' }).click();
    await page.locator('.scenario-row').first().waitFor();
    await visitor.go('/start');
    await choice.waitFor();
    expect(await choice.inputValue()).toBe(agentId);
  });
});
