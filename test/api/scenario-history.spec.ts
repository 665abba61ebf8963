import { randomUUID } from 'node:crypto';
import { USUAL_PATIENT } from '../../src/domain/patient';
import { Database } from '../../src/platform/database/database';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { storeExaminedRun, type Conditions } from '../setup/examined-run';
import { OFFLINE, storeGradedRun, storeScenarios, type GradedRunOptions } from '../setup/graded-run';
import { osce } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let database: Database;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  database = service.app.get(Database);
});
afterAll(() => service.close());

/** A run of one scenario that says what was examined; its trials had these outcomes. */
const examined = (
  id: string,
  outcomes: readonly string[],
  conditions?: Conditions,
  options?: GradedRunOptions,
): Promise<string> => storeExaminedRun(database, { id, name: 'Wavering' }, outcomes, conditions, options);

const newScenario = async (): Promise<string> => (await storeScenarios(database, ['Wavering']))[0] ?? '';

const historyOf = async (scenarioId: string, query = ''): Promise<Answer['body']> => {
  const { status, body } = await api.get(`/api/v1/scenarios/${scenarioId}/history${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};
const flakyIn = async (runId: string): Promise<string[]> =>
  (await api.get(`/api/v1/tests/${runId}/statistics`)).body.flaky_scenarios;

describe('the history of a scenario', () => {
  test('both verdicts of the same agent config under the same conditions are flaky, and named in the statistics of either run', async () => {
    const id = await newScenario();
    const [one, other] = [await examined(id, ['passed', 'passed']), await examined(id, ['failed'])];
    const { history, ...found } = await historyOf(id);
    expect(found).toEqual({
      scenario_id: id,
      scenario_name: 'Wavering',
      verdicts: 3,
      ungrouped: 0,
      flaky: true,
      total: 1,
    });
    expect(history).toEqual([
      expect.objectContaining({
        agent_config_hash: 'config-1',
        agent_name: 'Stored agent',
        scenario_revision: 1,
        patient: USUAL_PATIENT,
        region: null,
        examiners: { ...OFFLINE, tester: { ...OFFLINE.tester, prompt_version: null } },
        passed: 2,
        failed: 1,
        flaky: true,
      }),
    ]);
    // The newest first.
    expect(history[0].verdicts.map(({ status, test_run_id }: Answer['body']) => [status, test_run_id])).toEqual([
      ['failed', other],
      ['passed', one],
      ['passed', one],
    ]);
    for (const run of [one, other]) {
      expect(await flakyIn(run)).toEqual([{ scenario_id: id, scenario_name: 'Wavering', passed: 2, failed: 1 }]);
    }
  });

  test.each<[string, Conditions, GradedRunOptions]>([
    ['another agent config', { config: 'config-2' }, {}],
    ['another version of the agent', { version: 'v2' }, {}],
    ['another revision of the scenario', { revision: 2 }, {}],
    ['another judge', {}, { metadata: { ...OFFLINE, judge: { ...OFFLINE.judge, model: 'another' } } }],
    ['another patient', {}, { patients: [{ style: 'anxious', language: 'de' }] }],
    ['more turns', {}, { maxTurns: 7 }],
    ['another region', {}, { region: 'UK' }],
  ])('under %s another verdict is no surprise', async (_what, conditions, options) => {
    const id = await newScenario();
    const runs = [await examined(id, ['passed']), await examined(id, ['failed'], conditions, options)];
    const found = await historyOf(id);
    expect(found).toMatchObject({
      flaky: false,
      total: 2,
      history: [
        { failed: 1, flaky: false },
        { passed: 1, flaky: false },
      ],
    });
    for (const run of runs) expect(await flakyIn(run)).toEqual([]);
  });

  test('what has no verdict says nothing, and runs that do not say what was examined form no group', async () => {
    const id = await newScenario();
    await examined(id, ['passed', 'provider_timeout', 'canceled']);
    await examined(id, ['failed'], { config: null });
    const older = await storeGradedRun(database, [{ id, name: 'Wavering', outcomes: ['failed', 'passed'] }]);
    expect(await historyOf(id)).toMatchObject({ verdicts: 4, ungrouped: 3, flaky: false, total: 1 });
    expect(await flakyIn(older)).toEqual([]);
  });

  test('of a run that is larger than what is looked at the first conversations are, and one without a verdict takes no room', async () => {
    const id = await newScenario();
    const sized = async (outcomes: readonly string[], scenarioRuns: number): Promise<string> => {
      const run = await examined(id, outcomes, { config: 'of large runs' });
      await database.query('UPDATE test_runs SET total_scenarios = $2 WHERE id = $1', [run, scenarioRuns]);
      return run;
    };
    const known = await sized(['passed'], 1);
    await sized(['failed'], 20_000);
    expect(await flakyIn(known)).toEqual([{ scenario_id: id, scenario_name: 'Wavering', passed: 1, failed: 1 }]);
    await sized(['canceled'], 20_000);
    expect(await flakyIn(known)).toEqual([{ scenario_id: id, scenario_name: 'Wavering', passed: 1, failed: 1 }]);
    // What is older than the newest 2,000 is not looked at.
    await sized(['passed'], 2_000);
    expect(await flakyIn(known)).toEqual([]);
  });

  test('comes page by page, the newest first', async () => {
    const id = await newScenario();
    for (const config of ['a', 'b', 'c']) await examined(id, ['passed'], { config });
    const configs = async (query: string) =>
      (await historyOf(id, query)).history.map((group: Answer['body']) => group.agent_config_hash);
    expect(await configs('')).toEqual(['c', 'b', 'a']);
    expect(await configs('?limit=1&offset=1')).toEqual(['b']);
    expect(await historyOf(id, '?offset=9')).toMatchObject({ total: 3, history: [] });
    expect(await historyOf(await newScenario())).toMatchObject({ verdicts: 0, total: 0, flaky: false, history: [] });
  });

  test('names the newest verdicts of a group, and counts all of them', async () => {
    const id = await newScenario();
    for (let runs = 0; runs < 2; runs += 1)
      await examined(
        id,
        Array.from({ length: 15 }, () => 'passed'),
      );
    const { history } = await historyOf(id);
    expect(history[0]).toMatchObject({ passed: 30, failed: 0 });
    expect(history[0].verdicts).toHaveLength(20);
  });

  test('of real runs: the second examination of the same agent is in the group of the first', async () => {
    const agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
    const agent_id = await createAgent(api, agent.baseUrl);
    const scenario_ids = await createScenarios(api, 1);
    for (let runs = 0; runs < 2; runs += 1) {
      const { body } = await api.post('/start-run', { agent_id, scenario_ids, max_turns: 5 });
      await untilFinal(api, body.id);
    }
    expect(await historyOf(scenario_ids[0] ?? '')).toMatchObject({
      total: 1,
      flaky: false,
      history: [{ passed: 2, failed: 0, scenario_revision: 1, max_turns: 5, region: 'US' }],
    });
    await agent.close();
  });

  test('404 and 400 say what is wrong', async () => {
    for (const unknown of [randomUUID(), 'x']) {
      expect(await api.get(`/api/v1/scenarios/${unknown}/history`)).toMatchObject({
        status: 404,
        body: { error: 'Scenario not found' },
      });
    }
    expect(await api.get(`/api/v1/scenarios/${await newScenario()}/history?limit=x`)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('limit') },
    });
  });

  test('osce scenarios history shows it, and says whether the scenario is flaky', async () => {
    const id = await newScenario();
    await examined(id, ['passed', 'failed']);
    await examined(id, ['passed'], { config: null });
    const { code, stdout } = await osce(['scenarios', 'history', id], { url: service.url });
    expect(code).toBe(0);
    expect(stdout).toMatch(/Stored agent │ config-1 .*│ +1 │ +1 │ flaky/);
    expect(stdout).toContain('1 older verdicts do not say what was examined');
    expect(stdout).toContain('Wavering is flaky: it both passed and failed under the same conditions.');
    const json = await osce(['scenarios', 'history', id, '--json'], { url: service.url });
    expect(JSON.parse(json.stdout)).toMatchObject({ scenario_id: id, flaky: true });
  });
});
