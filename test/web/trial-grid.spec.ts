import type { PatientStyle } from '../../src/domain/patient';
import { Database } from '../../src/platform/database/database';
import { gridOf } from '../../web/src/runs/trial-grid-rows';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const held = (
  scenario_id: string,
  trial: number,
  status: 'passed' | 'failed' | 'error',
  { style = 'cooperative', grave = false }: { readonly style?: PatientStyle; readonly grave?: boolean } = {},
) => ({
  id: `${scenario_id}${trial}${style}`,
  scenario_id,
  scenario_name: `Scenario ${scenario_id}`,
  scenario_category: null,
  scenario_severity: null,
  trial,
  patient: { style, language: 'en' },
  status,
  score_percent: null,
  criteria_results: grave ? [{ criterion: 'Calls 999', tags: ['must_pass'], decision: 'NOT MET', max_points: 5 }] : [],
});

describe('the grid of a run', () => {
  it('has a row for each scenario, the worst first, and a column for each trial with each patient', () => {
    const { columns, rows } = gridOf([
      held('a', 1, 'passed'),
      held('b', 1, 'failed'),
      held('c', 1, 'error'),
      held('d', 1, 'passed'),
      held('a', 1, 'passed', { style: 'anxious' }),
      held('a', 2, 'failed'),
      held('d', 2, 'failed', { grave: true }),
      held('b', 2, 'failed'),
    ]);
    expect(columns).toEqual([
      { trial: 1, patient: null },
      { trial: 1, patient: 'anxious patient' },
      { trial: 2, patient: null },
    ]);
    expect(rows.map(({ id, passed, graded, grave }) => [id, passed, graded, grave])).toEqual([
      ['d', 1, 2, 1],
      ['b', 0, 2, 0],
      ['a', 2, 3, 0],
      ['c', 0, 0, 0],
    ]);
    expect(rows[1]?.cells.map((cell) => cell?.status ?? null)).toEqual(['failed', null, 'failed']);
  });

  it('is empty before anything is read', () => {
    expect(gridOf([])).toEqual({ columns: [], rows: [] });
  });
});

describeWithBrowser('The grid on the page of a run', () => {
  let service: TestService;
  let visitor: PageVisitor;
  let run: string;
  let single: string;
  beforeAll(async () => {
    service = await startTestService({}, { pageFolder: await builtPage() });
    const database = service.app.get(Database);
    const names = Array.from({ length: 100 }, (_, place) => `Scenario ${String(place + 1).padStart(3, '0')} <i>`);
    const ids = await storeScenarios(database, names);
    const scenarios = ids.map((id, place) => ({
      id,
      name: names[place] ?? '',
      outcomes: Array.from({ length: 20 }, (_, trial) => ((place * 7 + trial) % 11 === 0 ? 'failed' : 'passed')),
    }));
    const criteria = ({ id }: { id: string }, trial: number) =>
      id === ids[41] && trial === 3
        ? [{ criterion: 'Calls 999', tags: ['must_pass'], decision: 'NOT MET', max_points: 5 }]
        : [];
    run = await storeGradedRun(database, scenarios, { criteria });
    single = await storeGradedRun(
      database,
      scenarios.slice(0, 2).map((one) => ({ ...one, outcomes: ['passed'] })),
    );
    visitor = await PageVisitor.open(service.url);
  });
  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('shows 2,000 conversations, the worst scenario first, each a link', async () => {
    const { page } = visitor;
    await visitor.go(`/runs/${run}`);
    await page.getByText('Grid: 100 scenarios × 20 conversations').click();
    const grid = page.getByRole('region', { name: 'Scenarios by trials' });
    await grid.waitFor();
    expect(await grid.getByRole('link').count()).toBe(2_000);
    expect(await grid.getByRole('rowheader').first().innerText()).toBe('Scenario 042 <i>');
    await grid.getByRole('link', { name: /Scenario 042 <i>, trial 3: \w+, must-pass criterion violated/ }).waitFor();
    await page.getByRole('list', { name: /disagree/ }).scrollIntoViewIfNeeded();
    await visitor.picture('run-grid', { fullPage: false });
    expect(await visitor.findings()).toEqual([]);
    await page.getByLabel('Grouped by').selectOption('category');
    await grid.getByText('emergency: 100 scenarios').waitFor();
    await grid.getByRole('link', { name: /Scenario 042 <i>, trial 3/ }).click();
    await page.getByRole('heading', { name: 'Scenario 042 <i>' }).waitFor();
  });

  it('is not shown where it would repeat the list', async () => {
    await visitor.go(`/runs/${single}`);
    await visitor.page.getByRole('list', { name: 'Scenario runs' }).waitFor();
    expect(await visitor.page.getByText(/^Grid:/).count()).toBe(0);
  });
});
