import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describeService } from '../src/start/describe-service';

const DESCRIPTION = join(__dirname, '..', 'client', 'openapi.json');

/** Writes the description of the API, or, with --check, exits with 1 when it is not what the service describes now. */
async function main(): Promise<void> {
  const description = JSON.stringify(await describeService());
  const formatted = await format(description, { ...(await resolveConfig(DESCRIPTION)), filepath: DESCRIPTION });
  if (!process.argv.includes('--check')) await writeFile(DESCRIPTION, formatted);
  else if (formatted !== (await readFile(DESCRIPTION, 'utf8').catch(() => ''))) {
    process.stderr.write(`${DESCRIPTION} is not what the service describes: run npm run client.\n`);
    process.exitCode = 1;
  }
}

void main();
