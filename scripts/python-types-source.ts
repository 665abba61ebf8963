import { createHash } from 'node:crypto';
import { z } from 'zod';

/** The schemas of the API description that the Python package hands out, by the names they have there. pytest would take a class called Test… for tests. */
const NAMES: Readonly<Record<string, string>> = {
  StartRun: 'StartRun',
  TestRun: 'Run',
  ScenarioRun: 'ScenarioRun',
  ScenarioRunDetail: 'Conversation',
  RunStatistics: 'RunStatistics',
  RunComparison: 'RunComparison',
  Agent: 'Agent',
  TestSuite: 'Suite',
  ScenarioListItem: 'Scenario',
  Health: 'Health',
};

/** Answers without a name in the description: by operation, the name they have in the package. */
const ANSWERS: Readonly<Record<string, string>> = { startRun: 'StartedRun', cancelRun: 'Cancellation' };

/** What a type in Python does not say, or, of `additionalProperties: false`, should not: a newer service may answer more. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['example', 'pattern', 'format', 'default', 'propertyNames'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
]);

const record = z.record(z.string(), z.unknown());
const REFERENCE = '#/components/schemas/';

const answering = z.looseObject({
  operationId: z.string(),
  responses: z.looseObject({
    200: z.looseObject({ content: z.looseObject({ 'application/json': z.looseObject({ schema: record }) }) }),
  }),
});
const description = z.looseObject({
  info: record,
  paths: z.record(z.string(), record),
  components: z.looseObject({ schemas: z.record(z.string(), record) }),
});

export interface PythonTypesSource {
  /** An OpenAPI document with these schemas and what they refer to, and nothing else. */
  readonly document: string;
  /** Its SHA-256, the first 16 digits: stands in the generated file, and says when that is stale. */
  readonly hash: string;
}

/** What the types of the Python package are generated from. @throws z.ZodError when a schema or an answer is missing */
export function pythonTypesSource(openapi: unknown): PythonTypesSource {
  const { info, paths, components } = description.parse(openapi);
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const schemas: Record<string, unknown> = {};
  const add = (name: string, schema: unknown): void => {
    schemas[name] = simplified(schema);
    for (const other of referredTo(schema)) {
      if (!(nameOf(other) in schemas)) add(nameOf(other), record.parse(components.schemas[other]));
    }
  };
  for (const name of Object.keys(NAMES)) add(nameOf(name), record.parse(components.schemas[name]));
  for (const [operationId, name] of Object.entries(ANSWERS)) {
    const operation = operations.find((one) => record.safeParse(one).data?.['operationId'] === operationId);
    add(name, answering.parse(operation).responses[200].content['application/json'].schema);
  }
  const document = JSON.stringify({
    openapi: '3.1.0',
    info: { title: info['title'], version: '0' },
    paths: {},
    components: { schemas },
  });
  return { document, hash: createHash('sha256').update(document).digest('hex').slice(0, 16) };
}

const nameOf = (schema: string): string => NAMES[schema] ?? schema;

function simplified(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(simplified);
  const fields = record.safeParse(schema);
  if (!fields.success) return schema;
  return Object.fromEntries(
    Object.entries(fields.data)
      .filter(([name, value]) => !isLeftOut(name, value))
      .map(([name, value]) => [name, name === '$ref' ? REFERENCE + nameOf(nameIn(value)) : simplified(value)]),
  );
}

/** A property may have the name of a keyword, and is an object then. */
const isLeftOut = (name: string, value: unknown): boolean =>
  (name === 'additionalProperties' && value === false) ||
  (LEFT_OUT.has(name) && !(record.safeParse(value).success && name !== 'propertyNames'));

function referredTo(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(referredTo);
  const fields = record.safeParse(schema);
  if (!fields.success) return [];
  return Object.entries(fields.data).flatMap(([name, value]) =>
    name === '$ref' ? [nameIn(value)] : referredTo(value),
  );
}

const nameIn = (reference: unknown): string =>
  z.string().startsWith(REFERENCE).parse(reference).slice(REFERENCE.length);
