/**
 * Writes the files of the library as the service writes scenarios, and their schema: npm run stations:format. With --check it writes nothing,
 * names the files that are written otherwise, and exits with 1 when there are any.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readScenarioFile } from '../src/features/scenarios/files/read-scenario-file';
import { SCHEMA_FILE, scenarioSchemaText } from '../src/features/scenarios/files/scenario-json-schema';
import { scenarioFileText } from '../src/features/scenarios/files/scenario-file-text';

const LIBRARY = join(__dirname, '..', 'content', 'scenarios');

function main(isCheck: boolean): void {
  const paths = readdirSync(LIBRARY, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'));
  for (const path of paths.sort()) {
    try {
      format(path, isCheck);
    } catch (error) {
      complain(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  put(SCHEMA_FILE, readFileSync(join(LIBRARY, SCHEMA_FILE), 'utf8'), scenarioSchemaText(), isCheck);
}

function format(path: string, isCheck: boolean): void {
  const text = readFileSync(join(LIBRARY, path), 'utf8');
  const scenario = readScenarioFile(text);
  if (typeof scenario !== 'object' || scenario === null) throw new Error('it holds no scenario.');
  put(path, text, scenarioFileText(scenario), isCheck);
}

function put(path: string, text: string, canonical: string, isCheck: boolean): void {
  if (canonical === text) return;
  if (isCheck) return complain(`${path} is not written as the service writes it: run npm run stations:format.`);
  writeFileSync(join(LIBRARY, path), canonical);
  process.stdout.write(`${path} is formatted.\n`);
}

function complain(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}

main(process.argv.includes('--check'));
