import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describeService } from '../src/start/describe-service';
import { withRolesTable } from './roles-table';

/** Writes the table of docs/roles.md. */
async function main(): Promise<void> {
  const filepath = join(__dirname, '..', 'docs', 'roles.md');
  const page = withRolesTable(await readFile(filepath, 'utf8'), await describeService());
  await writeFile(filepath, await format(page, { ...(await resolveConfig(filepath)), filepath }));
}

void main();
