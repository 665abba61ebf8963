import { Database } from '../../src/platform/database/database';
import { heatOf } from '../../web/src/grid/criteria-heat-rows';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const mark = (tags: readonly string[], decision: 'MET' | 'NOT MET' | 'PARTIALLY MET', max_points = 5) => ({
  criterion: tags.join(),
  tags,
  decision,
  max_points,
});

const held = (id: string, scenario_id: string, criteria_results: ReturnType<typeof mark>[] | null) => ({
  id,
  scenario_id,
  scenario_name: scenario_id,
  criteria_results,
});

describe('the heat map of what was missed', () => {
  it('has must-pass first, then the kinds missed most, those without a kind last, and the worst scenario on top', () => {
    const { kinds, rows } = heatOf([
      held('a1', 'a', [mark(['history'], 'MET'), mark(['safety'], 'NOT MET'), mark([], 'NOT MET')]),
      held('b1', 'b', [mark(['history'], 'NOT MET'), mark(['must_pass', 'safety'], 'MET')]),
      held('b2', 'b', [mark(['history'], 'MET'), mark(['must_pass', 'safety'], 'NOT MET')]),
      held('c1', 'c', null),
    ]);
    expect(kinds).toEqual(['must_pass', 'safety', 'history', null]);
    expect(rows.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(rows[0]?.cells).toEqual([
      { missed: 1, of: 2, conversation: 'b2' },
      { missed: 1, of: 2, conversation: 'b2' },
      { missed: 1, of: 2, conversation: 'b1' },
      null,
    ]);
    expect(rows[1]?.cells[0]).toBeNull();
  });

  it('counts what must not happen as missed when it happened, and half as not missed', () => {
    const { rows } = heatOf([
      held('a', 'a', [mark(['x'], 'MET', -5), mark(['x'], 'NOT MET', -5), mark(['x'], 'PARTIALLY MET')]),
    ]);
    expect(rows[0]?.cells).toEqual([{ missed: 1, of: 3, conversation: 'a' }]);
  });

  it('is empty without marks', () => {
    expect(heatOf([held('a', 'a', null)])).toEqual({ kinds: [], rows: [] });
  });
});

describeWithBrowser('The heat map on the page of a run', () => {
  let service: TestService;
  let visitor: PageVisitor;
  let run: string;
  beforeAll(async () => {
    service = await startTestService({}, { pageFolder: await builtPage() });
    const database = service.app.get(Database);
    const names = ['Chest pain', 'Stroke <i>', 'Runny nose'];
    const ids = await storeScenarios(database, names);
    const scenarios = ids.map((id, at) => ({ id, name: names[at] ?? '', outcomes: ['failed', 'passed'] }));
    run = await storeGradedRun(database, scenarios, {
      criteria: ({ id }, trial) => [
        mark(['must_pass', 'escalation'], id === ids[1] && trial === 1 ? 'NOT MET' : 'MET'),
        mark(['medication_safety'], trial === 1 ? 'NOT MET' : 'MET'),
        mark(['<b>history'], id === ids[0] ? 'NOT MET' : 'MET'),
      ],
    });
    visitor = await PageVisitor.open(service.url);
  });
  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('shows kinds in words, the worst scenario on top, and leads to a conversation', async () => {
    const { page } = visitor;
    await visitor.go(`/runs/${run}`);
    await page.getByText('What was missed, by kind of criterion: 3 scenarios × 4 kinds').click();
    const heat = page.getByRole('region', { name: 'Scenarios by kinds of criteria' });
    await heat.waitFor();
    expect(await heat.getByRole('columnheader').allInnerTexts()).toEqual([
      'Scenario',
      'must pass',
      'medication safety',
      '<b>history',
      'escalation',
    ]);
    expect(await heat.getByRole('rowheader').first().innerText()).toBe('Stroke <i>');
    await heat.scrollIntoViewIfNeeded();
    await visitor.picture('criteria-heat', { fullPage: false });
    expect(await visitor.findings()).toEqual([]);
    await heat
      .getByRole('row', { name: /Stroke/ })
      .getByRole('link', { name: '1 of 2 missed' })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Stroke <i>' }).waitFor();
  });
});
