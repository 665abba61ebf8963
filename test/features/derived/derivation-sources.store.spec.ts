import { randomUUID } from 'node:crypto';
import type { RubricCriterion } from '../../../src/domain';
import { DerivationSourcesStore } from '../../../src/features/derived/derivation-sources.store';
import { contentHashOf } from '../../../src/features/scenarios/scenario-revision';
import { storeGradedRun, storeScenarios } from '../../setup/graded-run';
import { conversationsOf } from '../../setup/reviewed-runs';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

const store = () => new DerivationSourcesStore(runs.database);

const CONTENT = { script: 'You take aspirin.', demographics: {}, chief_complaint: 'My chest hurts.' };
const OTHER_CONTENT = { ...CONTENT, script: 'You take nothing.' };
const RUBRIC: readonly RubricCriterion[] = [{ criterion: 'Asks about allergies', points: 2, tags: [] }];
const OTHER_RUBRIC: readonly RubricCriterion[] = [{ criterion: 'Calls for help', points: 5, tags: ['must_pass'] }];

const hashOf = (content: object, rubricCriteria = RUBRIC) => contentHashOf({ content: { ...content }, rubricCriteria });

/** Gives a scenario this revision, which is the one that it has now. */
async function revise(id: string, revision: number, content: object, rubric: readonly RubricCriterion[]) {
  const hash = hashOf(content, rubric);
  await runs.database.query(
    `INSERT INTO scenario_revisions (scenario_id, revision, content_hash, content, rubric_criteria) VALUES ($1, $2, $3, $4, $5)`,
    [id, revision, hash, JSON.stringify(content), JSON.stringify(rubric)],
  );
  await runs.database.query('UPDATE scenarios SET revision = $2, content_hash = $3 WHERE id = $1', [
    id,
    revision,
    hash,
  ]);
}

/** A run of scenarios of the library, as they are in their first revision. */
async function examined(names: readonly string[], outcomes: readonly string[] = ['passed']) {
  const ids = await storeScenarios(runs.database, names);
  for (const id of ids) await revise(id, 1, CONTENT, RUBRIC);
  const run = await storeGradedRun(
    runs.database,
    ids.map((id, at) => ({ id, name: names[at] ?? '', outcomes, content: CONTENT, rubric: RUBRIC })),
  );
  await runs.database.query('UPDATE scenario_runs SET scenario_content_hash = $2 WHERE test_run_id = $1', [
    run,
    hashOf(CONTENT),
  ]);
  return { run, ids };
}

describe('the rubrics that a run’s scenarios have now', () => {
  test('are none where they have not changed', async () => {
    const { run } = await examined(['A', 'B']);
    expect(await store().otherRubricsOf(run)).toEqual([]);
  });

  test('go together with what was played: as the revision where it has the same content, else as none', async () => {
    const { run, ids } = await examined(['A', 'B', 'C'], ['passed', 'failed']);
    const [a = '', b = ''] = ids;
    await revise(a, 2, CONTENT, OTHER_RUBRIC);
    await revise(b, 2, OTHER_CONTENT, OTHER_RUBRIC);
    const hash = hashOf(CONTENT, OTHER_RUBRIC);
    const was = hashOf(CONTENT);
    const found = await store().otherRubricsOf(run);
    expect(found).toHaveLength(2);
    expect(found).toEqual(
      expect.arrayContaining([
        { scenario_id: a, was, rubric_of: 2, revision: 2, content_hash: hash },
        { scenario_id: b, was, rubric_of: 2, revision: null, content_hash: hash },
      ]),
    );
  });

  test('replace those of copies that say nothing of what they are, and of no scenario that is gone', async () => {
    const { run, ids } = await examined(['A', 'B']);
    await runs.database.query('UPDATE scenario_runs SET scenario_content_hash = NULL WHERE test_run_id = $1', [run]);
    await runs.database.query('DELETE FROM scenarios WHERE id = $1', [ids[1]]);
    expect(await store().otherRubricsOf(run)).toEqual([
      { scenario_id: ids[0], was: null, rubric_of: 1, revision: 1, content_hash: hashOf(CONTENT) },
    ]);
  });

  test('are found for all scenarios of a large run, of which some are read at a time', async () => {
    const { run, ids } = await examined(Array.from({ length: 120 }, (_, at) => `Scenario ${at}`));
    for (const id of ids) await revise(id, 2, CONTENT, OTHER_RUBRIC);
    const found = await store().otherRubricsOf(run);
    expect(found.map(({ scenario_id }) => scenario_id).sort()).toEqual([...ids].sort());
  });
});

describe('a conversation that another is to go on from', () => {
  test('is found with its run, and says whether there is something to play', async () => {
    const { run } = await examined(['A', 'B']);
    const [first = '', second = ''] = await conversationsOf(runs.database, run);
    await runs.database.query(
      `UPDATE scenario_runs SET scenario = '{"name":"B","content":{"script":" \\n"}}', played_by = '{"name":"x"}' WHERE id = $1`,
      [second],
    );
    expect(await store().rowOf(first)).toMatchObject({
      id: first,
      test_run_id: run,
      trial: 1,
      status: 'passed',
      turns: 6,
      has_script: true,
      is_only_marked: false,
    });
    expect(await store().rowOf(second)).toMatchObject({ has_script: false, is_only_marked: true });
    expect((await store().rowsOf(run)).map(({ id }) => id)).toEqual([first, second]);
  });

  test.each([randomUUID(), 'x', ''])('is none that does not exist: %s', async (id) => {
    expect(await store().rowOf(id)).toBeNull();
  });
});
