import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { APPEND, CLAIM, readFunction, RECORD } from '../../src/persistence/ledger/functions';
import { openStoredRuns, type StoredRuns } from '../setup/stored-run';

const LEDGER = join(__dirname, '../../src/persistence/ledger');
const CALLED = [APPEND, RECORD, CLAIM];

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

test.each(CALLED)('$name is installed as $file says', async ({ name, file }) => {
  const rows = await runs.database.query<{ body: string }>('SELECT prosrc AS body FROM pg_proc WHERE proname = $1', [
    name,
  ]);
  const [, body] = /AS \$\$(.*)\$\$;\s*$/s.exec(readFunction(file)) ?? [];
  expect(rows).toEqual([{ body }]);
  expect(readFunction(file)).toContain(`CREATE FUNCTION ${name}(`);
});

test('no file lies beside them that nobody installs, and none is called that is not installed', () => {
  const files = readdirSync(LEDGER).filter((name) => name.endsWith('.sql'));
  const migrations = join(__dirname, '../../migrations');
  const installed = readdirSync(migrations)
    .map((name) => readFileSync(join(migrations, name), 'utf8'))
    .flatMap((text) => text.match(/[\w-]+\.v\d+\.sql/g) ?? []);
  expect(installed.sort()).toEqual(files.sort());
  expect(CALLED.map(({ file }) => file).every((file) => files.includes(file))).toBe(true);
});

test('those of the release before stay installed, for its processes during an upgrade; older ones are gone', async () => {
  const rows = await runs.database.query<{ name: string }>(
    `SELECT proname AS name FROM pg_proc WHERE proname ~ '_scenario_(changes|runs)_[0-9]+$' ORDER BY proname`,
  );
  expect(rows.map(({ name }) => name)).toEqual([
    'claim_scenario_runs_2',
    'claim_scenario_runs_3',
    'claim_scenario_runs_4',
    'claim_scenario_runs_5',
    'claim_scenario_runs_6',
    'claim_scenario_runs_7',
    'claim_scenario_runs_8',
    'record_scenario_changes_2',
    'record_scenario_changes_3',
    'record_scenario_changes_4',
    'record_scenario_changes_5',
  ]);
});

test('the build copies them: what runs is in another folder than what is written', () => {
  const { compilerOptions } = JSON.parse(readFileSync(join(__dirname, '../../nest-cli.json'), 'utf8'));
  expect(compilerOptions.assets).toContain('src/persistence/ledger/*.sql');
});
