import { randomUUID } from 'node:crypto';
import { SourceGone, type BornScenarioRun, type NewDerivedRun } from '../../../src/engine/ledger/derived-run';
import type { ImportedConversation, NewImportedRun } from '../../../src/engine/ledger/imported-run';
import { ScenarioVanished } from '../../../src/engine/ledger/new-test-run';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

const rowsOf = (testRunId: string) =>
  runs.database.query<{ id: string; position: number }>(
    `SELECT id, scenario_id, scenario_name AS name, trial, status, turns, kept_turns, given_message, source_scenario_run_id AS source,
            carried, scenario_content_hash AS hash, position
     FROM scenario_runs WHERE test_run_id = $1 ORDER BY position`,
    [testRunId],
  );
const toldOf = (testRunId: string) => runs.told.filter(({ run_id }) => run_id === testRunId);

async function idsOf(testRunId: string): Promise<string[]> {
  return (await rowsOf(testRunId)).map(({ id }) => id);
}

const TURNS = [
  { turn: 1, patientMessage: 'My chest hurts.', agentMessage: 'Since when?' },
  { turn: 2, patientMessage: 'Since noon.', agentMessage: 'Please call 999 now.' },
];

const conversation = (changes: Partial<ImportedConversation> = {}): ImportedConversation => ({
  scenarioId: randomUUID(),
  adHoc: {
    scenario: { name: 'call-1', content: {}, rubric_criteria: [] },
    contentHash: '1'.repeat(64),
  },
  trial: 1,
  examination: null,
  turns: TURNS,
  ...changes,
});

async function imported(conversations: readonly ImportedConversation[]): Promise<NewImportedRun> {
  return { ...(await runs.newRun()), region: null, trials: 1, calibrated_judge: null, conversations };
}

describe('a run of conversations that were held elsewhere', () => {
  test('is stored in their order, each with its turns and to be marked', async () => {
    const { planned } = await runs.newRun();
    const conversations = [
      conversation({ turns: TURNS.slice(0, 1) }),
      conversation({ scenarioId: planned[0]?.scenarioId ?? '', adHoc: null, trial: 2 }),
      conversation({ trial: 3 }),
    ];
    const run = await imported(conversations);
    const claim = await runs.testRuns.importRun(run);
    const rows = await rowsOf(run.id);
    expect(rows).toMatchObject([
      { name: 'call-1', trial: 1, status: 'grading', turns: 1, kept_turns: 1, hash: '1'.repeat(64) },
      { name: 'Scenario 1', trial: 2, status: 'grading', turns: 2, kept_turns: 2, hash: '0'.repeat(64) },
      { name: 'call-1', trial: 3, status: 'grading', turns: 2, kept_turns: 2, hash: '1'.repeat(64) },
    ]);
    expect(rows.map(({ position }) => position)).toEqual([1, 2, 3]);
    expect(claim).toMatchObject({ testRunId: run.id, status: 'running', unsettled: rows.map(({ id }) => id) });
    expect(toldOf(run.id)).toMatchObject([
      { seq: 1, type: 'test_run_started', total_scenarios: 3, scenarios_launched: 3 },
    ]);
    const turns = await runs.database.query(
      `SELECT turn, patient_message AS "patientMessage", agent_message AS "agentMessage" FROM turns
       WHERE scenario_run_id = $1 ORDER BY turn`,
      [rows[1]?.id],
    );
    expect(turns).toEqual(TURNS);
    const [stored] = await runs.database.query(
      'SELECT status, total_scenarios, derivation, derived_from FROM test_runs WHERE id = $1',
      [run.id],
    );
    expect(stored).toEqual({ status: 'running', total_scenarios: 3, derivation: 'import', derived_from: null });
  });

  test('is marked with a random seed and in the region of the run, where a conversation has none of its own', async () => {
    const run = await imported([conversation(), conversation({ examination: { seed: 7, region: null } })]);
    const { unsettled } = await runs.testRuns.importRun({ ...run, region: 'UK' });
    const claims = await Promise.all(unsettled.map((id) => runs.claim(id, run.id, randomUUID())));
    const notes = { status: 'grading', keptTurns: 2, playedBy: { name: 'elsewhere' } };
    expect(claims).toMatchObject([
      { record: { ...notes, seed: null, region: 'UK' } },
      { record: { ...notes, seed: 7, region: null } },
    ]);
  });

  test('is stored once when the answer was lost, and told of once', async () => {
    const run = await imported([conversation(), conversation()]);
    const claim = await runs.testRuns.importRun(run);
    const told = runs.told.length;
    const again = await runs.testRuns.importRun(run);
    expect(runs.told).toHaveLength(told);
    expect(again.testRunId).toBe(claim.testRunId);
    expect(new Set(again.unsettled)).toEqual(new Set(claim.unsettled));
    expect(await rowsOf(run.id)).toHaveLength(2);
    expect(toldOf(run.id)).toHaveLength(1);
  });

  test('is not stored where a scenario of the library is gone', async () => {
    const run = await imported([conversation(), conversation({ adHoc: null })]);
    await expect(runs.testRuns.importRun(run)).rejects.toBeInstanceOf(ScenarioVanished);
    expect(await rowsOf(run.id)).toEqual([]);
    expect(toldOf(run.id)).toEqual([]);
  });
});

const born = (sourceId: string, changes: Partial<BornScenarioRun> = {}): BornScenarioRun => ({
  sourceId,
  trial: 1,
  birth: 'anew',
  keptTurns: 0,
  givenMessage: null,
  ...changes,
});

