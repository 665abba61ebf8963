import { randomBytes, randomUUID } from 'node:crypto';
import { enqueueWork } from '../../../src/engine/actors/scenario-run-work';
import { subjects } from '../../../src/engine/bus/bus';
import { MAX_ATTEMPTS } from '../../../src/engine/ledger/lease';
import { ModelSpendStore } from '../../../src/examiners/model/model-spend.store';
import { createLog } from '../../../src/platform/config/log';
import { Vault } from '../../../src/platform/database/encryption/vault';
import { eventually } from '../../setup/eventually';
import { exchange, openStoredRuns } from '../../setup/stored-run';
import { watchedIntakes } from '../../setup/watched-intakes';

const { runs, open, oneScenarioRun } = watchedIntakes();

function keptLog() {
  const lines: unknown[] = [];
  return { lines, log: createLog('warn', { write: (line) => lines.push(JSON.parse(line)) }) };
}

describe('a piece of work that cannot be begun', () => {
  test('because it was tried too often is done, and its run hears that it has ended', async () => {
    const { lines, log } = keptLog();
    const { bus, actors, settled, listen } = open({}, { log });
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    listen(testRunId);
    await runs().database.query('UPDATE scenario_runs SET attempt = $2 WHERE id = $1', [scenarioRunId, MAX_ATTEMPTS]);
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: MAX_ATTEMPTS });
    await eventually(() => expect(bus.fates).toEqual(['done']));
    await eventually(() => expect(settled).toEqual([scenarioRunId]));
    expect(actors.begun).toEqual([]);
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'A scenario run was tried too often and has ended in an error',
        scenarioRunId,
        testRunId,
        attempt: MAX_ATTEMPTS,
      }),
    ]);
  });

  test('by anybody ends in an error of its own, and its run hears of it', async () => {
    const { lines, log } = keptLog();
    const { bus, actors, settled, listen } = open({}, { log });
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    listen(testRunId);
    const ref = { scenarioRunId, testRunId, owner: randomUUID(), attempt: 1 };
    await runs().claim(scenarioRunId, testRunId, ref.owner);
    const turn = { kind: 'turn', exchange: exchange(1), continuation: null, metadata: {} } as const;
    await runs().scenarioRuns.record({ ...ref, ...turn });
    await runs().ownership.releaseAll();
    // No clock shows this, and so no reader understands it.
    await runs().database.query(`UPDATE turns SET patient_at = 'infinity' WHERE scenario_run_id = $1`, [scenarioRunId]);
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 1 });
    await eventually(() => expect(bus.fates).toEqual(['done']));
    await eventually(() => expect(settled).toEqual([scenarioRunId]));
    expect(actors.begun).toEqual([]);
    const [row] = await runs().database.query('SELECT status, error_code, metadata FROM scenario_runs WHERE id = $1', [
      scenarioRunId,
    ]);
    expect(row).toMatchObject({ status: 'error', error_code: 'internal', metadata: { attempts: 2, offline: true } });
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'A scenario run could not be started and ends in an error',
        error: expect.objectContaining({ message: expect.any(String) }),
        scenarioRunId,
        testRunId,
        attempt: 2,
      }),
    ]);
  });

  test('because its run was deleted is done', async () => {
    const { bus, actors } = open();
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await runs().testRuns.delete(testRunId);
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(bus.fates).toEqual(['done']));
    expect(actors.begun).toEqual([]);
  });

  test('because it asks for a model nobody may use here any more ends in an error of its own, and its run hears of it', async () => {
    // So short that it is over when the work comes again.
    const { bus, actors, settled, listen } = open({}, { times: { missedForMs: 100 } });
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    listen(testRunId);
    await runs().database.query(`UPDATE test_runs SET judge_model = 'anthropic/claude-gone' WHERE id = $1`, [
      testRunId,
    ]);
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(settled).toEqual([scenarioRunId]));
    // It is left to a process that has the model for a while: there is none.
    await eventually(() => expect(bus.fates).toEqual(['again after 2000 ms', 'done']));
    expect(actors.begun).toEqual([]);
    const [row] = await runs().database.query('SELECT status, error_code, metadata FROM scenario_runs WHERE id = $1', [
      scenarioRunId,
    ]);
    expect(row).toMatchObject({
      status: 'error',
      error_code: 'grading_failed',
      metadata: { judge: { name: 'anthropic', model: 'claude-gone' } },
    });
  });

  test('because no process has the judge that its run is about ends the whole run, once, which says why', async () => {
    const { lines, log } = keptLog();
    const { bus, actors, settled, listen } = open({}, { times: { missedForMs: 0 }, log });
    const { testRunId, scenarioRunId, other } = await oneScenarioRun();
    listen(testRunId);
    const judge = { name: 'openai', model: 'judge-2', prompt_version: 'v1' };
    await runs().database.query('UPDATE test_runs SET calibrated_judge = $2 WHERE id = $1', [
      testRunId,
      JSON.stringify(judge),
    ]);
    for (const id of [scenarioRunId, other]) await enqueueWork(bus, { testRunId, scenarioRunId: id, attempt: 0 });
    await eventually(() => expect(bus.fates).toEqual(['done', 'done']));
    await eventually(() => expect([...settled].sort()).toEqual([scenarioRunId, other].sort()));
    expect(actors.begun).toEqual([]);
    const [run] = await runs().database.query('SELECT status, error_message FROM test_runs WHERE id = $1', [testRunId]);
    expect(run).toEqual({ status: 'failed', error_message: expect.stringMatching(/openai\/judge-2.*start it again/) });
    const scenarioRuns = await runs().database.query('SELECT status FROM scenario_runs WHERE test_run_id = $1', [
      testRunId,
    ]);
    expect(scenarioRuns).toEqual([{ status: 'canceled' }, { status: 'canceled' }]);
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'A test run has ended: no process has the judge that it is about',
        testRunId,
      }),
    ]);
  });

  test('because it could not be claimed comes again', async () => {
    const away = await openStoredRuns();
    const { lines, log } = keptLog();
    const { bus, actors } = open({}, { claims: away.claims, log });
    await away.close();
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(bus.fates).toEqual(['again after 2000 ms']));
    expect(actors.begun).toEqual([]);
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'A piece of work could not be taken on; it will be redelivered',
        error: expect.objectContaining({ message: expect.any(String) }),
      }),
    ]);
  });

  test('because another process alone can decrypt its agent waits for that one, and uses up no attempts', async () => {
    const { lines, log } = keptLog();
    const { bus, actors } = open({}, { log });
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    const [agent] = await runs().database.query<{ id: string }>('SELECT agent_id AS id FROM test_runs WHERE id = $1', [
      testRunId,
    ]);
    const config = Vault.of([randomBytes(32).toString('base64')]).sealDocument({}, `agents.config of ${agent?.id}`);
    const setConfig = (document: object) =>
      runs().database.query('UPDATE agents SET config = $2 WHERE id = $1', [agent?.id, JSON.stringify(document)]);
    await setConfig(config);
    const waiting = ['again after 10000 ms', 'again after 10000 ms', 'again after 10000 ms'];
    for (const index of waiting.keys()) {
      await enqueueWork(bus, { testRunId, scenarioRunId, attempt: index });
      await eventually(() => expect(bus.fates).toEqual(waiting.slice(0, index + 1)));
    }
    const stored = () =>
      runs().database.query(
        'SELECT status, owner, attempt, clean_release_attempt AS clean FROM scenario_runs WHERE id = $1',
        [scenarioRunId],
      );
    expect(await stored()).toEqual([{ status: 'running', owner: null, attempt: 1, clean: 1 }]);
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: 'A scenario run waits for a process that can decrypt the config of its agent',
        sentence: expect.any(String),
        scenarioRunId,
        testRunId,
        attempt: 1,
      }),
    );
    await setConfig({});
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 4 });
    await eventually(() => expect(actors.begun).toEqual([scenarioRunId]));
    actors.finish('done');
  });

  test('because nobody understands it is dropped', async () => {
    const { bus, actors } = open();
    for (const payload of [null, {}, { scenario_run_id: 'x', test_run_id: 'y' }]) {
      await bus.enqueue(subjects.scenarioRunWork, payload, { messageId: randomUUID() });
    }
    await eventually(() => expect(bus.fates).toEqual(['dropped', 'dropped', 'dropped']));
    expect(actors.begun).toEqual([]);
  });

  test('waits while the money of the day is spent', async () => {
    await new ModelSpendStore(runs().database).add(2);
    const { bus, actors } = open({ ANTHROPIC_API_KEY: 'a-key', MAX_SPEND_USD_PER_DAY: '1' });
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(bus.fates).toEqual(['again after 10000 ms']));
    expect(actors.begun).toEqual([]);
  });
});
