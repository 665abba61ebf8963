import { isDeepStrictEqual } from 'node:util';
import type { ApiDescription, JsonSchema } from '../setup/api-description';
import { filledWith } from './hostile-text';

/** As much as one body holds, less what stands around the text. */
export const A_MEGABYTE = 1_000_000;

/** Texts that searches, scans and copies stumble over; each is made as many bytes of JSON long as asked for. */
export const PLANTED: readonly (readonly [name: string, textOf: (bytes: number) => string])[] = [
  ['one letter', (bytes) => filledWith('a', bytes)],
  [
    'periodic, with another letter amidst',
    (bytes) => `${filledWith('a', bytes >> 1)}b${filledWith('a', (bytes >> 1) - 1)}`,
  ],
  ['near misses of keys', (bytes) => filledWith('sk-planted-secrey ', bytes)],
  ['nested lists', (bytes) => filledWith('[', bytes)],
  ['deep JSON', (bytes) => filledWith('{\\"a\\":', bytes >> 1)],
  ['lone surrogates', (bytes) => filledWith('\ud800', Math.floor(bytes / 6))],
  ['combining marks', (bytes) => filledWith('\u0301', bytes >> 1)],
  ['quotes and backslashes', (bytes) => filledWith('"\\', bytes >> 1)],
  ['a long line of sentences', (bytes) => filledWith('You should call 112 now, and take 5 mg. ', bytes)],
  ['line breaks', (bytes) => filledWith('\n', bytes >> 1)],
];

export type Path = readonly (string | number)[];

/** Where a document holds texts. */
export function textsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'string') return [path];
  if (Array.isArray(value)) return value.flatMap((item, at) => textsIn(item, [...path, at]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, [...path, key]));
}

/** A copy with a text at that place; what is missing on the way is taken from another document. */
export function plant(value: unknown, path: Path, text: string, otherwise: unknown = value): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return text;
  const inside = childOf(value, key) ?? childOf(otherwise, key);
  const planted = plant(inside, rest, text, childOf(otherwise, key));
  if (Array.isArray(value) || (value === undefined && typeof key === 'number')) {
    const list: unknown[] = Array.isArray(value) ? [...value] : [];
    list[Number(key)] = planted;
    return list;
  }
  return { ...(typeof value === 'object' ? value : {}), [key]: planted };
}

function childOf(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(String(key));
}

/** A document with every field that a schema knows, so that a field that is new to the description is planted in by itself. */
export function wholeOf(description: ApiDescription, given: JsonSchema, depth = 0): unknown {
  const schema = description.resolve(given);
  const choices = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => (isSchemas(schema[word]) ? schema[word] : []));
  if (depth > 8) return 'x';
  if (choices.length > 0) {
    const wholes = choices.map((choice) => wholeOf(description, choice, depth + 1));
    return wholes.find((whole) => typeof whole === 'object' && whole !== null) ?? wholes[0];
  }
  const [type] = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  if (type === 'object' || schema['properties'] !== undefined) {
    const properties = isSchema(schema['properties']) ? schema['properties'] : {};
    const known = Object.entries(properties).map(([name, one]): [string, unknown] => [
      name,
      wholeOf(description, isSchema(one) ? one : {}, depth + 1),
    ]);
    const hasMore = schema['additionalProperties'] !== undefined && schema['additionalProperties'] !== false;
    return Object.fromEntries(hasMore ? [...known, ['more', 'x']] : known);
  }
  if (type === 'array') return [wholeOf(description, isSchema(schema['items']) ? schema['items'] : {}, depth + 1)];
  if (type === 'integer' || type === 'number') return Number(schema['minimum'] ?? 1);
  if (type === 'boolean') return true;
  return type === 'null' ? null : 'x';
}

/** The longest text that the description allows at a place; null where it says none. */
export function longestAt(description: ApiDescription, given: JsonSchema, path: Path): number | null {
  const schema = description.resolve(given);
  const choices = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => (isSchemas(schema[word]) ? schema[word] : []));
  for (const choice of choices) {
    const longest = longestAt(description, choice, path);
    if (longest !== null) return longest;
  }
  const [key, ...rest] = path;
  if (key === undefined) return typeof schema['maxLength'] === 'number' ? schema['maxLength'] : null;
  const inside =
    typeof key === 'number' ? schema['items'] : isSchema(schema['properties']) ? schema['properties'][key] : undefined;
  return isSchema(inside) ? longestAt(description, inside, rest) : null;
}

/** The places of several documents, each once. */
export function placesOf(...documents: readonly unknown[]): Path[] {
  const places = documents.flatMap((document) => textsIn(document));
  return places.filter((path, at) => places.findIndex((other) => isDeepStrictEqual(other, path)) === at);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSchemas(value: unknown): value is readonly JsonSchema[] {
  return Array.isArray(value) && value.every(isSchema);
}
