import { startClinicAgent, type ClinicAgent } from '../../src/demo/clinic-agent';
import { DEMO_AGENT_NAME } from '../../src/demo/demo-agent';
import { ScenariosStore } from '../../src/features/scenarios/scenarios.store';
import { seedStarterLibrary } from '../../src/features/scenarios/starter-library';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createAgent } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

describeWithBrowser('A service without runs', () => {
  let service: TestService;
  let api: ApiClient;
  let visitor: PageVisitor;

  beforeAll(async () => {
    service = await startTestService({}, { pageFolder: await builtPage() });
    api = new ApiClient(service.url);
    visitor = await PageVisitor.open(service.url);
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
  });

  const steps = () => visitor.page.locator('.first-step');
  const texts = async () => {
    await visitor.go('/');
    await steps().first().waitFor();
    return steps().allInnerTexts();
  };
  /** What is the thing to do now. */
  const next = () => visitor.page.locator('.first-step .button.primary').innerText();

  it('with nothing in it offers three steps, and leads to the first', async () => {
    const [connect, choose, start] = await texts();
    expect(connect).toMatch(/^1\s+Connect your agent[^]*register the assistant you want to examine/);
    expect(choose).toMatch(/^2\s+Choose scenarios[^]*The library is empty/);
    expect(start).toMatch(/^3\s+Start a run/);
    expect(await next()).toBe('Register an agent');
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('first-steps');
  });

  it('as it is seeded on the first start, is ready: the demo agent stands in for yours', async () => {
    await seedStarterLibrary(service.app.get(ScenariosStore));
    const { body: demo } = await api.post('/api/v1/agents', {
      name: DEMO_AGENT_NAME,
      provider: 'openai',
      config: { base_url: 'http://127.0.0.1:9/v1', model: 'demo-clinic-agent' },
    });
    const [connect, choose] = await texts();
    expect(connect).toMatch(/^1\s[^]*the demo agent stands in for it/);
    expect(choose).toMatch(/^✓\s[^]*60 scenarios to choose from[^]*No clinician has signed 60 of them/);
    expect(await next()).toBe('Start a run');
    await api.delete(`/api/v1/agents/${demo.id}`);
  });

  it('counts an agent of its own as connected, and shows its runs from the first one on', async () => {
    const clinic: ClinicAgent = await startClinicAgent();
    const agent = await createAgent(api, clinic.baseUrl);
    const [connect] = await texts();
    expect(connect).toMatch(/^✓\s[^]*1 agent is registered/);
    await steps().last().getByRole('link', { name: 'Start a run' }).click();
    await visitor.page.getByRole('heading', { name: 'Start a run' }).waitFor();
    await api.post('/start-run', { agent_id: agent, max_scenarios: 1, scheduled_at: '2099-01-01T03:00:00Z' });
    await visitor.go('/');
    await visitor.page.locator('table.rows').waitFor();
    expect(await steps().count()).toBe(0);
    expect(visitor.complaints).toEqual([]);
    await clinic.close();
  });
});
