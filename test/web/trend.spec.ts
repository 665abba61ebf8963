import { Database } from '../../src/platform/database/database';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { storeGradedRun, storeScenarios, type GradedRunOptions } from '../setup/graded-run';
import { startTestService, type TestService } from '../setup/service';
import { eventually } from '../setup/eventually';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const SCREENS = [
  ['light', { viewport: { width: 1440, height: 900 } }],
  ['dark', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' as const }],
  ['zoomed', { viewport: { width: 720, height: 450 } }],
  ['phone', { viewport: { width: 390, height: 844 } }],
] as const;

describeWithBrowser('The trend of an agent', () => {
  let service: TestService;
  const runs: string[] = [];

  beforeAll(async () => {
    service = await startTestService({}, { pageFolder: await builtPage() });
    const database = service.app.get(Database);
    const config = { base_url: 'http://127.0.0.1:9', model: 'm' };
    const agent = { provider: 'openai', name: 'Telephone triage', config };
    const { body } = await new ApiClient(service.url).post('/api/v1/agents', agent);
    const names = Array.from({ length: 61 }, (_, place) => `Scenario ${place + 1}`);
    const ids = await storeScenarios(database, names);
    const some = async (count: number, passed: number, options: GradedRunOptions = {}): Promise<void> => {
      const scenarios = ids.slice(0, count).map((id, place) => {
        return { id, name: names[place] ?? '', outcomes: [place < passed ? 'passed' : 'failed'] };
      });
      const id = await storeGradedRun(database, scenarios, { agentId: body.id, ...options });
      await database.query('UPDATE test_runs SET started_at = $2, created_at = $2, agent_name = $3 WHERE id = $1', [
        id,
        new Date(Date.UTC(2026, 10, 1 + runs.length)),
        agent.name,
      ]);
      runs.push(id);
    };
    const missed = { criterion: 'Calls an ambulance', tags: ['must_pass'], decision: 'NOT MET', max_points: 5 };
    await some(61, 9, { criteria: ({ name }) => (name === 'Scenario 61' ? [missed] : []) });
    await some(61, 12);
    await some(30, 25, { status: 'canceled' });
    await some(61, 22);
    // Seen: this check was said to be "+80.3 since the previous run".
    await some(2, 2);
  });
  afterAll(() => service?.close());

  it.each(SCREENS)('joins and compares only runs over the same: %s', async (screen, options) => {
    const visitor = await PageVisitor.open(service.url, options);
    const { page } = visitor;
    await visitor.go('/');
    const card = page.locator('.trends li');
    await card.locator('svg').waitFor();
    expect(await card.locator('.trend-head').innerText()).toMatch(/100\s%/);
    expect(await card.locator('.trend-head').innerText()).toContain('34–100');
    expect(await card.locator('.trend-head').innerText()).toContain(
      'Not comparable with the run before: other scenarios',
    );
    expect(await card.innerText()).not.toMatch(/\+[0-9.]+ (points )?since the (previous|run before)/);
    // Three nightly runs make two lines; the check and the canceled run are in none.
    await eventually(async () => expect(await card.locator('svg .join').count()).toBe(2));
    await eventually(async () => expect(await card.locator('svg .reach').count()).toBe(4));
    await eventually(async () => expect(await card.locator('svg .no-result').count()).toBe(1));
    await eventually(async () => expect(await card.locator('svg .violated').count()).toBe(1));
    expect((await card.locator('svg').getAttribute('aria-label')) ?? '').toContain('canceled');
    expect(await visitor.findings()).toEqual([]);
    await card.getByText('Table of the 5 runs').click();
    const rows = card.locator('tbody tr');
    await eventually(async () => expect(await rows.count()).toBe(5));
    expect(await rows.nth(1).innerText()).toMatch(/\+16\.4 points/);
    expect(await rows.nth(2).innerText()).toContain('canceled');
    const link = rows.nth(1).getByRole('link', { name: /points/ });
    expect(await link.getAttribute('href')).toBe(`/compare?base=${runs[1]}&head=${runs[3]}`);
    await visitor.picture(`trend-${screen}`, { fullPage: false });
    expect(await visitor.findings()).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });
});
