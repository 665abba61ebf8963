import { UsageFailure } from '../failure';
import { isObject } from '../read-input';
import {
  isRefused,
  type ImportDefaults,
  type ImportEntry,
  type ImportProblem,
  type LineFormat,
  type Refused,
} from './entry';
import { isHealthBenchLine, readHealthBenchLine } from './healthbench-format';
import { readOsceLine } from './osce-format';
import { valuesIn, type Found } from './values-in';

export const IMPORT_FORMATS = ['auto', 'osce', 'healthbench'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** More must be split into several imports: all entries are held in memory until the last line has been checked. */
const MOST_ENTRIES = 20_000;
/** The service accepts requests of up to 1 MiB. */
const LARGEST_REQUEST = 1024 * 1024;

export interface ReadEntries {
  readonly entries: readonly ImportEntry[];
  readonly problems: readonly ImportProblem[];
  /** How many scenarios have problems: each may have several. */
  readonly refused: number;
}

/**
 * Reads and checks all scenarios of all files before anything is sent. A file named *.yaml or *.json holds one scenario or a
 * list of them; any other, and standard input (`-`), one JSON object a line; empty lines are skipped.
 * @throws UsageFailure when a file cannot be read
 */
export async function readEntries(
  paths: readonly string[],
  format: ImportFormat,
  defaults: ImportDefaults,
): Promise<ReadEntries> {
  const entries: ImportEntry[] = [];
  const problems: ImportProblem[] = [];
  let refused = 0;
  const firstByKey = new Map<string, string>();
  for (const path of paths) {
    for await (const found of valuesIn(path)) {
      const read = unlessKnown(readOne(found, format, defaults), firstByKey);
      if (isRefused(read)) {
        problems.push(...read.problems);
        refused += 1;
        continue;
      }
      firstByKey.set(read.key, read.where);
      entries.push(read);
      if (entries.length > MOST_ENTRIES)
        throw new UsageFailure(`More than ${MOST_ENTRIES} scenarios: import them in parts.`);
    }
  }
  return { entries, problems, refused };
}

/** @param firstByKey the place where each key was read first */
export function unlessKnown(
  read: ImportEntry | Refused,
  firstByKey: ReadonlyMap<string, string>,
): ImportEntry | Refused {
  if (isRefused(read)) return read;
  const { key, where } = read;
  const earlier = firstByKey.get(key);
  if (earlier === undefined) return read;
  const problem = `has the same key as ${earlier} (${key}): give each line a \`key\` of its own`;
  return { problems: [{ where, problem }] };
}

/** Reads one scenario in either format. */
export function readOne(found: Found, format: ImportFormat, defaults: ImportDefaults): ImportEntry | Refused {
  const { value, where, isAlone } = found;
  if (value instanceof UsageFailure) return { problems: [{ where, problem: value.message }] };
  if (!isObject(value)) return { problems: [{ where, problem: isAlone ? instead(value) : 'must be a JSON object' }] };
  const isHealthBench = format === 'healthbench' || (format === 'auto' && isHealthBenchLine(value));
  const read: LineFormat = isHealthBench ? readHealthBenchLine : readOsceLine;
  const entry = read(value, found, defaults);
  if (isRefused(entry)) return entry;
  const size = Buffer.byteLength(JSON.stringify(entry.fields));
  const problem = 'is larger than the 1 MiB that the service accepts';
  return size > LARGEST_REQUEST ? { problems: [{ where, problem }] } : entry;
}

/** The problem of a file that holds no scenario. */
function instead(value: unknown): string {
  return value === null ? 'is empty: write a scenario there, or remove it' : 'must be a scenario: a map of fields';
}
