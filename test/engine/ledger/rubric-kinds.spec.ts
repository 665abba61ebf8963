import { randomUUID } from 'node:crypto';
import type { NewDerivedRun } from '../../../src/engine/ledger/derived-run';
import type { ImportedConversation } from '../../../src/engine/ledger/imported-run';
import type { NewTestRun } from '../../../src/engine/ledger/new-test-run';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

const RUBRIC = [
  { criterion: 'Says "call 999", points: 3', points: 5, tags: ['safety', 'must_pass'] },
  { criterion: 'Gives a dose', points: -2.5, tags: [], check: { kind: 'text' } },
];
const KINDS = [
  [5, ['safety', 'must_pass']],
  [-2.5, []],
];
const OTHER = [{ criterion: 'Asks', points: 1, tags: ['history'] }];
const OTHER_KINDS = [[1, ['history']]];

/** What is told beside the copies of a run, and the copies. */
const kindsOf = async (testRunId: string): Promise<unknown[]> => {
  const rows = await runs.database.query<{ kinds: string; rubric: readonly { points: number; tags: string[] }[] }>(
    `SELECT rubric_kinds AS kinds, scenario->'rubric_criteria' AS rubric FROM scenario_runs WHERE test_run_id = $1 ORDER BY position`,
    [testRunId],
  );
  return rows.map(({ kinds, rubric }) => {
    const told: unknown = JSON.parse(kinds);
    expect(told).toEqual(rubric.map(({ points, tags }) => [points, tags]));
    return told;
  });
};

async function withRubrics(): Promise<NewTestRun> {
  const run = await runs.newRun({ scenarios: 2, trials: 2 });
  const [first] = run.planned;
  await runs.database.query('UPDATE scenarios SET rubric_criteria = $2 WHERE id = $1', [
    first?.scenarioId,
    JSON.stringify(RUBRIC),
  ]);
  return run;
}

const conversation = (scenarioId: string, adHoc: ImportedConversation['adHoc'] = null): ImportedConversation => ({
  scenarioId,
  adHoc,
  trial: 1,
  examination: null,
  turns: [{ turn: 1, patientMessage: 'My chest hurts.', agentMessage: 'Please call 999 now.' }],
});

describe('the kinds of criteria stand beside a copy of their rubric', () => {
  test('of the library, and of a twin, whatever became of the library', async () => {
    const run = await withRubrics();
    await runs.testRuns.create(run);
    expect(await kindsOf(run.id)).toEqual([KINDS, [], KINDS, []]);
    await runs.database.query(`UPDATE scenarios SET rubric_criteria = '[]'`);
    const id = randomUUID();
    await runs.testRuns.create({ ...run, id, test_run_id: `run_${id}`, twin: { id: run.id, first: run.id } });
    expect(await kindsOf(id)).toEqual([KINDS, [], KINDS, []]);
  });

  test('that was brought along, or is that of the library', async () => {
    const [planned] = (await withRubrics()).planned;
    const adHoc = { scenario: { name: 'call-1', content: {}, rubric_criteria: OTHER }, contentHash: '1'.repeat(64) };
    const conversations = [conversation(randomUUID(), adHoc), conversation(planned?.scenarioId ?? '')];
    const run = { ...(await runs.newRun()), region: null, trials: 1, calibrated_judge: null, conversations };
    await runs.testRuns.importRun(run);
    expect(await kindsOf(run.id)).toEqual([OTHER_KINDS, KINDS]);
  });

  test('that was taken over, or another one that conversations are marked with', async () => {
    const source = await withRubrics();
    await runs.testRuns.create(source);
    const [scenarioId = '', other = ''] = source.planned.map((one) => one.scenarioId);
    await runs.database.query(
      `INSERT INTO scenario_revisions (scenario_id, revision, content_hash, content, rubric_criteria)
       VALUES ($1, 2, repeat('2', 64), '{}', $2)`,
      [other, JSON.stringify(OTHER)],
    );
    const rows = await runs.database.query<{ id: string }>(
      'SELECT id FROM scenario_runs WHERE test_run_id = $1 AND trial = 1 ORDER BY position',
      [source.id],
    );
    const run: NewDerivedRun = {
      ...(await runs.newRun()),
      derived_from: source.id,
      derivation: 'regrade',
      born: rows.map(({ id }) => ({ sourceId: id, trial: 1, birth: 'whole', keptTurns: 0, givenMessage: null })),
      otherRubrics: [
        { scenario_id: other, was: '0'.repeat(64), rubric_of: 2, revision: 2, content_hash: '2'.repeat(64) },
      ],
    };
    await runs.testRuns.derive(run);
    expect(scenarioId).not.toBe(other);
    expect(await kindsOf(run.id)).toEqual([KINDS, OTHER_KINDS]);
  });
});
