import { Composer, isMap, isScalar, isSeq, LineCounter, Parser, type CST, type ParsedNode } from 'yaml';
import { refusalOf } from './yaml-subset';
import { readJson } from './read-json';

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
  /** Of what stands at the path, or of the nearest thing around it. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
}

/** What a text has that is no scenario yet is not looked at: this is about YAML and JSON. */
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
  // What JSON says, JSON itself reads: the nodes are for lines, and for fields that stand there twice.
  const value = json === null ? composedValue : json.value;
  return { value, lineOf: (path) => at(offsetOf(root, path)) };
}

/** As far as the first that cannot be read: of some texts every character would be another error. */
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
  // Of keys that stand there twice it takes a look at every pair: we look them up.
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
