import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { CALLS_AMBULANCE, createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { eventually } from '../setup/eventually';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const MUST = 'Asks about thoughts of suicide';
const GRAVE = {
  category: 'mental health',
  severity: 'critical',
  rubric_criteria: [CALLS_AMBULANCE, { criterion: MUST, points: 5, tags: ['must_pass'] }],
};

const normal = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** 19 scenarios that a good agent passes, and three critical ones of which it misses what must pass. */
describeWithBrowser('Whoever opens a run', () => {
  let good: FakeAgent;
  let silent: FakeAgent;
  let service: TestService;
  let api: ApiClient;
  let visitor: PageVisitor;
  let agents: { readonly good: string; readonly silent: string };
  /** 95 % with a must-pass criterion missed; 0 %; and one of another agent with two of the scenarios of the first and one of its own. */
  let runs: { readonly almost: string; readonly none: string; readonly other: string };

  beforeAll(async () => {
    good = await startFakeOpenAi({ reply: () => GOOD_REPLY });
    silent = await startFakeOpenAi({ reply: () => 'I see.' });
    service = await startTestService({}, { pageFolder: await builtPage() });
    api = new ApiClient(service.url);
    agents = { good: await createAgent(api, good.baseUrl), silent: await createAgent(api, silent.baseUrl) };
    const easy = await createScenarios(api, 19, { severity: 'low' });
    const grave: string[] = [];
    for (const name of ['Grave one', 'Grave two', 'Grave three']) {
      grave.push(...(await createScenarios(api, 1, { ...GRAVE, name })));
    }
    const finished = async (request: object): Promise<string> => {
      const { body } = await api.post('/start-run', { ...request, max_turns: 5 });
      await untilFinal(api, body.id, 60_000);
      return String(body.id);
    };
    const [first = '', second = '', third = ''] = easy;
    const [worst = '', ...rest] = grave;
    runs = {
      almost: await finished({ agent_id: agents.good, name: 'Almost', scenario_ids: [...easy, worst] }),
      none: await finished({ agent_id: agents.good, name: 'None', scenario_ids: grave }),
      other: await finished({
        agent_id: agents.silent,
        name: 'Other',
        scenario_ids: [first, second, third, ...rest].slice(0, 4),
      }),
    };
    visitor = await PageVisitor.open(service.url);
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await good?.close();
    await silent?.close();
    expect(visitor.complaints).toEqual([]);
  });

  const result = () => visitor.page.getByRole('region', { name: 'Result' });
  const rows = () => visitor.page.locator('.scenario-row');
  const openRun = async (id: string, query = '') => {
    await visitor.go(`/runs/${id}${query}`);
    await rows().first().waitFor();
  };
  const query = () => new URL(visitor.page.url()).search;

  it('sees that 95 % with something missed that must pass is not fine', async () => {
    await openRun(runs.almost);
    await result().getByText(MUST).waitFor();
    const told = normal(await result().innerText());
    expect(told).toContain('95 %');
    expect(told).toContain(`Must-pass criteria violated in 1 scenario: ${MUST}.`);
    const severities = await result().getByRole('list', { name: 'Passed, by severity' }).innerText();
    expect(normal(severities)).toBe('critical 0 of 1 low 19 of 19');
    expect(await result().getAttribute('class')).toMatch(/\bwarn\b/);
    await visitor.picture('verdict-almost', { fullPage: false });
    expect(await visitor.findings()).toEqual([]);
  });

  it('does not take “completed” for a success', async () => {
    const { page } = visitor;
    const colourOf = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).color`);
    const completed = await colourOf('.facts .status.completed');
    expect(completed).not.toBe(await colourOf('.scenario-row .status.passed'));
    expect(await page.locator('.facts .status.completed').innerText()).not.toContain('✓');
  });

  it('sees in the list of runs which are not fine', async () => {
    await visitor.go('/');
    const rateOf = (run: string) =>
      visitor.page
        .getByRole('row')
        .filter({ has: visitor.page.locator(`a[href="/runs/${run}"]`) })
        .locator('td[data-label="Pass rate"]');
    await rateOf(runs.almost).getByText('must-pass violated in 1').waitFor();
    expect(await rateOf(runs.almost).locator('.pass-bar').getAttribute('class')).toContain('warn');
    expect(await rateOf(runs.none).locator('.pass-bar').getAttribute('class')).toContain('bad');
  });

  it('sees there how each agent fares from run to run', async () => {
    const trends = visitor.page.getByRole('region', { name: 'Trend of each agent' });
    await trends.getByRole('img', { name: /the oldest first: 95\s% \([0-9–]+\s%\); 0\s% \(/ }).waitFor();
    expect(normal(await trends.innerText())).toContain('Not comparable with the run before: other scenarios');
    expect(normal(await trends.innerText())).not.toContain('−95');
    // An agent with one run has no trend.
    await eventually(async () => expect(await trends.getByRole('listitem').count()).toBe(1));
    expect(await visitor.findings()).toEqual([]);
  });

  it('is told what was missed scenario by scenario, the gravest first', async () => {
    await openRun(runs.none);
    const missed = visitor.page.getByRole('region', { name: 'What was missed' });
    expect(await missed.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
      'Grave one critical',
      'Grave two critical',
      'Grave three critical',
    ]);
    expect(normal(await missed.getByRole('listitem').first().innerText())).toBe(`must pass ${MUST}`);
    await visitor.picture('verdict-none', { fullPage: false });
  });

  it('is offered no filter that would find nothing', async () => {
    const filters = visitor.page.getByRole('group', { name: 'Show only scenarios that are' });
    expect((await filters.getByRole('button').allInnerTexts()).map(normal)).toEqual(['all 3', 'failed 3']);
  });

  it('sorts by a column, filters and searches, and finds it so again after Back', async () => {
    const { page } = visitor;
    await openRun(runs.almost);
    await page.getByRole('button', { name: 'Severity' }).click();
    await eventually(async () => expect(await rows().first().innerText()).toContain('Grave one'));
    expect(query()).toBe('?sort=-severity');
    const columns = normal(await rows().first().innerText());
    expect(columns).toContain('critical mental health');
    await page.getByRole('button', { name: /^passed / }).click();
    await page.getByLabel('Search scenarios of the run').fill('scenario 01');
    await eventually(() => expect(query()).toBe('?status=passed&q=scenario+01&sort=-severity'));
    expect(await rows().first().getAttribute('aria-setsize')).toBe('11');
    await rows().nth(1).getByRole('link').click();
    await page.getByRole('heading', { name: 'Checklist' }).waitFor();
    await page.goBack();
    await rows().first().waitFor();
    expect(await rows().first().getAttribute('aria-setsize')).toBe('11');
    expect(await page.getByLabel('Search scenarios of the run').inputValue()).toBe('scenario 01');
    expect(await page.getByRole('button', { name: /^passed / }).getAttribute('aria-pressed')).toBe('true');
    // The same address opens the same.
    await page.reload();
    await rows().first().waitFor();
    expect(await rows().first().getAttribute('aria-setsize')).toBe('11');
    expect(await visitor.findings()).toEqual([]);
  });

  it('goes from one failed conversation to the next and back with J and K', async () => {
    const { page } = visitor;
    await openRun(runs.none);
    const titled = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
    await page.keyboard.press('j');
    await titled('Grave one');
    await page.getByRole('link', { name: 'Next failed' }).waitFor();
    await page.keyboard.press('j');
    await titled('Grave two');
    await page.keyboard.press('j');
    await titled('Grave three');
    expect(await page.getByRole('link', { name: 'Next failed' }).count()).toBe(0);
    await page.keyboard.press('k');
    await titled('Grave two');
    // Whoever types a j means a letter.
    await openRun(runs.none);
    await page.getByLabel('Search scenarios of the run').press('j');
    await page.getByText('No scenarios match the search.').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/runs/${runs.none}`);
  });

  it('reads one verdict of a conversation, and no sums', async () => {
    const { page } = visitor;
    await openRun(runs.none);
    await rows().first().getByRole('link').click();
    const why = page.getByRole('region', { name: 'Why' });
    await why.waitFor();
    expect(normal(await why.innerText())).toBe(
      `Failed with 50 % of the points (50 % needed) and 1 must-pass criterion violated: ${MUST}`,
    );
    expect(normal(await page.locator('main').innerText())).not.toMatch(/\d of \d+ criteri/);
  });

  it('compares two runs by the scenarios that they share, and is told of the others on request', async () => {
    const { page } = visitor;
    await visitor.go(`/compare?base=${runs.almost}&head=${runs.other}`);
    await page.locator('table.questions').waitFor();
    const { body } = await api.get(`/api/v1/tests/${runs.other}/comparison?before=${runs.almost}`);
    expect(body).toMatchObject({
      scenarios: { compared: 3, only_before: 17, only_after: 1 },
      difference: { value: -100 },
    });
    const percentIn = async (place: number): Promise<number> =>
      Number(/([\d.]+)\s%/.exec(await page.locator('.versus .side').nth(place).innerText())?.[1]);
    const [before, after] = [await percentIn(0), await percentIn(1)];
    expect(await page.locator('.versus .difference').innerText()).toContain('−100');
    expect(after - before).toBe(body.difference.value);
    const left = page.locator('.left-out');
    expect(await left.innerText()).toBe(
      '3 scenarios compared. Left out: 17 only in the run before, 1 only in the run after.',
    );
    await left.locator('summary').click();
    await left.getByRole('heading', { name: 'Only in the run after' }).waitFor();
    await eventually(async () => expect(await left.getByRole('link', { name: 'Grave two' }).count()).toBe(1));
    await eventually(async () => expect(await left.getByRole('listitem').count()).toBe(18));
    await page.getByText('in both runs the patient or the judge used fixed rules').waitFor();
    await visitor.picture('compare-shared');
    expect(await visitor.findings()).toEqual([]);
  });

  it('names the compared runs by either of their ids, and gives no rate of a run that was canceled', async () => {
    const { page } = visitor;
    const { body: almost } = await api.get(`/api/v1/tests/${runs.almost}`);
    const { body: later } = await api.post('/start-run', {
      agent_id: agents.good,
      name: 'Canceled',
      max_scenarios: 1,
      scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
    });
    await api.post('/cancel-run', { id: later.id });
    await visitor.go(`/compare?base=${almost.test_run_id}&head=${later.id}`);
    const chosen = async (label: string): Promise<string> =>
      normal(await page.getByLabel(label, { exact: true }).locator('option:checked').innerText());
    await expect(chosen('Before')).resolves.toMatch(/^Almost · .+ · 95 % · /);
    await expect(chosen('After')).resolves.toMatch(/^Canceled · .+ · canceled · /);
  });
});
