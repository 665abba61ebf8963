import type { PatientStyle } from '../../src/domain/patient';
import { Database } from '../../src/platform/database/database';
import { trialTable, type TrialConversation } from '../../web/src/runs/trial-columns';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const held = (trial: number, status: 'passed' | 'failed', style: PatientStyle = 'cooperative'): TrialConversation => ({
  id: `${trial} ${style}`,
  trial,
  patient: { style, language: 'en' },
  status,
  score_percent: null,
  must_pass_violated: false,
});

describe('the columns of a grid', () => {
  it('are the trials with each patient; a scenario that lacks one has a hole', () => {
    const { columns, rows } = trialTable([
      [held(1, 'passed'), held(2, 'failed')],
      [held(1, 'passed'), held(1, 'failed', 'anxious')],
      [],
    ]);
    expect(columns).toEqual([
      { trial: 1, patient: null },
      { trial: 1, patient: 'anxious patient' },
      { trial: 2, patient: null },
    ]);
    expect(rows.map((row) => row.map((cell) => cell?.status ?? null))).toEqual([
      ['passed', null, 'failed'],
      ['passed', 'failed', null],
      [null, null, null],
    ]);
  });

  it('are none before anything is read', () => {
    expect(trialTable([])).toEqual({ columns: [], rows: [] });
  });
});

describeWithBrowser('The grid on the page of a run', () => {
  let service: TestService;
  let visitor: PageVisitor;
  let run: string;
  let single: string;
  let large: string;
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
    const many = Array.from({ length: 1_000 }, (_, place) => `Large ${String(place + 1).padStart(4, '0')}`);
    large = await storeGradedRun(
      database,
      (await storeScenarios(database, many)).map((id, place) => ({
        id,
        name: many[place] ?? '',
        outcomes: Array.from({ length: 20 }, () => (place === 777 ? 'failed' : 'passed')),
      })),
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

  it('shows 20,000 conversations page by page, grouped over all of them', async () => {
    const { page } = visitor;
    await visitor.go(`/runs/${large}`);
    await page.getByText('Grid: 1,000 scenarios × 20 conversations').click();
    const grid = page.getByRole('region', { name: 'Scenarios by trials' });
    await grid.waitFor();
    expect(await grid.getByRole('rowheader').first().innerText()).toBe('Large 0778');
    expect(await grid.getByRole('link').count()).toBe(2_000);
    await page.getByText('1–100 of 1,000').waitFor();
    await page.getByLabel('Grouped by').selectOption('severity');
    await grid.getByText('medium: 1,000 scenarios').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('101–200 of 1,000').waitFor();
    await grid.getByText('medium: 1,000 scenarios').waitFor();
    await visitor.go(`/compare?runs=${large},${run}`);
    await page.getByText('1–100 of 1,100').waitFor();
    await page.getByText('1,100 scenarios are not in all of the runs').waitFor();
  });

  it('is not shown where it would repeat the list', async () => {
    await visitor.go(`/runs/${single}`);
    await visitor.page.getByRole('list', { name: 'Scenario runs' }).waitFor();
    expect(await visitor.page.getByText(/^Grid:/).count()).toBe(0);
  });
});
