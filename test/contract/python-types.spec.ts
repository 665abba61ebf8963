import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { pythonTypesSource } from '../../scripts/python-types-source';

const ROOT = join(__dirname, '..', '..');
const openapi: unknown = JSON.parse(readFileSync(join(ROOT, 'client', 'openapi.json'), 'utf8'));
const document = z.object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) });

// Generating takes a program in Python: test/clients/python-package.spec.ts compares every line. This one needs nothing.
test('the types of the Python package were generated from what the API describes now: else run npm run client:python', () => {
  const types = readFileSync(join(ROOT, 'packages', 'python', 'src', 'agent_osce', 'schemas.py'), 'utf8');
  expect(/ Source ([\da-f]{16})\n/.exec(types)?.[1]).toBe(pythonTypesSource(openapi).hash);
});

test('what they are generated from is the same for the same description, and another for another field', () => {
  const changed = JSON.stringify(openapi).replaceAll('"passed_count"', '"passed_counts"');
  expect(pythonTypesSource(structuredClone(openapi))).toEqual(pythonTypesSource(openapi));
  expect(pythonTypesSource(JSON.parse(changed)).hash).not.toBe(pythonTypesSource(openapi).hash);
});

test('it has what it refers to, under names that pytest does not take for tests, and promises no more than types can', () => {
  const text = pythonTypesSource(openapi).document;
  const names = Object.keys(document.parse(JSON.parse(text)).components.schemas);
  const referredTo = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  expect(names).toEqual(expect.arrayContaining([...referredTo, 'StartRun', 'StartedRun', 'Cancellation', 'Run']));
  expect(names.filter((name) => name.startsWith('Test'))).toEqual([]);
  expect(text).not.toMatch(/"(maxLength|pattern|example)":["\d]|"additionalProperties":false/);
});
