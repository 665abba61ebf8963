import { createReadStream } from 'node:fs';
import type { ParsedFile } from '../../src/features/scenarios/files/read-scenario-file';
import { UsageFailure } from '../failure';
import { nameOf, readText } from '../read-input';
import { linesOf } from './lines';

/** The place of a value in its file, with which problems are reported. */
export interface Place {
  /** Such as `scenarios.jsonl:12`, or the name of a file that holds one value. */
  readonly where: string;
  /** The place of a part of the value. */
  readonly whereIs: (path: readonly PropertyKey[]) => string;
}

/** One value of a file. */
export interface Found extends Place {
  /** A UsageFailure where the text cannot be read. */
  readonly value: unknown;
  /** Whether the file holds only this value: neither a list nor lines. */
  readonly isAlone: boolean;
}

/** A file named *.json or *.yaml holds one value or a list of them; any other, and standard input (`-`), one a line. @throws UsageFailure */
export async function* valuesIn(path: string): AsyncGenerator<Found> {
  const file = nameOf(path);
  if (/\.(?:ya?ml|json)$/i.test(path)) yield* valuesOf(file, await parsedFile(file, await readText(path)));
  else yield* linesIn(path, file);
}

function* valuesOf(file: string, parsed: Placed | Found): Generator<Found> {
  if (!('lineOf' in parsed)) {
    yield parsed;
    return;
  }
  const { value, lineOf } = parsed;
  if (!Array.isArray(value)) {
    yield { value, where: file, isAlone: true, whereIs: (path) => `${file}${lineOf(path)}` };
    return;
  }
  const values: readonly unknown[] = value;
  for (const [index, one] of values.entries()) {
    const where = values.length > 1 ? `${file}[${index}]` : file;
    yield { value: one, where, isAlone: false, whereIs: (path) => `${file}${lineOf([index, ...path])}` };
  }
}

interface Placed {
  readonly value: unknown;
  /** The line with its colon; empty where lines are not known. */
  readonly lineOf: (path: readonly PropertyKey[]) => string;
}

async function parsedFile(file: string, text: string): Promise<Placed | Found> {
  // This module loads YAML, which commands that read no files do not need.
  const reading = await import('../../src/features/scenarios/files/read-scenario-file.js');
  const isJson = /\.json$/i.test(file);
  // A list may be larger than one scenario may be; the lines of its parts are not known then.
  if (isJson && reading.isLong(text)) {
    const value = parsedLine(text);
    return value instanceof UsageFailure ? broken(file, value) : { value, lineOf: () => '' };
  }
  try {
    const parsed: ParsedFile = reading.parseScenarioFile(text, isJson ? 'json' : 'yaml');
    return { value: parsed.value, lineOf: (path) => `:${parsed.lineOf(path)}` };
  } catch (error) {
    if (!(error instanceof reading.ScenarioFileError)) throw error;
    const [first, ...others] = error.problems;
    const more = others.map(({ line, message }) => `; line ${line}: ${message}`).join('');
    return broken(`${file}:${first?.line ?? 1}`, new UsageFailure(`${first?.message ?? 'cannot be read'}${more}`));
  }
}

async function* linesIn(path: string, file: string): AsyncGenerator<Found> {
  const input = path === '-' ? process.stdin : createReadStream(path);
  try {
    for await (const { text, number } of linesOf(input)) {
      const where = `${file}:${number}`;
      if (text instanceof UsageFailure) yield broken(where, text);
      else if (text.trim() !== '') yield { value: parsedLine(text), where, isAlone: false, whereIs: () => where };
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new UsageFailure(`${file} cannot be read: ${error.message}`);
    throw error;
  }
}

function broken(where: string, failure: UsageFailure): Found {
  return { value: failure, where, isAlone: false, whereIs: () => where };
}

function parsedLine(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return new UsageFailure(`is not valid JSON: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
}
