import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTypes, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { describeService } from '../src/start/describe-service';

const CLIENT = join(__dirname, '..', 'client');

/** Of what clients are made: the description of the API, and its types. */
async function filesOfClient(): Promise<ReadonlyMap<string, string>> {
  const description = JSON.stringify(await describeService());
  // What has a default may be left out of a request.
  const types = astToString(await openapiTypes(description, { defaultNonNullable: false }));
  return new Map([
    [join(CLIENT, 'openapi.json'), description],
    [join(CLIENT, 'schema.ts'), `// Written by npm run client from the description of the API.\n${types}`],
  ]);
}

/** Writes them, or, with --check, exits with 1 when they are not what the service describes now. */
async function main(): Promise<void> {
  const isCheck = process.argv.includes('--check');
  for (const [path, text] of await filesOfClient()) {
    const formatted = await format(text, { ...(await resolveConfig(path)), filepath: path });
    if (!isCheck) await writeFile(path, formatted);
    else if (formatted !== (await readFile(path, 'utf8').catch(() => ''))) {
      process.stderr.write(`${path} is not what the service describes: run npm run client.\n`);
      process.exitCode = 1;
    }
  }
}

void main();
