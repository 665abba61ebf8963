import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

describeWithBrowser('Several agents in one go', () => {
  let service: TestService;
  let api: ApiClient;
  let visitor: PageVisitor;
  const fakes: FakeAgent[] = [];

  beforeAll(async () => {
    service = await startTestService({}, { pageFolder: await builtPage() });
    api = new ApiClient(service.url);
    const agents = {
      'Triage line': await startFakeOpenAi({ reply: () => GOOD_REPLY }),
      'Chat <b>page</b>\u202e': await startFakeOpenAi({ reply: () => 'Drink some tea.' }),
      'Slow line': await startFakeOpenAi({ delayMs: 600_000 }),
    };
    for (const [name, fake] of Object.entries(agents)) {
      fakes.push(fake);
      const id = await createAgent(api, fake.baseUrl, { turn_timeout_ms: 600_000 });
      await api.patch(`/api/v1/agents/${id}`, { name });
    }
    await createScenarios(api, 8);
    visitor = await PageVisitor.open(service.url);
  });
  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    for (const fake of fakes) await fake.close();
    expect(visitor.complaints).toEqual([]);
  });

  const choose = async (first: string, ...others: string[]): Promise<void> => {
    const { page } = visitor;
    await visitor.go('/start');
    await page.getByLabel('Agent', { exact: true }).selectOption({ label: `${first} (OpenAI-compatible)` });
    for (const name of others) await page.getByRole('button', { name }).click();
  };
  const idOfSet = async (): Promise<string> => {
    await visitor.page.waitForURL(/\/sets\/[0-9a-f-]{36}/);
    return new URL(visitor.page.url()).pathname.split('/').at(-1) ?? '';
  };
  const seen = async (name: string): Promise<void> => {
    await visitor.picture(name);
    expect({ name, findings: await visitor.findings() }).toEqual({ name, findings: [] });
  };

  it('are chosen in the form, started together, and told apart in a sentence once they have ended', async () => {
    const { page } = visitor;
    await choose('Triage line', 'Chat');
    await page.getByText('are each examined with 8 scenarios').waitFor();
    await page.getByLabel('Name of the run').fill('Which line');
    await seen('start-several');
    await page.getByRole('button', { name: 'Start the runs' }).click();
    const id = await idOfSet();
    const { body: set } = await api.get(`/api/v1/run-sets/${id}`);
    for (const run of set.runs) await untilFinal(api, run.id);

    await page.getByRole('heading', { name: 'Which line', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'The two runs differ by more than chance explains.' }).waitFor();
    await page.getByText('Triage line passes 100 points more often than Chat <b>page</b>').waitFor();
    expect(await page.getByRole('button', { name: 'Cancel all runs' }).count()).toBe(0);
    await seen('run-set');
    await page.setViewportSize({ width: 390, height: 844 });
    await seen('run-set-phone');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.setViewportSize({ width: 1280, height: 800 });

    await page.getByRole('link', { name: /^Details: Triage line and Chat/ }).click();
    await page.getByRole('heading', { name: 'Compare two runs', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Grid of the runs' }).click();
    await page.getByRole('heading', { name: 'Grid of 2 runs', level: 1 }).waitFor();
    await visitor.go(`/runs/${set.runs[0].id}`);
    await page.getByRole('link', { name: 'all of them, and how they compare' }).click();
    await page.waitForURL(`**/sets/${id}`);
  });

  it('are canceled together', async () => {
    const { page } = visitor;
    await choose('Slow line', 'Triage line');
    await page.getByRole('button', { name: 'Start the runs' }).click();
    const id = await idOfSet();
    await page.getByText('The runs are compared with each other when all of them have ended.').waitFor();
    const { body: set } = await api.get(`/api/v1/run-sets/${id}`);
    await untilFinal(api, set.runs[1].id);
    await page.getByRole('button', { name: 'Cancel all runs' }).click();
    await page.getByRole('button', { name: 'Yes, cancel all runs' }).click();
    await page.getByText('Cannot tell Slow line and Triage line apart').waitFor();
    expect((await api.get(`/api/v1/run-sets/${id}`)).body.runs).toMatchObject([
      { status: 'canceled' },
      { status: 'completed' },
    ]);
  });

  it('are not found any more once their runs are deleted', async () => {
    const { page } = visitor;
    await visitor.go('/sets/00000000-0000-4000-8000-000000000000');
    await page.getByText('Run set not found').waitFor();
  });
});
