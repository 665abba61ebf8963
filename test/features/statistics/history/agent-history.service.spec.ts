import { randomUUID } from 'node:crypto';
import {
  AgentHistoryService,
  type AgentHistoryRequest,
} from '../../../../src/features/statistics/history/agent-history.service';
import { AgentHistoryStore, type PastResult } from '../../../../src/features/statistics/history/agent-history.store';
import { OFFLINE, storeGradedRun, storeScenarios, type GradedRunOptions } from '../../../setup/graded-run';
import { openStoredRuns, type StoredRuns } from '../../../setup/stored-run';

let runs: StoredRuns;
/** Two scenarios. */
let ids: readonly string[];
const NAMES = ['Chest pain', 'Headache'];
beforeAll(async () => {
  runs = await openStoredRuns();
  ids = await storeScenarios(runs.database, NAMES);
});
afterAll(() => runs.close());

/** A run of an agent that was started on a day of November. */
async function runOn(
  day: number,
  agentId: string,
  outcomes: readonly (readonly string[])[] = [['passed'], ['failed']],
  options: GradedRunOptions = {},
): Promise<string> {
  const scenarios = outcomes.map((of, at) => ({ id: ids[at] ?? '', name: NAMES[at] ?? '', outcomes: of }));
  const id = await storeGradedRun(runs.database, scenarios, { agentId, ...options });
  await runs.database.query('UPDATE test_runs SET started_at = $2, created_at = $2 WHERE id = $1', [
    id,
    new Date(Date.UTC(2026, 10, day)),
  ]);
  return id;
}

const find = (
  agentId: string,
  request: Partial<AgentHistoryRequest> = {},
  store = new AgentHistoryStore(runs.database),
) => new AgentHistoryService(store).find(agentId, { limit: 50, ...request });

describe('the history of an agent', () => {
  test('has its runs as points, the oldest first, each compared with those before it', async () => {
    const agent = randomUUID();
    const [before, after] = [await runOn(1, agent), await runOn(2, agent)];
    const { points, ...of } = await find(agent.toUpperCase());
    expect(of).toEqual({ agent_id: agent, agent_name: 'Stored agent', more: false });
    expect(points.map(({ test_run_id, at, comparable_to }) => [test_run_id, at, comparable_to])).toEqual([
      [before, '2026-11-01T00:00:00.000Z', null],
      [after, '2026-11-02T00:00:00.000Z', before],
    ]);
  });

  test('shows the newest of more runs, and knows what the first of them would be compared with', async () => {
    const agent = randomUUID();
    const days: string[] = [];
    for (const day of [1, 2, 3, 4]) days.push(await runOn(day, agent));
    const [, second, third, fourth] = days;
    const { more, points } = await find(agent, { limit: 2 });
    expect(more).toBe(true);
    expect(points.map(({ test_run_id, comparable_to }) => [test_run_id, comparable_to])).toEqual([
      [third, second],
      [fourth, third],
    ]);
    expect((await find(agent, { limit: 4 })).more).toBe(false);
    expect((await find(agent, { limit: 4 })).points).toHaveLength(4);
  });

  test('says that there is more where runs are too large to be read together', async () => {
    const agent = randomUUID();
    const [large, newest] = [await runOn(1, agent), await runOn(2, agent)];
    await runs.database.query('UPDATE test_runs SET total_scenarios = 200000 WHERE id = $1', [large]);
    expect(await find(agent)).toMatchObject({ more: true, points: [{ test_run_id: newest }] });
  });

  test('has no point of a run that was deleted meanwhile, nor of one without a scenario that counts', async () => {
    const agent = randomUUID();
    const days: string[] = [];
    for (const day of [1, 2, 3]) days.push(await runOn(day, agent));
    const [deleted = '', emptied = '', kept] = days;
    class Meanwhile extends AgentHistoryStore {
      override async results(runIds: readonly string[], tag?: string): Promise<Map<string, PastResult>> {
        const results = await super.results(runIds, tag);
        results.delete(deleted);
        const result = results.get(emptied);
        if (result !== undefined) results.set(emptied, { ...result, severe: [] });
        return results;
      }
    }
    const { points, more } = await find(agent, {}, new Meanwhile(runs.database));
    expect({ more, points: points.map(({ test_run_id }) => test_run_id) }).toEqual({ more: false, points: [kept] });
  });

  test('counts the scenarios with a tag alone, and the runs that had one of them', async () => {
    const agent = randomUUID();
    const [tagged = ''] = await storeScenarios(runs.database, ['Rash']);
    await runs.database.query(`UPDATE scenarios SET tags = '{smoke}' WHERE id = $1`, [tagged]);
    await runOn(1, agent);
    const both = await storeGradedRun(
      runs.database,
      [
        { id: tagged, name: 'Rash', outcomes: ['passed'] },
        { id: ids[0] ?? '', name: 'Chest pain', outcomes: ['failed'] },
      ],
      { agentId: agent },
    );
    expect((await find(agent, { tag: 'smoke' })).points).toMatchObject([
      { test_run_id: both, scenarios: 1, graded_pass_rate: { value: 100 } },
    ]);
    expect((await find(agent)).points).toHaveLength(2);
  });

  test('is of one suite, and from one time up to another', async () => {
    const agent = randomUUID();
    const [first, second, third] = [await runOn(1, agent), await runOn(2, agent), await runOn(3, agent)];
    const suite = randomUUID();
    await runs.database.query('UPDATE test_runs SET test_suite_id = $1 WHERE id = $2', [suite, second]);
    const found = async (request: Partial<AgentHistoryRequest>) =>
      (await find(agent, request)).points.map(({ test_run_id }) => test_run_id);
    expect(await found({ suite })).toEqual([second]);
    const day = (date: number) => new Date(Date.UTC(2026, 10, date));
    expect(await found({ from: day(2) })).toEqual([second, third]);
    expect(await found({ to: day(2) })).toEqual([first]);
    expect(await found({ from: day(1), to: day(3) })).toEqual([first, second]);
  });
});

