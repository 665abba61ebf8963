import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020';
import { RE2JS } from 're2js';

/** As JSON. The shape of an answer is short; a longer one is a document of its own. */
const LARGEST_SCHEMA = 20_000;
const MOST_LEVELS = 32;
/** Levels of a reply: deeper than any answer is, and far from what a validator can recurse into. */
const MOST_REPLY_LEVELS = 64;
const LONGEST_REASON = 300;
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Keywords that name another schema: only places in this one are read. */
const REFERENCES: ReadonlySet<string> = new Set(['$ref', '$dynamicRef']);

const OPTIONS: Options = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  strictTuples: false,
  // A `format` describes a text; validators differ in what they take for one.
  validateFormats: false,
  // A schema that refers to itself twice at each of thirty levels would be copied a thousand million times.
  inlineRefs: false,
  logger: false,
  // The patterns of a schema are RE2's too, so that none of them backtracks on a reply.
  code: {
    regExp: Object.assign(
      (pattern: string) => {
        const compiled = RE2JS.compile(pattern);
        return { test: (text: string): boolean => compiled.matcher(text).find() };
      },
      { code: 'RE2' },
    ),
  },
};

/** Knows what a schema may look like; made when first needed. */
let dialect: Ajv2020 | null = null;

/** A shape that a reply may have. */
export interface ReplySchema {
  /** Null when the reply is JSON that fits; else why not, in a clause. */
  misfit(reply: string): string | null;
}

/** What is wrong with a schema, after its field's name; null when nothing is. */
export function schemaProblem(schema: Readonly<Record<string, unknown>>): string | null {
  if (levelsOf(schema, MOST_LEVELS) > MOST_LEVELS) return `is nested deeper than ${MOST_LEVELS} levels`;
  if (JSON.stringify(schema).length > LARGEST_SCHEMA) return `is longer than ${LARGEST_SCHEMA} characters as JSON`;
  const { $schema } = schema;
  if ($schema !== undefined && $schema !== DIALECT) {
    return `names another dialect of JSON Schema in $schema than 2020-12: leave $schema out, or write ${DIALECT}`;
  }
  const remote = referenceElsewhere(schema);
  if (remote !== null) {
    return `refers to ${JSON.stringify(remote.slice(0, 100))}, which is not in it, and nothing is fetched: copy that schema to $defs and refer to #/$defs/…`;
  }
  try {
    dialect ??= new Ajv2020(OPTIONS);
    if (dialect.validateSchema(schema) !== true) return `is not a JSON Schema: ${reasonOf(dialect.errors)}`;
    compiled(schema);
    return null;
  } catch (error) {
    return `is not a JSON Schema: ${(error instanceof Error ? error.message : 'it cannot be read').slice(0, LONGEST_REASON)}`;
  }
}

/** @throws Error for a schema with a problem */
export function compileSchema(schema: Readonly<Record<string, unknown>>): ReplySchema {
  const fits = compiled(schema);
  return {
    misfit: (reply) => {
      const text = unfenced(reply);
      if (levelsIn(text) > MOST_REPLY_LEVELS) return `it is nested deeper than ${MOST_REPLY_LEVELS} levels`;
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        return 'it is not JSON';
      }
      return fits(value) ? null : `it does not fit the schema: ${reasonOf(fits.errors)}`;
    },
  };
}

/** A compiler for each schema: one that is kept would keep all schemas. */
function compiled(schema: Readonly<Record<string, unknown>>) {
  return new Ajv2020({ ...OPTIONS, meta: false, validateSchema: false }).compile(withoutDialect(schema));
}

function withoutDialect({ $schema: _dialect, ...schema }: Readonly<Record<string, unknown>>) {
  return schema;
}

/** Where it fails first, and at what. */
function reasonOf(errors: readonly ErrorObject[] | null | undefined): string {
  const [first] = errors ?? [];
  if (first === undefined) return 'it is refused';
  const at = first.instancePath === '' ? 'the whole' : first.instancePath;
  return `${at} ${first.message ?? 'is refused'}`.slice(0, LONGEST_REASON);
}

/** The first reference that leads out of the schema. What stands in `const`, `enum`, `default` and `examples` is data, but is refused too. */
function referenceElsewhere(schema: unknown): string | null {
  if (typeof schema !== 'object' || schema === null) return null;
  for (const [key, part] of Object.entries(schema)) {
    if (REFERENCES.has(key) && typeof part === 'string' && !part.startsWith('#')) return part;
    const found = referenceElsewhere(part);
    if (found !== null) return found;
  }
  return null;
}

/** Counting stops one beyond `most`. */
function levelsOf(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null || most < 0) return 0;
  return 1 + Object.values(value).reduce((deepest: number, part) => Math.max(deepest, levelsOf(part, most - 1)), 0);
}

/** The levels of a text that may be JSON, in one pass: brackets in its texts do not count. */
function levelsIn(text: string): number {
  let [level, deepest, isInText] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isInText && character === '\\') at += 1;
    else if (character === '"') isInText = !isInText;
    else if (isInText) continue;
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++level);
    else if (character === '}' || character === ']') level -= 1;
  }
  return deepest;
}

/** The JSON of a reply that is nothing but one block of code. */
function unfenced(reply: string): string {
  const text = reply.trim();
  const isFenced = text.startsWith('```') && text.endsWith('```');
  return isFenced ? text.slice(text.indexOf('\n') + 1, -3).trim() : text;
}
