import fc from 'fast-check';
import type { ApiDescription, JsonSchema } from '../setup/api-description';

/** Left open by few requests that come to something: a run has an agent, or that of its twin. */
const MOSTLY_GIVEN: readonly string[] = ['agent_id'];

/** Values that mostly keep to a JSON Schema of the description: what its keywords do not say, they do not know. */
export class SchemaArbitrary {
  constructor(
    private readonly description: ApiDescription,
    /** Values for fields of a name, instead of what their schema would give. */
    private readonly byName: Readonly<Record<string, fc.Arbitrary<unknown>>>,
    /** An object has at most so many fields beside those that it must have. */
    private readonly mostOptional = Infinity,
  ) {}

  valueOf(schema: JsonSchema): fc.Arbitrary<unknown> {
    const { anyOf, type, ...resolved } = this.description.resolve(schema);
    if (Array.isArray(resolved['enum'])) return fc.constantFrom<unknown>(...resolved['enum']);
    if (isSchemas(anyOf)) return fc.oneof(...anyOf.map((choice) => this.valueOf(choice)));
    if (Array.isArray(type)) return fc.oneof(...type.map((one: unknown) => this.valueOf({ ...resolved, type: one })));
    switch (type) {
      case 'object':
        return this.objectOf(resolved);
      case 'array':
        return fc.array(this.valueOf(isSchema(resolved['items']) ? resolved['items'] : {}), { maxLength: 4 });
      case 'string':
        return textOf(resolved);
      case 'integer':
        return fc.integer(rangeOf(resolved));
      case 'number':
        return numbersOf(rangeOf(resolved));
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      default:
        return fc.jsonValue({ maxDepth: 2 });
    }
  }

  /** Those of some fields that an object nearly always has. */
  private mostly(fields: readonly string[]): fc.Arbitrary<readonly string[]> {
    const given = fields.filter((name) => MOSTLY_GIVEN.includes(name));
    return fc.oneof({ weight: 9, arbitrary: fc.constant(given) }, { weight: 1, arbitrary: fc.constant([]) });
  }

  private objectOf(schema: JsonSchema): fc.Arbitrary<unknown> {
    const properties = isSchema(schema['properties']) ? schema['properties'] : {};
    const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
    const fields = Object.entries(properties).map(([name, property]): [string, fc.Arbitrary<unknown>] => [
      name,
      this.byName[name] ?? this.valueOf(isSchema(property) ? property : {}),
    ]);
    const optional = fields.map(([name]) => name).filter((name) => !required.includes(name));
    const chosen = fc.subarray(optional, { maxLength: Math.min(optional.length, this.mostOptional) });
    const known = fc.tuple(chosen, this.mostly(optional)).chain(([some, mostly]) => {
      const names = [...some, ...mostly];
      return fc.record(Object.fromEntries(fields.filter(([name]) => required.includes(name) || names.includes(name))));
    });
    if (schema['additionalProperties'] === undefined || schema['additionalProperties'] === false) return known;
    const more = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
    return fc.tuple(more, known).map(([others, named]) => ({ ...others, ...named }));
  }
}

function textOf(schema: JsonSchema): fc.Arbitrary<string> {
  if (schema['format'] === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  const length = Math.min(numberOf(schema['maxLength'], 30), 30);
  return fc.string({ unit: 'grapheme', minLength: 1, maxLength: length });
}

/** A small range, so that both of its ends are often met. */
function rangeOf(schema: JsonSchema): { min: number; max: number } {
  // What is called an integer without a range reaches from the smallest to the largest that JavaScript can tell apart.
  const min = Math.max(numberOf(schema['minimum'], -5), -5);
  return { min, max: Math.max(min, Math.min(numberOf(schema['maximum'], Infinity), min + 100)) };
}

/** Whole numbers, where the range has any, and others. */
function numbersOf({ min, max }: { readonly min: number; readonly max: number }): fc.Arbitrary<number> {
  const [least, most] = [Math.ceil(min), Math.floor(max)];
  const all = fc.double({ min, max, noNaN: true });
  return least <= most ? fc.oneof(fc.integer({ min: least, max: most }), all) : all;
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSchemas(value: unknown): value is readonly JsonSchema[] {
  return Array.isArray(value) && value.every(isSchema);
}
