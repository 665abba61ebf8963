import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { eventually } from '../setup/eventually';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const KEY = 'sk-test-0123456789abcdef';
const HOSTILE = '</pre><img src=/x onerror="window.taken = 1"> \u202ereversed';

describeWithBrowser('What was examined', () => {
  let agent: FakeAgent;
  let service: TestService;
  let api: ApiClient;
  let visitor: PageVisitor;
  let agentId: string;
  let run: string;

  beforeAll(async () => {
    agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
    service = await startTestService({}, { pageFolder: await builtPage() });
    api = new ApiClient(service.url);
    agentId = await createAgent(api, agent.baseUrl, { api_key: KEY, system_prompt: HOSTILE });
    const [scenario = ''] = await createScenarios(api, 1);
    await api.patch(`/api/v1/scenarios/${scenario}`, {
      rubric_criteria: [{ criterion: 'Tells the patient to call an ambulance', points: 7 }],
      approved: true,
    });
    const { body } = await api.post('/start-run', { agent_id: agentId, name: 'Release 1.4', scenario_ids: [scenario] });
    run = String(body.id);
    await untilFinal(api, run);
    await api.patch(`/api/v1/agents/${agentId}`, { config: { model: 'later' } });
    visitor = await PageVisitor.open(service.url);
  });
  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await agent?.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('a run shows the config of its agent as it was, when asked, without its secrets, as text', async () => {
    const { page } = visitor;
    await visitor.go(`/runs/${run}`);
    const config = page.getByRole('region', { name: 'Agent config' });
    await page.getByText('Agent config at the start of the run (secrets masked)').waitFor();
    expect(await config.isVisible()).toBe(false);
    await page.getByText('Agent config at the start of the run (secrets masked)').click();
    await config.waitFor();
    const shown = await config.innerText();
    const { body } = await api.get(`/api/v1/tests/${run}`);
    expect(shown).toBe(JSON.stringify(body.agent_config, null, 2).replace('\u202e', 'RLO'));
    expect(shown).toContain('</pre><img src=/x onerror=');
    expect(shown).not.toContain(KEY);
    expect(shown).not.toContain('later');
    expect(await page.evaluate('window.taken')).toBeUndefined();
    expect(await page.locator('main img').count()).toBe(0);
    await visitor.picture('run-agent-config', { fullPage: false });
    expect(await visitor.findings()).toEqual([]);
  });

  it('a run takes another name, a note and tags while it is looked at, and its list shows them', async () => {
    const { page } = visitor;
    await visitor.go(`/runs/${run}`);
    await page.getByText('Edit name, note and tags').click();
    await page.getByLabel('Name (optional)').fill(' Release 1.5 ');
    await page.getByLabel('Note (optional)').fill(`For the board.\n${HOSTILE}`);
    await page.getByLabel('Tags (optional)').fill(`release gate, ${HOSTILE},`);
    await visitor.picture('run-edited', { fullPage: false });
    expect(await visitor.findings()).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('heading', { name: 'Release 1.5' }).waitFor();
    await visitor.picture('run-noted', { fullPage: false });
    expect((await api.get(`/api/v1/tests/${run}`)).body).toMatchObject({
      name: 'Release 1.5',
      note: `For the board.\n${HOSTILE}`,
      tags: ['release gate', HOSTILE],
    });
    await visitor.go('/');
    const row = page.getByRole('row', { name: 'Release 1.5' });
    await row.getByRole('link', { name: 'release gate' }).click();
    expect(await page.evaluate('location.search')).toBe('?tag=release+gate');
    await row.waitFor();
    await page.getByLabel('Search runs').fill('nothing like it');
    await page.getByText('No such runs').waitFor();
    await visitor.picture('runs-none-found', { fullPage: false });
    expect(await visitor.findings()).toEqual([]);
    await page.getByLabel('Search runs').fill('THE BOARD');
    await row.waitFor();
    await visitor.picture('runs-found', { fullPage: false });
    expect(await visitor.findings()).toEqual([]);
    await page.getByRole('button', { name: /^tag release gate/ }).click();
    await row.waitFor();
    expect(await page.evaluate('location.search')).toBe('?q=THE+BOARD');
    await api.patch(`/api/v1/tests/${run}`, { name: 'Release 1.4', note: null, tags: [] });
  });

  it('a conversation names the revision of its scenario, and leads to it', async () => {
    const { page } = visitor;
    const [scenarioRun] = await scenarioRunsOf(api, run);
    expect(scenarioRun.scenario_revision).toBe(2);
    await visitor.go(`/scenario-runs/${scenarioRun.id}`);
    const fact = page.locator('.facts > div').filter({ has: page.getByText('Scenario', { exact: true }) });
    const hash: string = scenarioRun.scenario_content_hash;
    expect((await fact.innerText()).replaceAll(/\s+/g, ' ')).toBe(`Scenario Revision 2 ${hash.slice(0, 10)}`);
    await eventually(async () => expect(await fact.getByTitle(hash).count()).toBe(1));
    await fact.getByRole('link').click();
    const revisions = page.getByRole('region', { name: 'Revisions' });
    expect(await revisions.getByRole('listitem').first().innerText()).toContain('Revision 2 (current)');
    expect(await revisions.getByTitle(hash).first().innerText()).toBe(hash.slice(0, 10));
  });

  it('an agent names its baseline, and forgets it when that is confirmed; its form is saved all the same', async () => {
    const { page } = visitor;
    const baseline = page.getByRole('region', { name: 'Baseline' });
    await visitor.go(`/agents/${agentId}`);
    await baseline.getByText('No baseline yet.').waitFor();
    await api.put(`/api/v1/agents/${agentId}/baseline`, { test_run_id: run });
    await visitor.go(`/agents/${agentId}`);
    await baseline.getByRole('link', { name: 'Release 1.4' }).waitFor();
    expect(await baseline.innerText()).toContain('Baseline: run Release 1.4');
    await page.getByRole('link', { name: 'Its runs' }).click();
    await page.getByRole('button', { name: 'agent Agent under test' }).waitFor();
    await page.getByRole('row', { name: 'Release 1.4' }).waitFor();
    await visitor.go(`/agents/${agentId}`);
    await baseline.getByRole('link', { name: 'Release 1.4' }).waitFor();
    await visitor.picture('agent-baseline', { fullPage: false });
    expect(await visitor.findings()).toEqual([]);
    await baseline.getByRole('button', { name: 'Clear baseline' }).click();
    const stored = async () => (await api.get(`/api/v1/agents/${agentId}`)).body;
    expect((await stored()).baseline_test_run_id).toBe(run);
    await baseline.getByRole('button', { name: 'Yes, clear baseline' }).click();
    await baseline.getByText('No baseline yet.').waitFor();
    await page.getByRole('link', { name: 'Connection' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Renamed');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    expect(await stored()).toMatchObject({ name: 'Renamed', baseline_test_run_id: null });
  });
});