describe('a history that there is not', () => {
  test.each([randomUUID(), 'x'])('is that of an agent nobody knows: %s', async (unknown) => {
    await expect(find(unknown)).rejects.toMatchObject({ status: 404, message: 'Agent not found' });
  });

  test.each([randomUUID(), 'x'])('is that of a suite nobody knows: %s', async (suite) => {
    const agent = randomUUID();
    await runOn(1, agent);
    await expect(find(agent, { suite })).rejects.toMatchObject({
      status: 404,
      message: 'suite: no such test suite; give its id.',
    });
  });

  test('is that of a time which ends before it begins, or when it begins', async () => {
    const agent = randomUUID();
    await runOn(1, agent);
    const [early, late] = [new Date('2026-11-01T00:00:00Z'), new Date('2026-11-02T00:00:00Z')];
    for (const [from, to] of [
      [late, early],
      [late, late],
    ]) {
      await expect(find(agent, { from, to })).rejects.toMatchObject({
        status: 400,
        message: 'from: must be earlier than to; runs from `from` on and before `to` are meant.',
      });
    }
  });
});

test('what runs came to is told by run: scenarios alike together, who examined and who was examined by', async () => {
  const agent = randomUUID();
  const one = await runOn(1, agent, [['passed'], ['passed']], {
    patients: [
      { style: 'anxious', language: 'de' },
      { style: 'low_literacy', language: 'en' },
    ],
  });
  const another = { ...OFFLINE, judge: { ...OFFLINE.judge, model: 'another' } };
  const other = await runOn(2, agent, [['passed', 'failed'], ['connect_failed']], { metadata: another });
  const results = await new AgentHistoryStore(runs.database).results([one, other]);
  expect([...results.keys()]).toEqual([one, other]);
  expect(results.get(one)).toMatchObject({
    severe: [{ scenarios: 2, graded: 2, passed: 2, total: 4 }],
    examiners: [{ judge: { model: null } }],
    patients: ['anxious patient, de', 'low literacy patient'],
  });
  expect(results.get(other)).toMatchObject({
    severe: [
      { scenarios: 1, graded: 0, passed: 0, total: 1 },
      { scenarios: 1, graded: 2, passed: 1, total: 2 },
    ],
    examiners: [{ judge: { model: 'another' } }],
    patients: ['cooperative patient'],
  });
  expect(results.get(one)?.scenarios_hash).toBe(results.get(other)?.scenarios_hash);
  const none = randomUUID();
  expect((await new AgentHistoryStore(runs.database).results([none])).get(none)).toStrictEqual({
    scenarios_hash: null,
    severe: [],
    examiners: [],
    patients: [],
  });
});
