import { pairedCriteria, pairedMessages } from '../../web/src/side-by-side/pairs';
import { isTicked, oldestFirst, toggled, type TickedRun } from '../../web/src/grid/ticked-runs';
import { Database } from '../../src/platform/database/database';
import { startFakeOpenAi } from '../fakes/openai-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { ApiClient } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createAgent } from '../setup/examination';
import { OFFLINE, storeGradedRun, storeScenarios } from '../setup/graded-run';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

describe('two conversations', () => {
  const marked = (criterion: string, decision: 'MET' | 'NOT MET', tags: string[] = []) => ({
    criterion,
    decision,
    tags,
    max_points: 5,
  });

  it('pairs criteria by their text, those marked differently first', () => {
    const before = [marked('Asks the age', 'MET'), marked('Calls 999', 'MET'), marked('Old one', 'MET')];
    const after = [marked('Asks the age', 'MET'), marked('Calls 999', 'NOT MET'), marked('New one', 'MET')];
    expect(pairedCriteria(before, after)).toEqual([
      { criterion: 'Calls 999', places: [1, 1], differs: true, isViolated: false },
      { criterion: 'New one', places: [null, 2], differs: true, isViolated: false },
      { criterion: 'Old one', places: [2, null], differs: true, isViolated: false },
      { criterion: 'Asks the age', places: [0, 0], differs: false, isViolated: false },
    ]);
  });

  it('begin with what must pass and was missed, and with what must not be done and was', () => {
    const forbidden = (decision: 'MET' | 'NOT MET') => ({ ...marked('Advises waiting', decision), max_points: -8 });
    const before = [marked('Asks the age', 'MET'), marked('Calls 999', 'MET', ['must_pass']), forbidden('NOT MET')];
    const after = [marked('Asks the age', 'NOT MET'), marked('Calls 999', 'NOT MET', ['must_pass']), forbidden('MET')];
    expect(pairedCriteria(before, after).map(({ criterion }) => criterion)).toEqual([
      'Calls 999',
      'Advises waiting',
      'Asks the age',
    ]);
    expect(pairedCriteria(after, after).map(({ isViolated }) => isViolated)).toEqual([true, true, false]);
  });

  it('pairs a criterion that a rubric has twice with one of the other side each', () => {
    const twice = [marked('Asks', 'MET'), marked('Asks', 'NOT MET')];
    expect(pairedCriteria(twice, twice).map(({ places }) => places)).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  it('sets messages turn beside turn, and leaves a hole where one conversation had ended', () => {
    const patient = (turn: number) => ({ turn, role: 'patient' as const });
    const agent = (turn: number) => ({ turn, role: 'agent' as const });
    const pairs = pairedMessages([patient(1), agent(1), patient(2), agent(2)], [patient(1), agent(1)]);
    expect(pairs.map(({ places }) => places)).toEqual([
      [0, 0],
      [1, 1],
      [2, null],
      [3, null],
    ]);
  });
});

describe('runs that are ticked', () => {
  const run = (id: string, day: number) => ({ id, at: `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z` });

  it('are compared the older first, whatever was ticked first and on whichever page', () => {
    const ticked = [run('new', 9), run('old', 2), run('middle', 5)].reduce<readonly TickedRun[]>(toggled, []);
    expect(oldestFirst(ticked)).toEqual(['old', 'middle', 'new']);
    expect(oldestFirst(toggled(ticked, run('middle', 5)))).toEqual(['old', 'new']);
  });

  it('are eight at most: a ninth takes the place of the first', () => {
    const nine = Array.from({ length: 9 }, (_, place) => run(`run ${place}`, place + 1));
    const ticked = nine.reduce<readonly TickedRun[]>(toggled, []);
    expect(ticked).toHaveLength(8);
    expect(isTicked(ticked, 'run 0')).toBe(false);
  });
});

describeWithBrowser('Looking at an agent', () => {
  let service: TestService;
  let fake: FakeAgent;
  let api: ApiClient;
  let visitor: PageVisitor;
  let agentId: string;
  let scenarios: string[];
  const runs: string[] = [];

  beforeAll(async () => {
    fake = await startFakeOpenAi();
    service = await startTestService({}, { pageFolder: await builtPage() });
    api = new ApiClient(service.url);
    agentId = await createAgent(api, fake.baseUrl);
    const database = service.app.get(Database);
    const names = ['Chest pain', 'Stroke <i>', 'Runny nose'];
    scenarios = await storeScenarios(database, names);
    await database.query(`UPDATE scenarios SET severity = 'critical' WHERE id = $1`, [scenarios[0]]);
    for (const [place, outcomes] of [
      ['passed', 'failed', 'passed'],
      ['passed', 'passed', 'passed'],
      ['failed', 'passed', 'passed'],
    ].entries()) {
      const of = scenarios.map((id, at) => ({
        id,
        name: names[at] ?? '',
        outcomes: [outcomes[at] ?? 'passed', 'passed'],
      }));
      runs.push(
        await storeGradedRun(database, of, {
          agentId,
          metadata: { ...OFFLINE, offline: true },
          criteria: ({ id }, trial) => [
            {
              criterion: 'Sends the patient to hospital',
              tags: ['must_pass'],
              decision: trial === 1 && outcomes[scenarios.indexOf(id)] === 'failed' ? 'NOT MET' : 'MET',
              max_points: 5,
            },
            {
              criterion: 'Advises waiting until tomorrow',
              tags: ['must_pass'],
              decision: trial === 1 && outcomes[scenarios.indexOf(id)] === 'failed' ? 'MET' : 'NOT MET',
              max_points: -8,
              points: trial === 1 && outcomes[scenarios.indexOf(id)] === 'failed' ? -8 : 0,
            },
            // Only so that there are more violations than are shown at first.
            ...Array.from({ length: 12 }, (_, at) => ({
              criterion: `Asks question ${at + 1}`,
              tags: ['must_pass'],
              decision: trial === 1 && outcomes[scenarios.indexOf(id)] === 'failed' ? 'NOT MET' : 'MET',
              max_points: 1,
            })),
          ],
        }),
      );
      await database.query('UPDATE test_runs SET agent_version = $2, agent_config = $3 WHERE id = $1', [
        runs[place],
        `1.${place}`,
        JSON.stringify({ model: `clinic-${place}`, system_prompt: `You are a nurse.\nVersion ${place} <i>.` }),
      ]);
    }
    visitor = await PageVisitor.open(service.url);
  });
  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await fake?.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('shows an agent over time, and leads from two runs to their comparison', async () => {
    const { page } = visitor;
    await visitor.go(`/agents/${agentId}`);
    const table = page.getByRole('region', { name: 'Runs of this agent' });
    await table.waitFor();
    await page.getByText('in all 3 runs the patient or the judge used fixed rules').waitFor();
    expect(await table.getByRole('columnheader', { name: 'Compare', exact: true }).isVisible()).toBe(true);
    expect(await table.getByRole('checkbox').count()).toBe(3);
    await visitor.picture('agent-over-time', { fullPage: true });
    expect(await visitor.findings()).toEqual([]);
    await table.getByRole('checkbox').first().check();
    await table.getByRole('checkbox').nth(1).check();
    await page.getByRole('link', { name: 'Compare the two' }).click();
    await page.getByRole('heading', { name: 'Compare two runs' }).waitFor();
    expect(await page.evaluate('location.search')).toBe(`?base=${runs[1]}&head=${runs[2]}`);
  });

  it('leads from a scenario that got worse to two conversations side by side', async () => {
    const { page } = visitor;
    await visitor.go(`/compare?base=${runs[1]}&head=${runs[2]}`);
    await page.getByText('The agent’s config differs: 4 lines').click();
    expect(await page.getByRole('region', { name: "Changes of the agent's config" }).innerText()).toContain(
      'Version 2 <i>.',
    );
    await visitor.picture('compared-config', { fullPage: false });
    expect(await visitor.findings()).toEqual([]);
    const violated = page.locator('.new-violations');
    const lines = violated.getByRole('listitem');
    expect(await lines.count()).toBe(10);
    expect(await lines.first().innerText()).toMatch(/^Not done: .* Chest pain critical, trial 1$/);
    await violated.getByRole('button', { name: 'and 4 more: show all' }).click();
    expect(await lines.count()).toBe(14);
    expect(await lines.allInnerTexts()).toContain('Did: Advises waiting until tomorrow Chest pain critical, trial 1');
    await page
      .getByText('The run after violates must-pass criteria: in 1 of 6 conversations; the run before in none of 6.')
      .waitFor();
    const worse = page.getByRole('region', { name: /^Worse: / });
    expect(await worse.getByRole('row').nth(1).innerText()).toMatch(/Chest pain\s+critical\s+passes less often/);
    expect(await visitor.findings()).toEqual([]);
    await page.getByRole('link', { name: 'Side by side: Chest pain' }).click();
    await page.getByRole('heading', { name: 'Chest pain' }).waitFor();
    await page.getByRole('heading', { name: '14 criteria marked differently' }).waitFor();
    await page.getByText('in both conversations the patient or the judge used fixed rules').waitFor();
    const forbidden = page.getByRole('row', { name: /^Advises waiting until tomorrow\s*must not/ });
    expect(await forbidden.getByRole('cell').allInnerTexts()).toEqual(['✓ did not do it', '✗ did it, −8']);
    expect(await page.getByText('must pass', { exact: true }).count()).toBe(13);
    await page.getByRole('button', { name: 'Sends the patient to hospital' }).click();
    await visitor.picture('side-by-side', { fullPage: true });
    expect(await visitor.findings()).toEqual([]);
    await page.getByRole('region', { name: 'After' }).getByLabel('Conversation').selectOption({ index: 1 });
    await page.getByRole('heading', { name: 'Both were marked alike' }).waitFor();
  });

  it('shows several runs in one grid', async () => {
    const { page } = visitor;
    await visitor.go(`/agents/${agentId}`);
    await page.getByRole('checkbox').first().waitFor();
    for (const box of await page.getByRole('checkbox').all()) await box.check();
    await page.getByRole('link', { name: 'Grid of the 3 runs' }).click();
    const grid = page.getByRole('region', { name: 'Scenarios by runs' });
    await grid
      .getByRole('link', { name: /^Chest pain, .*: 1 of 2 passed, must-pass criterion violated in 1$/ })
      .waitFor();
    expect(await grid.getByRole('columnheader').count()).toBe(5);
    await page.getByText('in all 3 runs the patient or the judge used fixed rules').waitFor();
    await visitor.picture('runs-grid', { fullPage: true });
    expect(await visitor.findings()).toEqual([]);
  });

  it('scrolls the grid in its frame on a phone, beside names that wrap', async () => {
    const { page } = visitor;
    await page.setViewportSize({ width: 390, height: 844 });
    await visitor.go(`/compare?runs=${runs.join(',')}`);
    const grid = page.getByRole('region', { name: 'Scenarios by runs' });
    await grid.getByRole('link', { name: 'Chest pain', exact: true }).waitFor();
    const [name, frame] = [await grid.getByRole('rowheader').first().boundingBox(), await grid.boundingBox()];
    expect(name?.width).toBeLessThan(170);
    expect(frame?.width).toBeLessThanOrEqual(390);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await visitor.picture('runs-grid-390', { fullPage: false });
    expect(await visitor.findings()).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('leads from the list of runs to a comparison, the older run first, and says which filter to drop', async () => {
    const { page } = visitor;
    await visitor.go('/');
    await page.getByText('Tick two runs to compare them').waitFor();
    expect(await page.getByRole('columnheader', { name: 'Compare', exact: true }).isVisible()).toBe(true);
    await page.getByLabel(/^Choose Stored agent 1.2/).check();
    await page.getByText('Tick another one.').waitFor();
    await page.getByLabel(/^Choose Stored agent 1.0/).check();
    // It is in sight on a screen that shows only the head of the list.
    await page.setViewportSize({ width: 1280, height: 420 });
    await page.evaluate('scrollTo(0, 0)');
    const bar = await page.getByRole('group', { name: 'Ticked runs' }).boundingBox();
    expect((bar?.y ?? 0) + (bar?.height ?? Infinity)).toBeLessThanOrEqual(421);
    await page.setViewportSize({ width: 1280, height: 800 });
    await visitor.picture('runs-chosen', { fullPage: false });
    expect(await visitor.findings()).toEqual([]);
    await page.getByRole('link', { name: 'Compare the two' }).click();
    await page.getByRole('heading', { name: 'Compare two runs' }).waitFor();
    expect(await page.evaluate('location.search')).toBe(`?base=${runs[0]}&head=${runs[2]}`);
    await visitor.go('/?status=failed&q=Stored');
    await page.getByRole('link', { name: 'status failed' }).click();
    await page.getByRole('row', { name: /Stored agent 1.2/ }).waitFor();
  });

  it('shows the runs of an agent, a version and some days, with an address that can be sent', async () => {
    const { page } = visitor;
    await visitor.go('/');
    await page.getByRole('button', { name: 'More filters' }).click();
    const more = page.getByRole('group', { name: 'Runs by agent, suite and day' });
    await more.getByLabel('Agent').selectOption(agentId);
    await more.getByLabel('Version').fill('1.1');
    await more.getByLabel('From').fill('2026-01-31');
    await eventually(async () => expect(await page.getByLabel(/^Choose Stored agent/).count()).toBe(1));
    await visitor.picture('runs-filtered', { fullPage: false });
    expect(await visitor.findings()).toEqual([]);
    const sent = await page.evaluate('location.search');
    expect(sent).toBe(`?agent_id=${agentId}&agent_version=1.1&from=2026-01-31`);
    await visitor.go(`/${String(sent)}&to=2026-02-01`);
    await page.getByText('No such runs').waitFor();
    expect(await more.getByLabel('To').inputValue()).toBe('2026-02-01');
    await page.getByRole('link', { name: 'the last day 2026-02-01' }).click();
    await page.getByRole('row', { name: /Stored agent 1.1/ }).waitFor();
  });

  it('says of two versions of one configuration that they are only labels', async () => {
    const { page } = visitor;
    await service.app
      .get(Database)
      .query(`UPDATE test_runs SET agent_config_hash = repeat('a', 64) WHERE id = ANY($1)`, [[runs[0], runs[1]]]);
    await visitor.go(`/compare?base=${runs[0]}&head=${runs[1]}`);
    await page
      .getByText(
        'Both runs used the same config: unless something behind its address changed, the versions are only labels.',
      )
      .waitFor();
  });

  it('says which run of an address is gone', async () => {
    await visitor.go(`/compare?runs=${runs[0]},00000000-0000-4000-8000-000000000000`);
    await visitor.page.getByText('1 run of this address does not exist, or no longer').waitFor();
  });
});
