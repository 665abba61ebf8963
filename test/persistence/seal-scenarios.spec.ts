import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { silentLog } from '../../src/config/log';
import { settingsFrom } from '../../src/config/settings';
import { Database } from '../../src/persistence/database';
import { migrate } from '../../src/persistence/migrate';
import { contentHashOf } from '../../src/persistence/scenario-content';
import { ScenarioRevisionsStore } from '../../src/persistence/scenario-revisions.store';
import { ScenariosStore } from '../../src/persistence/scenarios.store';
import { createEmptyDatabase, type TestDatabase } from '../setup/database';
import { migrateAsBefore } from '../setup/earlier-release';

const FIRST = { min_points: 1.0, script: 'é', demographics: {}, chief_complaint: 'x' };
const PAGE = { limit: 25, offset: 0 };

let testDatabase: TestDatabase;
let before: Pool;
let database: Database;
beforeEach(async () => {
  testDatabase = await createEmptyDatabase();
  await migrateAsBefore(testDatabase.url);
  before = new Pool({ connectionString: testDatabase.url, max: 4 });
});
afterEach(async () => {
  await before.end();
  await database.close();
  await testDatabase.drop();
});

/** As a process of the release before stores scenarios. */
async function storeAsBefore(count: number, approved = true): Promise<string[]> {
  const { rows } = await before.query<{ id: string }>(
    `INSERT INTO scenarios (name, category, scenario_type, approved, content, rubric_criteria)
     SELECT 'Scenario ' || n, 'c', 'full', $2, $3::json, '[]' FROM generate_series(1, $1) n RETURNING id`,
    [count, approved, '{"chief_complaint":"x", "min_points": 1.0, "script":"é","demographics":{}}'],
  );
  return rows.map(({ id }) => id);
}
const open = async (): Promise<Database> =>
  (database = await Database.open(settingsFrom({ DATABASE_URL: testDatabase.url }), silentLog));

test('scenarios from before are revision 1 with the hash of what they hold, and stay approved', async () => {
  const ids = await storeAsBefore(120);
  await migrate({ url: testDatabase.url, log: silentLog });
  const { rows } = await before.query(
    'SELECT DISTINCT revision, content_hash, approved, approved_revision FROM scenarios',
  );
  const content_hash = contentHashOf({ content: FIRST, rubricCriteria: [] });
  expect(rows).toEqual([{ revision: 1, content_hash, approved: true, approved_revision: 1 }]);
  await open();
  const { revisions, total } = await new ScenarioRevisionsStore(database).list(ids[60] ?? '', PAGE);
  expect({ revisions, total }).toMatchObject({ revisions: [{ revision: 1, content_hash, content: FIRST }], total: 1 });
});

test('writers of the release before go on while scenarios are sealed, and lose nothing', async () => {
  const ids = await storeAsBefore(400);
  const migrated = migrate({ url: testDatabase.url, log: silentLog });
  const script = (n: number) => JSON.stringify({ ...FIRST, script: `Edit ${n}` });
  for (const [n, id] of ids.slice(0, 100).entries()) {
    await before.query('UPDATE scenarios SET content = $2, updated_at = now() WHERE id = $1', [id, script(n)]);
  }
  await migrated;
  const store = new ScenariosStore(await open());
  for (const [n, id] of ids.slice(0, 100).entries()) {
    const found = await store.find(id);
    expect(found?.content).toMatchObject({ script: `Edit ${n}` });
    expect(found?.contentHash).toBe(contentHashOf({ content: { ...FIRST, script: `Edit ${n}` }, rubricCriteria: [] }));
  }
});

test('an edit by a process of the release before is another revision, and nobody has approved it', async () => {
  const [id = '', fresh = ''] = await storeAsBefore(1).then(async ([one = '']) => {
    await migrate({ url: testDatabase.url, log: silentLog });
    return [one, ...(await storeAsBefore(1))];
  });
  const store = new ScenariosStore(await open());
  expect(await store.find(fresh)).toMatchObject({ revision: 1, approved: true, contentHash: expect.any(String) });
  await before.query('UPDATE scenarios SET content = $2 WHERE id = $1', [id, '{"script":"gutted"}']);
  expect(await store.find(id)).toMatchObject({ revision: 2, approved: false, approvedRevision: null });
  const { revisions } = await new ScenarioRevisionsStore(database).list(id, PAGE);
  expect(revisions.map(({ revision, content }) => ({ revision, content }))).toEqual([
    { revision: 2, content: { script: 'gutted' } },
    { revision: 1, content: FIRST },
  ]);
  // Neither a new name nor the same text makes one.
  await before.query(`UPDATE scenarios SET name = 'Other', content = '{ "script": "gutted" }' WHERE id = $1`, [id]);
  expect(await store.find(id)).toMatchObject({
    revision: 2,
    contentHash: contentHashOf({ content: { script: 'gutted' }, rubricCriteria: [] }),
  });
  expect(await store.find(randomUUID())).toBeNull();
});
