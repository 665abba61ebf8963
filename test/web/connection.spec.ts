import type { FakeAgent } from '../fakes/fake-agent';
import { sendJson, type Step } from '../fakes/http-stub';
import { completion, startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { startTcpProxy, type TcpProxy } from '../setup/tcp-proxy';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const KEY = 'k-of-the-clinic-by-the-sea';

/** The agent's next replies come when they are let go: a page that opens late still sees who waits for them. */
function holdReplies(agent: FakeAgent, count: number): () => void {
  const letGo: (() => void)[] = [];
  const hold: Step = (response) => void letGo.push(() => sendJson(response, 200, completion(GOOD_REPLY)));
  agent.next(...Array.from({ length: count }, () => hold));
  return () => letGo.forEach((reply) => reply());
}

describeWithBrowser('A service with a key', () => {
  let agent: FakeAgent;
  let service: TestService;
  let visitor: PageVisitor;
  let api: ApiClient;

  beforeAll(async () => {
    agent = await startFakeOpenAi({ reply: () => GOOD_REPLY, delayMs: 300 });
    service = await startTestService({ SERVICE_API_KEY: KEY }, { pageFolder: await builtPage() });
    api = new ApiClient(service.url, { 'x-api-key': KEY });
    visitor = await PageVisitor.open(service.url);
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await agent?.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('is opened by typing the key, asked for again when it is wrong', async () => {
    const { page } = visitor;
    await visitor.go('/');
    const dialog = page.getByRole('dialog', { name: 'This service requires a key' });
    await dialog.waitFor();
    await visitor.picture('key');
    expect(await visitor.findings()).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(true);
    await page.getByLabel('Service key').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The key you entered is not valid.').waitFor();
    await page.getByLabel('Service key').fill(KEY);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('heading', { name: 'No runs yet' }).waitFor();
    expect(await dialog.isVisible()).toBe(false);
  });

  it('is watched live and downloaded from with it', async () => {
    const { page } = visitor;
    await createScenarios(api, 2);
    const letGo = holdReplies(agent, 2);
    const { body } = await api.post('/start-run', { agent_id: await createAgent(api, agent.baseUrl) });
    await visitor.go(`/runs/${body.id}`);
    await page.getByRole('button', { name: 'running 2' }).waitFor();
    await agent.until(() => agent.requests.length >= 2);
    letGo();
    await page.getByText('2 / 2 finished').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
  });

  it('shows its API with the key, and asks for it where there is none', async () => {
    const { page } = visitor;
    await visitor.go('/agents');
    await page.getByRole('link', { name: 'API', exact: true }).click();
    await page.getByText('Start a test run', { exact: true }).waitFor();
    await visitor.picture('api');
    const [key] = await page.evaluate<string[]>('[sessionStorage.getItem(sessionStorage.key(0))]');
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
    await page.getByLabel('Service key').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The key you entered is not valid.').waitFor();
    expect(await visitor.findings()).toEqual([]);
    await page.getByLabel('Service key').fill(key ?? '');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('Start a test run', { exact: true }).waitFor();
    expect(await page.getByLabel('Service key').isVisible()).toBe(false);
    await visitor.go('/runs');
  });

  it('is closed again when the key is forgotten', async () => {
    const { page } = visitor;
    expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(1);
    await page.getByRole('button', { name: 'Remove key' }).click();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.reload();
    await page.getByRole('dialog').waitFor();
  });
});

describeWithBrowser('A service that goes out of reach', () => {
  let agent: FakeAgent;
  let service: TestService;
  let proxy: TcpProxy;
  let visitor: PageVisitor;
  let api: ApiClient;

  beforeAll(async () => {
    agent = await startFakeOpenAi({ reply: () => GOOD_REPLY, delayMs: 400 });
    service = await startTestService({}, { pageFolder: await builtPage() });
    proxy = await startTcpProxy(service.url);
    api = new ApiClient(service.url);
    visitor = await PageVisitor.open(new URL(proxy.url).origin);
  });

  afterAll(async () => {
    await visitor?.close();
    await proxy?.close();
    await service?.close();
    await agent?.close();
  });

  it('is said so, and every event is there when it is back', async () => {
    const { page } = visitor;
    const scenario_ids = await createScenarios(api, 4);
    const agent_id = await createAgent(api, agent.baseUrl);
    const letGo = holdReplies(agent, 2);
    const { body } = await api.post('/start-run', { agent_id, scenario_ids, concurrency_limit: 2 });
    await visitor.go(`/runs/${body.id}`);
    await page.locator('.status.running').nth(1).waitFor();
    proxy.cut();
    await page.getByText('Reconnecting. The run continues on the server.').waitFor();
    await agent.until(() => agent.requests.length >= 2);
    letGo();
    await untilFinal(api, body.id, 60_000);
    await proxy.restore();
    await page.getByText('4 / 4 finished').waitFor();
    await page.getByText('Reconnecting. The run continues on the server.').waitFor({ state: 'detached' });
    await page.locator('.scenario-row .status.passed').nth(3).waitFor();
  });

  it('is asked again when the reader wants', async () => {
    const { page } = visitor;
    await visitor.go('/agents');
    await page.locator('table.rows').waitFor();
    proxy.cut();
    await page.getByRole('link', { name: 'Suites' }).click();
    await page.getByText('The service is out of reach. Is it running?').waitFor();
    await proxy.restore();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'No suites yet' }).waitFor();
  });
});
