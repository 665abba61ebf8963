import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { APPEND, CLAIM, readFunction, RECORD } from '../../../src/engine/ledger/functions';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

const LEDGER = join(__dirname, '../../../src/engine/ledger');
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

test('no file lies beside them that is not installed', () => {
  const files = readdirSync(LEDGER).filter((name) => name.endsWith('.sql'));
  expect(CALLED.map(({ file }) => file).sort()).toEqual(files.sort());
});

test('the build copies them: what runs is in another folder than what is written', () => {
  const { compilerOptions } = JSON.parse(readFileSync(join(__dirname, '../../../nest-cli.json'), 'utf8'));
  expect(compilerOptions.assets).toContain('src/engine/ledger/*.sql');
});
