import { lstat, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SCHEMA_FILE, scenarioSchemaText } from '../../src/features/scenarios/files/scenario-json-schema';
import { UsageFailure } from '../failure';
import { saveFile } from '../output/save-file';
import type { ExportPlan } from './plan-export';

/** Writes new and changed files, and the schema. Nothing is written when another file is in the way. @throws CommandFailure */
export async function writeFolder(folder: string, { files }: ExportPlan): Promise<void> {
  const changed = files.filter(({ isSame }) => !isSame);
  for (const { path, known } of changed) if (known === null) await assureFree(folder, path);
  const schema = join(folder, SCHEMA_FILE);
  const isOurs = await holdsOurSchema(schema);
  if (!isOurs) await assureFree(folder, SCHEMA_FILE);
  for (const { path, text } of changed) await saveFile(join(folder, path), bytesOf(text));
  await saveFile(schema, bytesOf(scenarioSchemaText()));
}

export async function removeFiles(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(join(folder, path));
}

/** A link on the way would lead the file out of the folder. */
async function assureFree(folder: string, path: string): Promise<void> {
  const steps = path.split('/');
  for (let length = 1; length < steps.length; length += 1) {
    const below = join(folder, ...steps.slice(0, length));
    const found = await lstat(below).catch(() => null);
    if (found !== null && !found.isDirectory()) throw inTheWay(below, 'is no folder');
  }
  const whole = join(folder, path);
  if ((await lstat(whole).catch(() => null)) !== null) throw inTheWay(whole, 'is there and holds no scenario of ours');
}

function inTheWay(path: string, what: string): UsageFailure {
  return new UsageFailure(`${path} ${what}: move it, or choose another folder. Nothing was written.`);
}

async function holdsOurSchema(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.slice(0, 200).includes('"title": "A scenario of Agent OSCE"');
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
