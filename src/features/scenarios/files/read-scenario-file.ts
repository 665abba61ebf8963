import { Composer, isMap, isScalar, isSeq, LineCounter, Parser, type CST, type ParsedNode } from 'yaml';

/** As much as the service accepts in a request. */
const LONGEST_FILE = 1024 * 1024;
const MOST_PROBLEMS = 20;

const LONE_RETURN = /\r(?!\n)/g;

/** In bytes, as the service counts. */
export function isLong(text: string): boolean {
  return text.length > LONGEST_FILE || new TextEncoder().encode(text).length > LONGEST_FILE;
}

export interface FileProblem {
  readonly line: number;
  readonly message: string;
}

/** What a file holds, and where. */
export interface ParsedFile {
  readonly value: unknown;
  /** The line of what stands at the path, or of the nearest thing around it. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
}

/** The YAML or JSON of a file is wrong. Whether its value is a scenario is checked elsewhere. */
export class ScenarioFileError extends Error {
  override readonly name = 'ScenarioFileError';

  constructor(readonly problems: readonly FileProblem[]) {
    super(problems.map(({ line, message }) => `line ${line}: ${message}`).join('; '));
  }
}

export type Syntax = 'yaml' | 'json';

/** The value of a file. @throws ScenarioFileError */
export function readScenarioFile(text: string): unknown {
  return parseScenarioFile(text).value;
}

/**
 * Reads YAML or JSON, and keeps where everything stands. Aliases, tags, merge keys and the like are refused or mean nothing, so
 * that a file holds what one reads in it.
 * @throws ScenarioFileError
 */
export function parseScenarioFile(text: string, syntax: Syntax = 'yaml'): ParsedFile {
  if (isLong(text)) throw new ScenarioFileError([{ line: 1, message: 'is larger than 1 MiB' }]);
  const lines = new LineCounter();
  // YAML ends no line at a carriage return alone; JSON has none but between its values, where a line feed is the same.
  const tokens = tokensOf(syntax === 'json' ? text.replace(LONE_RETURN, '\n') : text, lines);
  const at = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  const fail = (problems: readonly { offset: number; message: string }[]): ScenarioFileError =>
    new ScenarioFileError(
      problems.slice(0, MOST_PROBLEMS).map(({ offset, message }) => ({ line: at(offset), message })),
    );
  const json = syntax === 'json' ? readJson(text, tokens) : null;
  if (json !== null && 'trouble' in json) throw fail([json.trouble]);
  const refusal = refusalOf(tokens);
  if (refusal !== null) throw fail([refusal]);
  const { root, errors } = composed(tokens, text.length);
  if (errors.length > 0) throw fail(errors);
  const reading = new Reading();
  const composedValue = reading.valueOf(root);
  if (reading.problems.length > 0) throw fail(reading.problems);
  // JSON.parse makes the values of JSON: the nodes are for lines, and for fields that stand there twice.
  const value = json === null ? composedValue : json.value;
  return { value, lineOf: (path) => at(offsetOf(root, path)) };
}

/** The tokens up to the first that cannot be read: in some texts every character would be another error. */
function tokensOf(text: string, lines: LineCounter): readonly CST.Token[] {
  const tokens: CST.Token[] = [];
  for (const token of new Parser(lines.addNewLine).parse(text)) {
    tokens.push(token);
    if (token.type === 'error') break;
  }
  return tokens;
}

interface Trouble {
  readonly offset: number;
  readonly message: string;
}

function composed(
  tokens: readonly CST.Token[],
  length: number,
): { readonly root: ParsedNode | null; readonly errors: readonly Trouble[] } {
  // The composer would compare every pair of keys to find those that stand there twice: we look them up.
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, version: '1.2', merge: false });
  const [document] = composer.compose(tokens, true, length);
  const errors = (document?.errors ?? []).map(({ pos: [offset], message }) => ({
    offset,
    message: `is not valid YAML: ${message}`,
  }));
  return { root: document?.contents ?? null, errors };
}

/** Makes values of nodes. Their depth is known by now. */
class Reading {
  readonly problems: Trouble[] = [];

  valueOf(node: unknown): unknown {
    if (isScalar(node)) return node.value;
    if (isSeq(node)) return node.items.map((item) => this.valueOf(item));
    if (!isMap(node)) return null;
    const fields = new Map<string, unknown>();
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? key.value : undefined;
      const offset = startOf(key) ?? startOf(node) ?? 0;
      if (typeof name !== 'string')
        this.problems.push({ offset, message: 'a name of a field must be a text: quote it' });
      else if (fields.has(name)) this.problems.push({ offset, message: `${name.slice(0, 100)}: stands here twice` });
      else fields.set(name, this.valueOf(value));
    }
    return Object.fromEntries(fields);
  }
}

