import { BEYOND_TYPEORM } from '../../../src/entities';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

const metadatas = () => runs.database.dataSource.entityMetadatas;

test('every table that the migrations make has an entity', async () => {
  const rows = await runs.database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
       AND relname <> 'migrations' ORDER BY relname`,
  );
  expect(
    metadatas()
      .map(({ tableName }) => tableName)
      .sort(),
  ).toEqual(rows.map(({ name }) => name));
});

test('TypeORM finds nothing to change in a migrated database: entities and migrations say the same', async () => {
  const { upQueries } = await runs.database.dataSource.driver.createSchemaBuilder().log();
  expect(upQueries.map(({ query }) => query)).toEqual([]);
});

test('every column is named by an entity, as the table has it', async () => {
  const rows = await runs.database.query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name <> ALL($1::text[])`,
    [['migrations']],
  );
  const named = metadatas().flatMap(({ tableName, columns }) =>
    columns.map(({ databaseName }) => `${tableName}.${databaseName}`),
  );
  expect([...new Set(named)].sort()).toEqual(rows.map(({ table, column }) => `${table}.${column}`).sort());
});

const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name).sort();

test('indexes that TypeORM has no words for are listed; every other one is an entity’s', async () => {
  const rows = await runs.database.query<{ name: string }>(
    `SELECT indexname AS name FROM pg_indexes WHERE schemaname = current_schema() AND tablename <> 'migrations'
       AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
  );
  const indices = metadatas().flatMap((metadata) => metadata.indices);
  const leftAlone = indices.filter(({ synchronize }) => !synchronize).map(({ name }) => name);
  expect(leftAlone.sort()).toEqual(Object.keys(BEYOND_TYPEORM.indexes).sort());
  expect(indices.map(({ name }) => name).sort()).toEqual(names(rows));
});

test.each([
  [
    'tables',
    `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
       AND (reloptions IS NOT NULL OR relpersistence <> 'p')`,
  ],
  [
    'columns',
    `SELECT c.relname || '.' || a.attname AS name
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0
       AND a.attstorage <> t.typstorage`,
  ],
  ['triggers', `SELECT tgname AS name FROM pg_trigger WHERE NOT tgisinternal`],
] as const)('%s that differ from what TypeORM makes are listed', async (kind, sql) => {
  expect(Object.keys(BEYOND_TYPEORM[kind]).sort()).toEqual(names(await runs.database.query<{ name: string }>(sql)));
});

test('a difference between them would be found', async () => {
  const proposed = async (sql: string) => {
    await runs.database.query(sql);
    return (await runs.database.dataSource.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query);
  };
  expect(await proposed('ALTER TABLE turns ALTER COLUMN agent_message DROP NOT NULL')).toHaveLength(1);
  expect(await proposed('ALTER TABLE screenshots DROP CONSTRAINT screenshots_scenario_run_id_fkey')).toHaveLength(2);
  expect(await proposed('ALTER TABLE test_runs ALTER COLUMN failed_supervisions SET DEFAULT 1')).toHaveLength(3);
});
