import { z } from 'zod';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeHttpAgent } from '../fakes/http-agent-server';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const sent = z.object({ session: z.string() });
const KEY = 'key-0123456789abcdef';

describeWithBrowser('Somebody whose agent has an API of its own', () => {
  let agent: FakeAgent;
  let service: TestService;
  let api: ApiClient;
  let visitor: PageVisitor;

  beforeAll(async () => {
    agent = await startFakeHttpAgent({ reply: () => GOOD_REPLY, apiKey: KEY });
    service = await startTestService({}, { pageFolder: await builtPage() });
    api = new ApiClient(service.url);
    await createScenarios(api, 1);
    visitor = await PageVisitor.open(service.url);
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await agent?.close();
    expect(visitor.complaints).toEqual([]);
  });

  const field = (label: string) => visitor.page.getByLabel(new RegExp(`^${label}( \\(optional\\))?$`));
  const tryIt = () => visitor.page.getByRole('button', { name: 'Send it' }).click();
  const outcome = (text: string) => visitor.page.locator('.try').getByText(text).waitFor();

  it('is told before anything is sent that the body is no JSON', async () => {
    const { page } = visitor;
    await visitor.go('/agents/new');
    await page.getByRole('radio', { name: /^Any HTTP API/ }).check();
    await field('Address').fill(`${agent.baseUrl}/talk`);
    await field('Body').fill('{ "say": {{message}} }');
    await tryIt();
    await outcome('Nothing was sent: correct the marked fields first.');
    expect(await field('Body').getAttribute('aria-invalid')).toBe('true');
    expect(agent.requests).toHaveLength(0);
  });

  it('is told where the reply is not, and finds it by trying, before the agent is registered', async () => {
    await field('Body').fill('{ "say": "{{message}}", "session": "{{session_id}}" }');
    await field('API key').fill(KEY);
    await field('Where the reply is').fill('data.answer');
    await tryIt();
    await outcome('data.answer');
    await field('Where the reply is').fill('data.reply');
    await tryIt();
    // A second message tells whether the conversation is carried on.
    await visitor.page.locator('.try .message.agent').getByText(GOOD_REPLY).nth(1).waitFor();
    expect(agent.requests.at(-2)).toMatchObject({
      headers: { authorization: `Bearer ${KEY}` },
      body: { say: 'Hello, I would like to ask something about my health.', session: expect.stringMatching(/\S/) },
    });
    expect((await api.get('/api/v1/agents')).body).toEqual([]);
    await visitor.picture('http-agent-tried');
    expect(await visitor.findings()).toEqual([]);
  });

  it('registers it as it was tried, and hides its key on the page', async () => {
    const { page } = visitor;
    await page.getByLabel('Name', { exact: true }).fill('Triage service');
    await page.getByRole('button', { name: 'Register the agent' }).click();
    await page.getByRole('heading', { name: 'Triage service', level: 1 }).waitFor();
    const [stored] = (await api.get('/api/v1/agents')).body;
    expect(stored).toMatchObject({
      name: 'Triage service',
      provider: 'http',
      config: {
        url: `${agent.baseUrl}/talk`,
        body: { say: '{{message}}', session: '{{session_id}}' },
        reply_path: 'data.reply',
        api_key: KEY,
      },
    });
    expect(await page.locator('main').innerText()).not.toContain(KEY);
    await page.getByRole('link', { name: 'Connection' }).click();
    expect(await field('API key').getAttribute('type')).toBe('password');
  });

  it('fills the form from a curl line, and finds the reply in the answer', async () => {
    const { page } = visitor;
    await visitor.go('/agents/new');
    await page.getByText('Paste a curl line').click();
    await field('curl line').fill('curl -d @file http://a.example');
    await page.getByRole('button', { name: 'Fill in the form' }).click();
    await page.getByText('The line takes its data from a file (@…)').waitFor();
    const body = '{"say": "Good morning", "session": "abc"}';
    await field('curl line').fill(`curl -L ${agent.baseUrl}/talk -H 'Authorization: Bearer ${KEY}' --json '${body}'`);
    await field('Its message').fill('Good morning');
    await page.getByRole('button', { name: 'Fill in the form' }).click();
    await page.getByText('The form is filled in. The patient’s message stands in body.say').waitFor();
    await page.getByText('--location is left out').waitFor();
    expect(await field('Address').inputValue()).toBe(`${agent.baseUrl}/talk`);
    await tryIt();
    const find = page.getByRole('button', { name: 'Find the reply in its answer' });
    await find.waitFor();
    await visitor.picture('curl-line-tried', { fullPage: false });
    expect(await visitor.findings()).toEqual([]);
    await find.click();
    await page.locator('.try .message.agent').getByText(GOOD_REPLY, { exact: true }).first().waitFor();
    expect(await field('Where the reply is').inputValue()).toBe('data.reply');
    expect(await find.count()).toBe(0);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Agents' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Triage service' }).click();
    await page.getByRole('heading', { name: 'Triage service', level: 1 }).waitFor();
  });

  it('starts a run with it, which ends with every scenario passed', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Examine this agent' }).click();
    await page.getByText(/Triage service is examined with 1 scenario/).waitFor();
    await page.getByRole('button', { name: 'Start the run' }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await untilFinal(api, id)).toMatchObject({ status: 'completed', passed_count: 1, error_count: 0 });
    await page.getByRole('region', { name: 'Result' }).getByText('100\u00a0%', { exact: true }).waitFor();
    const [{ turns }] = await scenarioRunsOf(api, id);
    const sessions = agent.requests.slice(-turns).map(({ body }) => sent.parse(body).session);
    expect(new Set(sessions).size).toBe(1);
  });

  it('is warned of what looks like a secret where everybody sees it', async () => {
    const { page } = visitor;
    const config = { url: `${agent.baseUrl}/hooks/qW3eR5tY7uI9oP1aS2dF4gH6`, body: { say: '{{message}}' } };
    const { body: hook } = await api.post('/api/v1/agents', { name: 'Hook', provider: 'http', config });
    await visitor.go(`/agents/${hook.id}/connection`);
    await page.getByText('config.url seems to hold a secret in its path').waitFor();
    expect(await visitor.findings()).toEqual([]);
    await field('Address').fill(`${agent.baseUrl}/talk`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await page.getByText('config.url seems to hold').count()).toBe(0);
    await api.delete(`/api/v1/agents/${hook.id}`);
  });
});
