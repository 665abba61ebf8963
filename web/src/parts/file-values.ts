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

/**
 * What a file holds: *.jsonl a value a line, *.json and *.yaml one value or a list of them, read as the command reads them: what is nested
 * too deeply, stands there twice or is an alias is refused, at its line.
 */
export async function valuesIn(file: File): Promise<FileContent> {
  const { name } = file;
  const wrong = (problem: string): FileContent => ({ values: [], problems: [{ where: name, problem }] });
  if (!/\.(jsonl|json|ya?ml)$/i.test(name)) return wrong('is not named *.yaml, *.yml, *.json or *.jsonl');
  if (file.size > LARGEST_FILE) return wrong('is larger than 1 MiB: use the command for it');
  const text = await file.text();
  if (/\.jsonl$/i.test(name)) return linesOf(name, text);
  // With the library for YAML, which nothing else on the page needs.
  const { parseScenarioFile, ScenarioFileError } =
    await import('../../../src/features/scenarios/files/read-scenario-file');
  try {
    const { value } = parseScenarioFile(text, /\.json$/i.test(name) ? 'json' : 'yaml');
    const all: readonly unknown[] = Array.isArray(value) ? value : [value];
    const values = all.map((one, at) => ({ where: all.length === 1 ? name : `${name}[${at}]`, value: one }));
    return { values, problems: [] };
  } catch (error) {
    if (!(error instanceof ScenarioFileError)) throw error;
    const problems = error.problems.map(({ line, message }) => ({ where: `${name}:${line}`, problem: message }));
    return { values: [], problems };
  }
}

/** In bytes; the service takes no larger request. */
const LARGEST_FILE = 1024 * 1024;

function linesOf(name: string, text: string): FileContent {
  const values: FileValue[] = [];
  const problems: FileProblem[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const where = `${name}:${at + 1}`;
    try {
      values.push({ where, value: JSON.parse(line) });
    } catch (error) {
      problems.push({ where, problem: `is not valid JSON: ${error instanceof Error ? error.message : 'unreadable'}` });
    }
  }
  return { values, problems };
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