async function derived(from: string, rows: readonly BornScenarioRun[]): Promise<NewDerivedRun> {
  return {
    ...(await runs.newRun()),
    derived_from: from,
    derivation: 'retry',
    born: rows,
    otherRubrics: [],
  };
}

describe('a run that begins from the rows of another', () => {
  test('takes them over as each is born, and what is carried is settled', async () => {
    const source = await imported([conversation(), conversation(), conversation(), conversation()]);
    await runs.testRuns.importRun(source);
    const [a = '', b = '', c = '', d = ''] = await idsOf(source.id);
    const run = await derived(source.id, [
      born(d, { trial: 4, birth: 'whole' }),
      born(a, { birth: 'carried' }),
      born(c, { trial: 3, birth: 'continued', keptTurns: 1, givenMessage: 'Since one.' }),
      born(b, { trial: 2 }),
    ]);
    const claim = await runs.testRuns.derive(run);
    const rows = await rowsOf(run.id);
    expect(rows).toMatchObject([
      { source: d, trial: 4, status: 'grading', turns: 2, kept_turns: 2, given_message: null, carried: false },
      { source: a, trial: 1, status: 'grading', turns: 2, kept_turns: 2, given_message: null, carried: true },
      { source: c, trial: 3, status: 'pending', turns: 1, kept_turns: 1, given_message: 'Since one.', carried: false },
      { source: b, trial: 2, status: 'pending', turns: 0, kept_turns: null, given_message: null, carried: false },
    ]);
    expect(rows.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
    const ids = rows.map(({ id }) => id);
    expect(claim).toMatchObject({ testRunId: run.id, status: 'running', unsettled: [ids[0], ids[2], ids[3]] });
    expect(toldOf(run.id)).toMatchObject([
      { seq: 1, type: 'test_run_started', total_scenarios: 4, scenarios_launched: 3 },
    ]);
    const turns = await runs.database.query<{ turns: number }>(
      `SELECT count(u.turn)::int AS turns FROM scenario_runs s LEFT JOIN turns u ON u.scenario_run_id = s.id
       WHERE s.test_run_id = $1 GROUP BY s.position ORDER BY s.position`,
      [run.id],
    );
    expect(turns.map((row) => row.turns)).toEqual([2, 2, 1, 0]);
  });

  test('is stored once when the answer was lost, and told of once', async () => {
    const source = await imported([conversation()]);
    await runs.testRuns.importRun(source);
    const run = await derived(
      source.id,
      (await idsOf(source.id)).map((id) => born(id)),
    );
    const claim = await runs.testRuns.derive(run);
    const told = runs.told.length;
    expect(await runs.testRuns.derive(run)).toMatchObject({ testRunId: run.id, unsettled: claim.unsettled });
    expect(runs.told).toHaveLength(told);
    expect(await rowsOf(run.id)).toHaveLength(1);
    expect(toldOf(run.id)).toHaveLength(1);
  });

  test('is not stored where its source, or a part of it, is gone', async () => {
    const source = await imported([conversation()]);
    await runs.testRuns.importRun(source);
    const [row = ''] = await idsOf(source.id);
    for (const run of [
      await derived(source.id, [born(row), born(randomUUID())]),
      await derived(randomUUID(), [born(randomUUID())]),
      await derived(randomUUID(), []),
    ]) {
      await expect(runs.testRuns.derive(run)).rejects.toBeInstanceOf(SourceGone);
      expect(await runs.reads.find(run.id)).toBeNull();
    }
  });

  test('has failed when all of it is carried and nothing of it was ever marked', async () => {
    const source = await imported([conversation()]);
    await runs.testRuns.importRun(source);
    await runs.testRuns.cancel(source.id);
    const run = await derived(
      source.id,
      (await idsOf(source.id)).map((id) => born(id, { birth: 'carried' })),
    );
    const { attempt, unsettled } = await runs.testRuns.derive(run);
    expect(unsettled).toEqual([]);
    const { id: testRunId, owner } = run;
    expect(await runs.testRuns.finish({ testRunId, owner, attempt })).toEqual({ kind: 'finished', status: 'failed' });
    expect(await runs.reads.find(testRunId)).toMatchObject({
      status: 'failed',
      error_message: 'No scenario could be run.',
      canceled_count: 1,
    });
  });
});

describe('however the database joins what it stores', () => {
  let merging: StoredRuns;
  beforeAll(async () => {
    await runs.database.query(`DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET enable_hashjoin = off', current_database());
      EXECUTE format('ALTER DATABASE %I SET enable_nestloop = off', current_database());
    END $$`);
    // Its sessions find rows by their ids, which are random.
    merging = await openStoredRuns(runs.testDatabase);
  });
  afterAll(() => merging.close());

  test('scenario runs are named in the order of their run: of a new one, of one from elsewhere, of one from another', async () => {
    const plan = await merging.newRun({ scenarios: 8 });
    const created = await merging.testRuns.create(plan);
    expect(created.unsettled).toEqual(await idsOf(plan.id));
    const elsewhere = await imported(plan.planned.map(({ scenarioId }) => conversation({ scenarioId, adHoc: null })));
    const stored = await merging.testRuns.importRun(elsewhere);
    expect(stored.unsettled).toEqual(await idsOf(elsewhere.id));
    const again = await derived(
      elsewhere.id,
      stored.unsettled.map((id) => born(id)),
    );
    expect((await merging.testRuns.derive(again)).unsettled).toEqual(await idsOf(again.id));
  });
});
