import { seedStarterLibrary } from '../../src/features/scenarios/starter-library';
import { ScenariosStore } from '../../src/features/scenarios/scenarios.store';
import type { FakeAgent } from '../fakes/fake-agent';
import { startWaveringClinic } from '../fakes/wavering-clinic';
import { ApiClient, type Answer } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createAgent, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { eventually } from '../setup/eventually';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const whole = (percent: number): string => `${Math.round(percent)}`;

/** 24 scenarios × 5 trials of a demo agent that has bad days, and of its next version, which has more of them. */
describeWithBrowser('A new user who asks how sure a number is', () => {
  const agents: FakeAgent[] = [];
  let service: TestService;
  let api: ApiClient;
  let visitor: PageVisitor;
  let before: string;
  let after: string;

  beforeAll(async () => {
    service = await startTestService({ MAX_ACTIVE_SCENARIOS: '40' }, { pageFolder: await builtPage() });
    api = new ApiClient(service.url);
    await seedStarterLibrary(service.app.get(ScenariosStore));
    before = await examined('Release 1.4', 0.25);
    after = await examined('Release 1.5', 0.7);
    visitor = await PageVisitor.open(service.url);
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    for (const agent of agents) await agent.close();
    expect(visitor.complaints).toEqual([]);
  });

  async function examined(name: string, share: number): Promise<string> {
    const agent = await startWaveringClinic({ share, seed: name });
    agents.push(agent);
    return finished(await createAgent(api, agent.baseUrl), name);
  }

  async function finished(agent_id: string, name: string): Promise<string> {
    const { body } = await api.post('/start-run', {
      agent_id,
      name,
      trials: 5,
      max_scenarios: 24,
      concurrency_limit: 30,
    });
    await untilFinal(api, body.id, 120_000);
    return String(body.id);
  }

  const statisticsOf = async (id: string): Promise<Answer['body']> =>
    (await api.get(`/api/v1/tests/${id}/statistics`)).body;

  it('finds the interval beside the rate of every run', async () => {
    await visitor.go('/');
    for (const id of [before, after]) {
      const { value, low, high } = (await statisticsOf(id)).graded_pass_rate;
      const row = visitor.page.getByRole('row').filter({ has: visitor.page.locator(`a[href="/runs/${id}"]`) });
      const cell = row.locator('td[data-label="Pass rate"]');
      expect((await cell.innerText()).replace(/\s+/g, ' ')).toContain(
        `${Number(value.toFixed(1))} % 95 % interval ${whole(low)}–${whole(high)} %`,
      );
    }
    await visitor.picture('sure-01-runs');
  });

  it('sees which scenarios are unstable, and gets to each of their conversations', async () => {
    const { page } = visitor;
    const statistics = await statisticsOf(before);
    expect(statistics.unstable.length).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'Release 1.4', exact: true }).click();
    const sure = page.getByRole('region', { name: 'How sure is that?' });
    await sure.waitFor();
    expect(await sure.innerText()).toContain(`The trials of ${statistics.unstable.length} of 24 scenarios disagree:`);
    const [first] = statistics.unstable;
    await sure
      .getByRole('button', { name: /^Show all/ })
      .click({ timeout: 2_000 })
      .catch(() => undefined);
    const line = sure.getByRole('listitem').filter({ hasText: first.scenario_name });
    expect(await line.innerText()).toContain(`${first.passed} of 5 passed`);
    await eventually(async () =>
      expect(await line.getByRole('link', { name: /^trial \d: passed$/ }).count()).toBe(first.passed),
    );
    await eventually(async () => expect(await line.getByRole('link').count()).toBe(5));
    await visitor.picture('sure-02-run', { fullPage: false });
    await line
      .getByRole('link', { name: /^trial \d: failed$/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Checklist' }).waitFor();
    await page.locator('.facts .status.failed').waitFor();
    await page.goBack();
  });

  it('reads how far the agent can be relied on, in a curve and in words', async () => {
    const { page } = visitor;
    const { graded_pass_rate: rate, pass_hat } = await statisticsOf(before);
    const sure = page.getByRole('region', { name: 'How sure is that?' });
    const figures = pass_hat.map(({ value }: { value: number }) => Number(value.toFixed(1)));
    const name = `Chance that all pass: one trial ${figures[0]} %, 2 trials ${figures[1]} %, 3 trials ${figures[2]} %, 4 trials ${figures[3]} %, 5 trials ${figures[4]} %`;
    await sure.getByRole('img', { name: name.replaceAll(' %', '\u00a0%') }).waitFor();
    expect(await sure.innerText()).toContain(`All 5 trials pass for ${figures[4]}\u00a0% of scenarios`);
    await sure.getByRole('img', { name: `95 % interval ${whole(rate.low)}–${whole(rate.high)}` }).waitFor();
    expect(await sure.innerText()).toContain('Coverage: 100\u00a0%, every conversation has a verdict.');
  });

  it('is told each must-pass criterion once, with the trials that missed it', async () => {
    const missed = visitor.page.getByRole('region', { name: 'What was missed' });
    const lines = await missed.getByRole('listitem').allInnerTexts();
    expect(lines[0]).toMatch(/^must pass\s/);
    const groups = await missed.locator('.missed-scenario').allInnerTexts();
    expect(new Set(groups).size).toBe(groups.length);
    expect(lines.join('\n')).toMatch(/in all 5 trials: 1, 2, 3, 4, 5|in [1-4] of 5 trials: [1-5]/);
  });

  it('learns whether the second version is worse, in words, before anything else', async () => {
    const { page } = visitor;
    const { body } = await api.get(`/api/v1/tests/${after}/comparison?before=${before}`);
    expect(body.verdict).toBe('worse');
    await visitor.go(`/compare?base=${before}&head=${after}`);
    await page.getByRole('heading', { name: /Worse$/ }).waitFor();
    await page.getByText(body.sentence.slice(body.sentence.indexOf('Worse: ') + 'Worse: t'.length)).waitFor();
    const told = await page.locator('.conclusion').innerText();
    expect(body.new_must_pass_violations.length).toBeGreaterThan(0);
    expect(told.indexOf('must-pass')).toBeLessThan(told.indexOf('Worse'));
    expect(told).toContain(body.new_must_pass_violations[0].criterion);
    expect(told).toContain('24 scenarios compared.');
    await visitor.picture('sure-03-comparison');
    expect(await visitor.findings()).toEqual([]);
  });

  it('lists every shared scenario with its scores once it is asked, sorted by a column', async () => {
    const { page } = visitor;
    const list = page.locator('.shared-scenarios');
    expect(await list.locator('table').count()).toBe(0);
    await page.getByText('All 24 shared scenarios').click();
    const changes = async (): Promise<number[]> => {
      await list.locator('tbody tr').first().waitFor();
      const told = await list.locator('tbody td[data-label=Change]').allTextContents();
      return told.map((text) => Number(text.replace('−', '-')));
    };
    const worstFirst = await changes();
    expect(worstFirst).toHaveLength(24);
    expect(worstFirst).toEqual([...worstFirst].sort((one, other) => one - other));
    expect(worstFirst[0]).toBeLessThan(0);
    expect(await visitor.findings()).toEqual([]);
    await list.getByRole('button', { name: 'Change' }).click();
    expect(await changes()).toEqual([...worstFirst].reverse());
    expect(await list.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending');
    await visitor.picture('sure-03-shared');
  });

  it('sees the difference of the whole and of each category on one scale', async () => {
    const { page } = visitor;
    const { body } = await api.get(`/api/v1/tests/${after}/comparison?before=${before}`);
    const questions = page.locator('table.questions tbody tr');
    expect(await questions.locator('th').allInnerTexts()).toEqual([
      expect.stringContaining('Pass rate'),
      expect.stringContaining('Mean score'),
      expect.stringContaining('Must-pass violations'),
    ]);
    const rows = page.getByRole('region', { name: 'By category' }).locator('tbody tr');
    await eventually(async () => expect(await rows.count()).toBe(body.by_category.length));
    const worst = Math.min(...body.by_category.map(({ value }: { value: number }) => value));
    const text = `−${Number(Math.abs(worst).toFixed(1))} points, 95 % interval`;
    expect(await rows.first().getByRole('img').getAttribute('aria-label')).toContain(text);
    await page.getByRole('button', { name: 'Mean score' }).click();
    const least = Math.min(...body.by_category.map(({ score }: { score: { value: number } }) => score.value));
    const score = `−${Number(Math.abs(least).toFixed(1))} points, 95 % interval`;
    expect(await rows.first().getByRole('img').getAttribute('aria-label')).toContain(score);
  });

  it('gets from a scenario that fared worse to the conversations of both runs', async () => {
    const { page } = visitor;
    const row = page
      .getByRole('region', { name: /^Worse: / })
      .locator('tbody tr')
      .first();
    await row.locator('.trial-mark').nth(9).waitFor();
    await eventually(async () => expect(await row.locator('td[data-label="Before"] .trial-mark').count()).toBe(5));
    await eventually(async () => expect(await row.locator('td[data-label="After"] .trial-mark').count()).toBe(5));
    await row.locator('td[data-label="After"] .trial-mark.failed').first().click();
    await page.getByRole('heading', { name: 'Checklist' }).waitFor();
  });

  it('measures the agent by a run of it, and is told that the same agent once more shows nothing', async () => {
    const { page } = visitor;
    const { body: run } = await api.get(`/api/v1/tests/${before}`);
    const again = await finished(run.agent_id, 'Release 1.4, once more');
    await visitor.go(`/runs/${before}`);
    await page.getByRole('button', { name: 'Make this run the agent’s baseline' }).click();
    await page.getByText('The agent’s baseline', { exact: true }).waitFor();
    await visitor.go(`/runs/${again}`);
    const strip = page.getByRole('region', { name: 'Compared with the baseline' });
    expect(await strip.innerText()).toMatch(/^Compared with the baseline Release 1\.4: .*No evidence of a change: /);
    await visitor.picture('sure-04-baseline', { fullPage: false });
    expect(await visitor.findings()).toEqual([]);
    await strip.getByRole('link', { name: 'See the comparison' }).click();
    await page.getByRole('heading', { name: /No evidence of a change$/ }).waitFor();
    await visitor.picture('sure-05-unchanged');
  });
});