function offsetOf(root: unknown, path: readonly PropertyKey[]): number {
  let node = root;
  let offset = startOf(root) ?? 0;
  for (const step of path) {
    let found: unknown;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
      if (pair === undefined) return offset;
      found = pair.value;
      offset = startOf(pair.key) ?? offset;
    } else if (isSeq(node) && typeof step === 'number') {
      found = node.items[step];
      offset = startOf(found) ?? offset;
    }
    node = found;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) ? node.range?.[0] : undefined;
}

const BYTE_ORDER_MARK = '\uFEFF';
/** Some of the engine's messages state the position; those of Node 20 do not always. */
const SAID_POSITION = /at position (\d{1,9})/;

interface JsonTrouble {
  readonly offset: number;
  readonly message: string;
}

/** The value of a text, or why it is not JSON, and where. */
export function readJson(
  text: string,
  tokens: readonly CST.Token[],
): { readonly value: unknown } | { readonly trouble: JsonTrouble } {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  try {
    const value: unknown = JSON.parse(text.slice(mark));
    return { value };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable';
    const said = SAID_POSITION.exec(reason)?.[1];
    const offset = said === undefined ? (firstOtherThanJson(tokens) ?? text.length) : Number(said) + mark;
    return { trouble: { offset, message: `is not valid JSON: ${reason}` } };
  }
}

/** As deep as the service takes a request. */
const MOST_LEVELS = 64;

export interface Refusal {
  readonly offset: number;
  readonly message: string;
}

const REFUSED: Readonly<Record<string, string>> = {
  directive: 'directives (%) are not read',
  tag: 'tags (!) are not read: leave it out, and put a text that looks like a number in quotes',
  anchor: 'anchors (&) are not read: write out what stands there',
  alias: 'aliases (*) are not read: write out what they stand for',
};

interface Visit {
  readonly token: CST.Token;
  readonly level: number;
}

/**
 * The first thing in a text that a scenario's file may not hold of YAML: one that makes the text mean more than what stands
 * there. It is found in the tokens, with a stack of its own, before values are made of them: making values recurses, and fails on
 * deep nesting.
 */
export function refusalOf(tokens: readonly CST.Token[]): Refusal | null {
  const second = tokens.filter(({ type }) => type === 'document')[1];
  if (second !== undefined) {
    return { offset: second.offset, message: 'holds several documents (---): write a list, or a file for each' };
  }
  const stack: Visit[] = tokens.map((token) => ({ token, level: 0 })).reverse();
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    const { token, level } = visit;
    const message = level > MOST_LEVELS ? `is nested deeper than ${MOST_LEVELS} levels` : REFUSED[token.type];
    if (message !== undefined) return { offset: 'offset' in token ? token.offset : 0, message };
    const parts = partsOf(token);
    for (let at = parts.length - 1; at >= 0; at -= 1) {
      const part = parts[at];
      if (part !== undefined) stack.push({ token: part, level: level + (isCollection(token) ? 1 : 0) });
    }
  }
  return null;
}

function isCollection({ type }: CST.Token): boolean {
  return type === 'block-map' || type === 'block-seq' || type === 'flow-collection';
}

function partsOf(token: CST.Token): readonly CST.Token[] {
  switch (token.type) {
    case 'document':
      return [...token.start, ...(token.value === undefined ? [] : [token.value])];
    case 'block-scalar':
      return token.props;
    case 'block-map':
    case 'block-seq':
    case 'flow-collection':
      return token.items.flatMap(({ start, key, sep, value }) => [
        ...start,
        ...(key === undefined || key === null ? [] : [key]),
        ...(sep ?? []),
        ...(value === undefined ? [] : [value]),
      ]);
    default:
      return [];
  }
}

const JSON_SCALAR = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;
const NOT_JSON = new Set(['block-map', 'block-seq', 'block-scalar', 'single-quoted-scalar', 'comment']);

/** The place where a text that is YAML stops being JSON; null when that cannot be said. */
export function firstOtherThanJson(tokens: readonly CST.Token[]): number | null {
  const stack = [...tokens].reverse();
  for (let token = stack.pop(); token !== undefined; token = stack.pop()) {
    const isPlain = token.type === 'scalar' && !JSON_SCALAR.test(token.source);
    if (isPlain || NOT_JSON.has(token.type)) return 'offset' in token ? token.offset : null;
    for (const part of [...partsOf(token)].reverse()) stack.push(part);
  }
  return null;
}
