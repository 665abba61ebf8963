import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withRolesTable } from '../../scripts/roles-table';
import { describeService } from '../../src/start/describe-service';

it('docs/roles.md says who may do what, as the endpoints declare it (npm run roles writes it)', async () => {
  const page = await readFile(join(__dirname, '..', '..', 'docs', 'roles.md'), 'utf8');
  expect(cellsOf(page)).toEqual(cellsOf(withRolesTable(page, await describeService())));
});

/** Tables are padded for people. */
function cellsOf(page: string): string[] {
  return page.split('\n').map((line) => line.replaceAll(/ *\| */g, '|').replaceAll(/-{3,}/g, '---'));
}
