import { Database } from '../../src/platform/database/database';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createScenarios } from '../setup/examination';
import { storeExaminedRun, type Conditions } from '../setup/examined-run';
import { startTestService, type TestService } from '../setup/service';
import { eventually } from '../setup/eventually';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const HOSTILE = '<img src=/x onerror="window.taken = 1"> \u202ereversed';

describeWithBrowser('The history of a scenario on its page', () => {
  let service: TestService;
  let database: Database;
  let api: ApiClient;
  let visitor: PageVisitor;

  beforeAll(async () => {
    service = await startTestService({}, { pageFolder: await builtPage() });
    database = service.app.get(Database);
    api = new ApiClient(service.url);
    visitor = await PageVisitor.open(service.url);
  });
  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    expect(visitor.complaints).toEqual([]);
  });

  const newScenario = async (): Promise<string> => (await createScenarios(api, 1, { name: 'Wavering' }))[0] ?? '';
  const examined = (id: string, outcomes: readonly string[], conditions?: Conditions): Promise<string> =>
    storeExaminedRun(database, { id, name: 'Wavering' }, outcomes, conditions);
  const history = () => visitor.page.getByRole('region', { name: 'History' });

  it('says when there is none', async () => {
    await visitor.go(`/scenarios/${await newScenario()}`);
    await history().getByText('No run has given a verdict on this scenario yet.').waitFor();
    expect(await history().getByRole('list').count()).toBe(0);
  });

  it('names agent, version and config of each group, marks the flaky one, and leads to runs and conversations', async () => {
    const { page } = visitor;
    const id = await newScenario();
    const flaky = await examined(id, ['passed', 'failed'], { config: 'a'.repeat(64) });
    const newest = await examined(id, ['passed'], { config: 'b'.repeat(64), version: HOSTILE, revision: 2 });
    await examined(id, ['failed'], { config: null });
    await visitor.go(`/scenarios/${id}`);
    await history().getByText('This scenario is flaky').waitFor();
    const told = await history().innerText();
    expect(told).toContain('1 older verdict does not say what was examined, and is left out.');
    const groups = history().locator('.past');
    await eventually(async () => expect(await groups.count()).toBe(2));
    const [first, second] = (await groups.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    expect(first).toContain(
      'Stored agent, version <img src=/x onerror="window.taken = 1"> RLOreversed, config bbbbbbbbbb: 1 of 1 passed',
    );
    expect(first).toContain('Revision 2 content-2, 6 turns, pass threshold 50 %; patient played by rules (offline)');
    expect(first).not.toContain('flaky');
    expect(second).toMatch(/^Stored agent, config aaaaaaaaaa: 1 of 2 passed ± flaky/);
    expect(await page.evaluate('window.taken')).toBeUndefined();
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('scenario-history');
    const marks = groups.nth(1).locator('.trial-mark');
    await eventually(async () => expect(await marks.count()).toBe(2));
    expect(await marks.nth(0).getAttribute('aria-label')).toBe('trial 1: passed');
    expect(await marks.nth(1).getAttribute('aria-label')).toBe('trial 2: failed');
    await eventually(async () => expect(await groups.nth(0).locator(`a[href="/runs/${newest}"]`).count()).toBe(1));
    await groups.nth(1).locator(`a[href="/runs/${flaky}"]`).click();
    await page.waitForURL(`**/runs/${flaky}`);
  });

  it('comes page by page', async () => {
    const { page } = visitor;
    const id = await newScenario();
    for (let place = 0; place < 11; place += 1) await examined(id, ['passed'], { config: `config-${place}` });
    await visitor.go(`/scenarios/${id}`);
    await history().getByText('1–10 of 11').waitFor();
    await eventually(async () => expect(await history().locator('.past').count()).toBe(10));
    expect(await history().locator('.past').first().innerText()).toContain('config-10');
    await page.getByRole('button', { name: 'Next' }).click();
    await history().getByText('config-0').waitFor();
    await eventually(async () => expect(await history().locator('.past').count()).toBe(1));
    expect(await history().innerText()).toContain('So far, the same conditions have always given the same verdict.');
  });

  it('on the page of a run: a scenario that only another run of the same agent contradicts is named', async () => {
    const { page } = visitor;
    const id = await newScenario();
    await examined(id, ['failed', 'failed']);
    const run = await examined(id, ['passed', 'passed']);
    await visitor.go(`/runs/${run}`);
    const sure = page.getByRole('region', { name: 'How sure is that?' });
    const flaky = sure.getByRole('list', { name: 'Scenarios that are flaky from run to run' });
    expect((await flaky.innerText()).replaceAll(/\s+/g, ' ')).toBe('Wavering 2 of 4 passed across these runs');
    expect(await sure.innerText()).toContain('The trials of every scenario agree.');
    await visitor.picture('run-flaky', { fullPage: false });
    expect(await visitor.findings()).toEqual([]);
    await flaky.getByRole('link').click();
    await history().getByText('This scenario is flaky').waitFor();
  });
});
