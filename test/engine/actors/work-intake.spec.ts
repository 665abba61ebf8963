import { randomUUID } from 'node:crypto';
import { enqueueWork } from '../../../src/engine/actors/scenario-run-work';
import { subjects } from '../../../src/engine/bus/bus';
import { ProcessesStore } from '../../../src/engine/actors/processes.store';
import { createLog } from '../../../src/platform/config/log';
import { eventually } from '../../setup/eventually';
import { spokenRun } from '../../setup/spoken-run';
import { watchedIntakes } from '../../setup/watched-intakes';

const { runs, open, oneScenarioRun } = watchedIntakes();

describe('a piece of work', () => {
  test('is done when its scenario run has ended, and not before', async () => {
    const { bus, actors, intake, processId } = open();
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(actors.begun).toEqual([scenarioRunId]));
    expect({ fates: bus.fates, isIdle: intake.isIdle }).toEqual({ fates: [], isIdle: false });
    const [row] = await runs().database.query(
      'SELECT owner, attempt, status, metadata FROM scenario_runs WHERE id = $1',
      [scenarioRunId],
    );
    expect(row).toMatchObject({ owner: processId.value, attempt: 1, status: 'running', metadata: { offline: true } });
    actors.finish('done');
    await eventually(() => expect(intake.isIdle).toBe(true));
    expect(bus.fates).toEqual(['done']);
  });

  test('is kept alive for as long as it takes, so that nobody else gets it meanwhile', async () => {
    const { bus, actors, intake } = open({}, { times: { keepAliveMs: 50 } });
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(actors.begun.length).toBe(1));
    await eventually(() => expect(bus.signsOfLife).toBeGreaterThanOrEqual(2));
    actors.finish('done');
    await eventually(() => expect(intake.isIdle).toBe(true));
    expect(bus.fates).toEqual(['done']);
  });

  test('whose execution was released is offered again', async () => {
    const { bus, actors } = open();
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(actors.begun.length).toBe(1));
    await runs().ownership.releaseAll();
    actors.finish('released');
    await eventually(() => expect(actors.begun).toEqual([scenarioRunId, scenarioRunId]));
    expect(bus.fates).toEqual(['again after 1000 ms']);
  });

  test('has nothing to add while its scenario run is under way', async () => {
    const { bus, actors } = open();
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(actors.begun.length).toBe(1));
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 1 });
    await eventually(() => expect(bus.fates).toEqual(['done']));
    expect(actors.begun).toHaveLength(1);
    const rows = await runs().database.query('SELECT attempt FROM scenario_runs WHERE id = $1', [scenarioRunId]);
    expect(rows).toEqual([{ attempt: 1 }]);
  });

  test('of a run at its limit comes again when there may be room', async () => {
    const { bus, actors } = open();
    const { testRunId, scenarioRunId, other } = await oneScenarioRun(1);
    await runs().claim(other, testRunId, randomUUID());
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(bus.fates).toEqual(['again after 1000 ms']));
    expect(actors.begun).toEqual([]);
  });

  test('whose scenario run another process has is done', async () => {
    const { bus, actors } = open();
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await runs().claim(scenarioRunId, testRunId, randomUUID());
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(bus.fates).toEqual(['done']));
    expect(actors.begun).toEqual([]);
  });
});

describe('a message that is no work', () => {
  test.each([
    ['a word', 'secret', ['']],
    ['null', null, ['']],
    ['a list', [], ['']],
    ['an object without its identifiers', {}, ['scenario_run_id', 'test_run_id']],
    [
      'identifiers that are none',
      { scenario_run_id: 'secret', test_run_id: { secret: 1 } },
      ['scenario_run_id', 'test_run_id'],
    ],
  ])(
    '%s is removed from the queue at its first delivery, and the log says which fields are wrong',
    async (_, payload, fields) => {
      const lines: string[] = [];
      const { bus, actors } = open({}, { log: createLog('warn', { write: (line) => lines.push(line) }) });
      await bus.enqueue(subjects.scenarioRunWork, payload, { messageId: '1' });
      await eventually(() => expect(bus.fates).toEqual(['dropped']));
      expect(lines).toHaveLength(1);
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({
        msg: 'A message of a work queue is no work and is removed',
        queue: subjects.scenarioRunWork,
        sequence: 1,
        deliveryCount: 1,
        fields,
      });
      expect(lines[0]).not.toContain('secret');
      const { testRunId, scenarioRunId } = await oneScenarioRun();
      await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
      await eventually(() => expect(actors.begun).toEqual([scenarioRunId]));
    },
  );
});

describe('a run that asks for a model', () => {
  const judge = { asked: 'openai/judge-2', name: 'openai', model: 'judge-2', prompt_version: 'v1' };
  const tester = { asked: null, name: 'offline', model: null, prompt_version: null };

  test('which another process has is left to it, unclaimed', async () => {
    const { bus, actors } = open();
    const { testRunId, scenarioRunId } = await oneScenarioRun();
    await runs().database.query('UPDATE test_runs SET judge_model = $2 WHERE id = $1', [testRunId, judge.asked]);
    const store = new ProcessesStore(runs().database);
    await store.beat({ id: randomUUID(), bus: 'nats', testers: [tester], judges: [judge] });
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await eventually(() => expect(bus.fates).toEqual(['again after 2000 ms']));
    expect(actors.begun).toEqual([]);
    const rows = await runs().database.query('SELECT attempt, status FROM scenario_runs WHERE id = $1', [
      scenarioRunId,
    ]);
    expect(rows).toEqual([{ attempt: 0, status: 'pending' }]);
  });
});

