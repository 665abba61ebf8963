import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { scenarioRunMetadata, turnMetadata } from '../../contract/scenario-run-metadata';

const ROOT = join(__dirname, '..', '..');
const FOLDERS = ['src', 'migrations'];

/** `metadata->'a'->>'b'`, with a cast or a bracket in between. */
const READ = /metadata(?:::jsonb)?\)?((?:\s*->>?\s*'[^']+')+)/g;
/** `metadata::jsonb - 'a' #- '{b,c}'` */
const REMOVED = /metadata::jsonb((?:\s*#?-\s*'[^']+')+)/g;

interface Place {
  readonly file: string;
  readonly path: readonly string[];
}

function filesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|sql)$/.test(name))
    .map((name) => join(folder, name));
}

/** Where the text reads a field of metadata in SQL. */
function placesIn(file: string, text: string): Place[] {
  const read = [...text.matchAll(READ)].map(([, steps = '']) => textsIn(steps));
  const removed = [...text.matchAll(REMOVED)].flatMap(([, steps = '']) =>
    textsIn(steps).map((step) => step.replace(/^\{|\}$/g, '').split(',')),
  );
  return [...read, ...removed].map((path) => ({ file, path }));
}

function textsIn(steps: string): string[] {
  return [...steps.matchAll(/'([^']+)'/g)].map(([, text = '']) => text);
}

/** Whether the schema has the field; below what it leaves open it has every field. */
function has(schema: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return has(schema.unwrap(), [name, ...rest]);
  if (schema instanceof z.ZodRecord) return true;
  if (!(schema instanceof z.ZodObject)) return false;
  const shape = new Map<string, unknown>(Object.entries(schema.shape));
  return shape.has(name) && has(shape.get(name), rest);
}

const isKnown = (path: readonly string[]): boolean => has(scenarioRunMetadata, path) || has(turnMetadata, path);

test('SQL that reads the metadata of scenario runs and turns reads fields of their schema', () => {
  const places = FOLDERS.flatMap(filesOf).flatMap((file) => placesIn(file, readFileSync(join(ROOT, file), 'utf8')));
  // Fewer: this test finds them no more.
  expect(places.length).toBeGreaterThanOrEqual(9);
  expect(places.filter(({ path }) => !isKnown(path))).toEqual([]);
});

test.each([
  [`SELECT (s.metadata->'timings'->>'connected_ms')::float8`, ['timings', 'connected_ms']],
  [`SELECT COALESCE(s.examiners, s.metadata)->'judge'->>'modell'`, ['judge', 'modell']],
  [`SELECT (u.metadata::jsonb - 'tester_costs')::json`, ['tester_costs']],
])('a field that the schema does not have is found: %s', (sql, path) => {
  expect(placesIn('a.ts', sql)).toEqual([{ file: 'a.ts', path }]);
  expect(isKnown(path)).toBe(false);
});
