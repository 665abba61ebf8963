import { Webhook } from 'standardwebhooks';
import { startFakeOpenAi } from '../fakes/openai-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { startHttpStub, type HttpStub } from '../fakes/http-stub';
import { status } from '../fakes/misbehaviour';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { eventually } from '../setup/eventually';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';
import { WEBHOOK_EVENTS } from '../../contract/webhooks';

describeWithBrowser('Somebody who has another program told', () => {
  let agent: FakeAgent;
  let receiver: HttpStub;
  let service: TestService;
  let api: ApiClient;
  let visitor: PageVisitor;
  let secret: string;

  beforeAll(async () => {
    agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
    receiver = await startHttpStub((response) => response.writeHead(204).end());
    service = await startTestService({}, { pageFolder: await builtPage() });
    api = new ApiClient(service.url);
    visitor = await PageVisitor.open(service.url);
    await visitor.page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await receiver?.close();
    await agent?.close();
    expect(visitor.complaints).toEqual([]);
  });

  const stored = async () => (await api.get('/api/v1/webhooks')).body.webhooks;
  const button = (name: string) => visitor.page.getByRole('button', { name, exact: true });
  const newest = () => visitor.page.locator('.deliveries tbody tr').first();

  it('finds webhooks in the navigation, and is told what they are for while there is none', async () => {
    await visitor.go('/');
    await visitor.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Webhooks' }).click();
    await visitor.page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    expect(await visitor.findings()).toEqual([]);
  });

  it('is offered every event that the service sends, all of them chosen, and has to choose one', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Add a webhook' }).first().click();
    const events = page.getByRole('group', { name: 'Send a message when' }).getByRole('checkbox');
    await events.first().waitFor();
    expect(await events.evaluateAll((boxes) => boxes.map((box) => box.getAttribute('value')))).toEqual(WEBHOOK_EVENTS);
    await page.getByLabel('Address').fill(`${receiver.origin}/hook`);
    for (const event of await events.all()) await event.uncheck();
    await button('Add the webhook').click();
    expect(await events.first().evaluate((box) => box.matches(':invalid'))).toBe(true);
    expect(await stored()).toEqual([]);
    await events.first().check();
  });

  it('is told why an address is refused, and keeps what it has filled in', async () => {
    const { page } = visitor;
    await page.getByLabel('Address').fill('http://somebody:secret@127.0.0.1/hook');
    await button('Add the webhook').click();
    await page.getByText('must hold no user name and password').waitFor();
    await page.getByLabel('Description').fill('Tells the CI server');
    await eventually(async () => expect(await page.getByText('Unsaved changes').count()).toBe(1));
  });

  it('adds one by a double click, and sees its secret this once', async () => {
    const { page } = visitor;
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']);
    });
    await page.getByLabel('Address').fill(`${receiver.origin}/hook`);
    await button('Add the webhook').dblclick();
    await page.getByRole('heading', { name: 'Webhook added' }).waitFor();
    secret = await page.getByLabel('Secret', { exact: true }).inputValue();
    expect(secret).toMatch(/^whsec_[\w+/]+=*$/);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(await stored()).toEqual([
      expect.objectContaining({
        url: `${receiver.origin}/hook`,
        description: 'Tells the CI server',
        events: ['test_run.finished'],
        is_active: true,
      }),
    ]);
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('webhook-secret');

    await button('Copy').click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await page.getByRole('link', { name: 'Go to the webhook' }).click();
    await page.getByText('Nothing has been sent yet.').waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.goBack();
    await page.getByRole('heading', { name: 'Add a webhook' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.goForward();
  });

  it('sends one test message by a double click, and sees that it has arrived', async () => {
    await button('Send a test message').dblclick();
    await newest().getByText('delivered').waitFor();
    expect(await newest().innerText()).toMatch(/Test[\s\S]*Answered 204\./);
    expect(receiver.requests).toHaveLength(1);
    const [sent] = receiver.requests;
    const headers = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(sent?.headers[name])]),
    );
    expect(new Webhook(secret).verify(JSON.stringify(sent?.body), headers)).toMatchObject({ type: 'webhook.test' });
  });

  it('sees why a message did not arrive and when it is tried again, and sends it again', async () => {
    receiver.next(status(503, { error: 'out for lunch' }));
    await button('Send a test message').click();
    await newest().getByText('The receiver answered 503.').waitFor();
    expect(await newest().innerText()).toMatch(/waiting[\s\S]*Next attempt: [\d:]+\.[\s\S]*out for lunch/);
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('webhook-deliveries');
    const id = receiver.requests.at(-1)?.headers['webhook-id'];
    await newest().getByRole('button', { name: 'Send again' }).click();
    await newest().getByText('delivered').waitFor();
    expect(receiver.requests.at(-1)?.headers['webhook-id']).toBe(id);
  });

  it('finds the run that a message told of', async () => {
    const { page } = visitor;
    const [scenario] = await createScenarios(api, 1);
    const agentId = await createAgent(api, agent.baseUrl);
    const { body: run } = await api.post('/start-run', { agent_id: agentId, scenario_ids: [scenario], max_turns: 5 });
    await untilFinal(api, run.id);
    await receiver.until(() => receiver.requests.length === 4);
    await page.reload();
    await newest().getByText('A run has ended').waitFor();
    await newest().getByRole('link', { name: 'View the run' }).click();
    await page.locator('.scenario-row').first().waitFor();
    expect(new URL(page.url()).pathname).toBe(`/runs/${run.id}`);
    await page.goBack();
  });

  it('edits it, and is asked before it leaves without saving', async () => {
    const { page } = visitor;
    await page.getByLabel('Description').fill('Tells the night shift');
    const question = new Promise<string>((asked) => {
      page.once('dialog', (dialog) => {
        asked(dialog.message());
        void dialog.dismiss();
      });
    });
    await page.getByRole('link', { name: 'Suites' }).click();
    expect(await question).toContain('Leave without saving?');
    await page.getByRole('checkbox', { name: /worse than its baseline/ }).check();
    await button('Save').click();
    await page.getByText('Saved.').waitFor();
    expect(await stored()).toEqual([
      expect.objectContaining({
        description: 'Tells the night shift',
        events: ['test_run.finished', 'comparison.worse'],
      }),
    ]);
  });

  it('pauses it, when nothing can be sent, and resumes it', async () => {
    const { page } = visitor;
    await page.getByLabel('Description').fill('Tells nobody');
    await button('Pause').click();
    await page.getByText('This webhook is paused.').waitFor();
    await eventually(async () => expect(await page.getByText('Unsaved changes').count()).toBe(1));
    await page.getByLabel('Description').fill('Tells the night shift');
    expect(await button('Send a test message').isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Send again' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Webhooks' }).last().click();
    await page.getByRole('cell', { name: 'paused' }).waitFor();
    expect(await visitor.findings()).toEqual([]);
    await page.getByRole('link', { name: `${receiver.origin}/hook` }).click();
    await button('Resume').click();
    await button('Pause').waitFor();
    expect((await stored())[0]).toMatchObject({ is_active: true });
  });

  it('is told when a receiver has had enough', async () => {
    receiver.next(status(410, {}));
    await button('Send a test message').click();
    await newest().getByText('The receiver answered 410.').waitFor();
    await visitor.page.getByText(/Nothing is sent to it until you resume it/).waitFor();
    await button('Resume').click();
    await button('Pause').waitFor();
  });

  it('is told when the list cannot be read, and reads it again', async () => {
    const { page } = visitor;
    await page.route('**/api/v1/webhooks', (route) =>
      route.fulfill({
        status: 500,
        headers: { 'x-request-id': 'r-17' },
        json: { error: 'The database is on fire.' },
      }),
    );
    await visitor.go('/webhooks');
    await page.getByText('The database is on fire. (request r-17)').waitFor();
    await page.unroute('**/api/v1/webhooks');
    await button('Try again').click();
    await page.getByRole('link', { name: `${receiver.origin}/hook` }).waitFor();
  });

  it('deletes it once it has said so', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: `${receiver.origin}/hook` }).click();
    await button('Delete').click();
    await button('Yes, delete').click();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    expect(await stored()).toEqual([]);
  });
});