describe('spoken scenario runs', () => {
  const startedRun = async (provider = 'livekit') => {
    const { testRunId, unsettled } = await runs().createRun({ scenarios: 2, provider, spoken: spokenRun() });
    const [scenarioRunId = '', other = ''] = unsettled;
    return { testRunId, scenarioRunId, other };
  };

  test('are no more at a time than SPOKEN_CONVERSATIONS, and those that wait hold up none in text', async () => {
    const { bus, actors } = open({ SPOKEN_CONVERSATIONS: '1', MAX_ACTIVE_SCENARIOS: '2' });
    const spoken = await startedRun();
    const text = await oneScenarioRun();
    await enqueueWork(bus, { testRunId: spoken.testRunId, scenarioRunId: spoken.scenarioRunId, attempt: 0 });
    await eventually(() => expect(actors.begun).toEqual([spoken.scenarioRunId]));
    const hangUp = actors.finish;
    await enqueueWork(bus, { testRunId: spoken.testRunId, scenarioRunId: spoken.other, attempt: 0 });
    await eventually(() => expect(bus.fates).toEqual(['again after 1000 ms']));
    await enqueueWork(bus, { testRunId: text.testRunId, scenarioRunId: text.scenarioRunId, attempt: 0 });
    await eventually(() => expect(actors.begun).toEqual([spoken.scenarioRunId, text.scenarioRunId]));
    const [waiting] = await runs().database.query('SELECT attempt, status FROM scenario_runs WHERE id = $1', [
      spoken.other,
    ]);
    expect(waiting).toEqual({ attempt: 0, status: 'pending' });
    hangUp('done');
    await eventually(() => expect(actors.begun).toEqual([spoken.scenarioRunId, text.scenarioRunId, spoken.other]));
  });

  test('of a run that is only marked again take no place', async () => {
    const { bus, actors } = open({ SPOKEN_CONVERSATIONS: '1' });
    const { testRunId, scenarioRunId, other } = await startedRun();
    await runs().database.query(`UPDATE test_runs SET derivation = 'regrade' WHERE id = $1`, [testRunId]);
    for (const id of [scenarioRunId, other]) await enqueueWork(bus, { testRunId, scenarioRunId: id, attempt: 0 });
    await eventually(() => expect(actors.begun.length).toBe(2));
    expect(bus.fates).toEqual([]);
  });

  test.each(['openai', 'fax'])(
    'with %s, which this version cannot speak with, end in an error that says so',
    async (kind) => {
      const { bus, actors } = open();
      const { testRunId, scenarioRunId } = await startedRun(kind);
      await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
      await eventually(() => expect(bus.fates).toEqual(['done']));
      expect(actors.begun).toEqual([]);
      expect(
        await runs().database.query('SELECT status, error_code, error_message FROM scenario_runs WHERE id = $1', [
          scenarioRunId,
        ]),
      ).toEqual([
        {
          status: 'error',
          error_code: 'config_invalid',
          error_message: `The run is spoken, and this version cannot speak with agents of the kind "${kind}": examine the agent in text.`,
        },
      ]);
    },
  );

  test('whose conversation is over are marked, whatever this version can speak with', async () => {
    const { bus, actors } = open();
    const { testRunId, scenarioRunId } = await startedRun('fax');
    const ref = { scenarioRunId, testRunId, owner: randomUUID(), attempt: 1 };
    await runs().claim(scenarioRunId, testRunId, ref.owner);
    await runs().scenarioRuns.record({ ...ref, kind: 'gradingStart' });
    await runs().scenarioRuns.record({ ...ref, kind: 'release', sentTurns: 0 });
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 1 });
    await eventually(() => expect(actors.begun).toEqual([scenarioRunId]));
    actors.finish('done');
  });
});

describe('a process', () => {
  test('takes no more work than it has slots for, and none once it stops', async () => {
    const { bus, actors, intake } = open({ MAX_ACTIVE_SCENARIOS: '1' });
    const { testRunId, scenarioRunId, other } = await oneScenarioRun();
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 0 });
    await enqueueWork(bus, { testRunId, scenarioRunId: other, attempt: 0 });
    await eventually(() => expect(actors.begun).toEqual([scenarioRunId]));
    actors.finish('done');
    await eventually(() => expect(actors.begun).toEqual([scenarioRunId, other]));
    intake.stop();
    actors.finish('done');
    await eventually(() => expect(intake.isIdle).toBe(true));
    await enqueueWork(bus, { testRunId, scenarioRunId, attempt: 7 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(bus.fates).toEqual(['done', 'done']);
  });
});
