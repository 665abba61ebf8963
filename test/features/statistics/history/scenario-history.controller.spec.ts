import { randomUUID } from 'node:crypto';
import { ANYONE } from '../../../../src/platform/access';
import { ShownMarks } from '../../../../src/features/shown-marks/shown-marks';
import { ShownMarksStore } from '../../../../src/features/shown-marks/shown-marks.store';
import { ScenarioHistoryController } from '../../../../src/features/statistics/history/scenario-history.controller';
import { ScenarioHistoryStore } from '../../../../src/features/statistics/history/scenario-history.store';
import { storeExaminedRun, type Conditions } from '../../../setup/examined-run';
import { storeScenarios } from '../../../setup/graded-run';
import { openStoredRuns, type StoredRuns } from '../../../setup/stored-run';

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

const newScenario = async (): Promise<string> => (await storeScenarios(runs.database, ['Wavering']))[0] ?? '';

const examined = (id: string, outcomes: readonly string[], conditions?: Conditions): Promise<string> =>
  storeExaminedRun(runs.database, { id, name: 'Wavering' }, outcomes, conditions);

const find = (id: string, page = { limit: 25, offset: 0 }) =>
  new ScenarioHistoryController(
    new ScenarioHistoryStore(runs.database),
    new ShownMarks(new ShownMarksStore(runs.database)),
  ).find(id, page, ANYONE);

describe('the history of a scenario', () => {
  test('has verdicts under the same conditions together, the newest group first, and calls those with both flaky', async () => {
    const id = await newScenario();
    await examined(id, ['passed', 'failed', 'passed']);
    await examined(id, ['passed', 'passed'], { config: 'config-2' });
    await examined(id, ['failed'], { config: 'config-3' });
    const { history, ...found } = await find(id.toUpperCase());
    expect(found).toEqual({
      scenario_id: id,
      scenario_name: 'Wavering',
      verdicts: 6,
      ungrouped: 0,
      flaky: true,
      total: 3,
    });
    expect(history.map((one) => [one.agent_config_hash, one.passed, one.failed, one.flaky])).toEqual([
      ['config-3', 0, 1, false],
      ['config-2', 2, 0, false],
      ['config-1', 2, 1, true],
    ]);
  });

  test('is flaky also where the flaky group is on another page', async () => {
    const id = await newScenario();
    await examined(id, ['passed', 'failed']);
    await examined(id, ['passed'], { config: 'config-2' });
    expect(await find(id, { limit: 1, offset: 0 })).toMatchObject({
      flaky: true,
      total: 2,
      history: [{ agent_config_hash: 'config-2', flaky: false }],
    });
    expect(await find(id, { limit: 1, offset: 1 })).toMatchObject({ history: [{ agent_config_hash: 'config-1' }] });
  });

  test('of a scenario that was never examined is empty, and not flaky', async () => {
    expect(await find(await newScenario())).toMatchObject({ verdicts: 0, flaky: false, total: 0, history: [] });
  });

  test('counts as shown what it shows: no review of these conversations is blind any more, and those of another page still are', async () => {
    const id = await newScenario();
    await examined(id, ['passed']);
    const newer = await examined(id, ['passed'], { config: 'config-2' });
    await find(id, { limit: 1, offset: 0 });
    const shown = await runs.database.query<{ test_run_id: string; what: string }>(
      `SELECT DISTINCT m.test_run_id, m.what FROM shown_marks m JOIN scenario_runs s ON s.test_run_id = m.test_run_id
       WHERE s.scenario_id = $1`,
      [id],
    );
    expect(shown).toEqual([{ test_run_id: newer, what: 'marks' }]);
  });

  test.each([randomUUID(), 'x'])('is none of a scenario that does not exist: %s', async (unknown) => {
    await expect(find(unknown)).rejects.toMatchObject({ status: 404, message: 'Scenario not found' });
  });
});
