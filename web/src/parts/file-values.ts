/** A value that a file holds, and where: `scenarios.jsonl:12`. */
export interface FileValue {
  readonly where: string;
  readonly value: unknown;
}

export interface FileProblem {
  readonly where: string;
  readonly problem: string;
}

export interface FileContent {
  readonly values: readonly FileValue[];
  readonly problems: readonly FileProblem[];
}

/** In bytes; the service takes no larger request. */
const LARGEST_FILE = 1024 * 1024;

/** What a file holds: *.jsonl a value a line, *.json and *.yaml one value or a list of them. */
export async function valuesIn(file: File): Promise<FileContent> {
  const { name } = file;
  const wrong = (problem: string): FileContent => ({ values: [], problems: [{ where: name, problem }] });
  if (!/\.(jsonl|json|ya?ml)$/i.test(name)) return wrong('is not named *.yaml, *.yml, *.json or *.jsonl');
  if (file.size > LARGEST_FILE) return wrong('is larger than 1 MiB: use the command for it');
  try {
    const text = await file.text();
    if (/\.jsonl$/i.test(name)) return linesOf(name, text);
    const value = /\.json$/i.test(name) ? await parsedJson(text) : await parsedYaml(text);
    const all: readonly unknown[] = Array.isArray(value) ? value : [value];
    const values = all.map((one, at) => ({ where: all.length === 1 ? name : `${name}[${at}]`, value: one }));
    return { values, problems: [] };
  } catch (error) {
    return wrong(`cannot be read: ${messageOf(error)}`);
  }
}

function linesOf(name: string, text: string): FileContent {
  const values: FileValue[] = [];
  const problems: FileProblem[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const where = `${name}:${at + 1}`;
    try {
      values.push({ where, value: JSON.parse(line) });
    } catch (error) {
      problems.push({ where, problem: `is not valid JSON: ${messageOf(error)}` });
    }
  }
  return { values, problems };
}

/** A field that stands there twice is refused: the browser would keep the second alone. */
async function parsedJson(text: string): Promise<unknown> {
  const value: unknown = JSON.parse(text);
  const { parseDocument } = await import('yaml');
  const [twice] = parseDocument(text, { prettyErrors: true }).errors.filter(({ code }) => code === 'DUPLICATE_KEY');
  if (twice !== undefined) throw twice;
  return value;
}

/** Without aliases: a file holds what one reads in it. */
async function parsedYaml(text: string): Promise<unknown> {
  const { parse } = await import('yaml');
  const value: unknown = parse(text, { maxAliasCount: 0, prettyErrors: true, schema: 'core' });
  return value;
}

function messageOf(error: unknown): string {
  // The reader of YAML shows the place in further lines.
  return error instanceof Error ? (error.message.split('\n')[0] ?? '').replace(/:$/, '') : 'unreadable';
}

/** Hands the browser a file to save. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has started by then; otherwise the file would stay in memory.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
