import { relative, sep } from 'node:path';
import type { FileFormat } from '../../src/features/scenarios/files/file-formats';
import { UsageFailure } from '../failure';
import { isRefused, type ImportEntry, type ImportProblem } from '../import/entry';
import { filesBelow } from '../import/files-in';
import { isHealthBenchLine } from '../import/healthbench-format';
import { readOne, unlessKnown } from '../import/read-entries';
import { valuesIn } from '../import/values-in';
import { isObject } from '../read-input';

/** A file that holds one scenario in our format. */
export interface KnownFile {
  /** Path in the folder, with slashes. */
  readonly path: string;
  readonly format: FileFormat;
  /** As it names its schema. */
  readonly schema: unknown;
  /** The entry that an import reads from it. */
  readonly entry: ImportEntry;
}

/** A scenario in a file that an export cannot rewrite. */
export interface ListedScenario {
  readonly path: string;
  /** The form in which the file holds it. */
  readonly how: string;
  readonly entry: ImportEntry;
}

export interface KnownFiles {
  readonly alone: readonly KnownFile[];
  readonly listed: readonly ListedScenario[];
  /** Scenarios that cannot be read: it is unknown which they are, so an export would write them a second time. */
  readonly problems: readonly ImportProblem[];
}

/**
 * The scenarios that a folder holds already, read as an import reads them; files that hold something else are left out.
 * @throws UsageFailure when there is too much in it
 */
export async function knownFilesIn(folder: string): Promise<KnownFiles> {
  const alone: KnownFile[] = [];
  const listed: ListedScenario[] = [];
  const problems: ImportProblem[] = [];
  const firstByKey = new Map<string, string>();
  for (const whole of await filesBelow(folder)) {
    const path = relative(folder, whole).split(sep).join('/');
    for await (const found of valuesIn(whole)) {
      const { value, isAlone } = found;
      if (!mayBeScenario(value)) continue;
      const entry = unlessKnown(readOne(found, 'auto', { category: null, tags: [] }), firstByKey);
      if (isRefused(entry)) {
        problems.push(...entry.problems);
        continue;
      }
      firstByKey.set(entry.key, entry.where);
      if (!isAlone) listed.push({ path, how: 'in a list', entry });
      else if (isObject(value) && isHealthBenchLine(value)) listed.push({ path, how: 'as HealthBench has it', entry });
      else {
        const format = /\.json$/i.test(path) ? 'json' : 'yaml';
        alone.push({ path, format, schema: isObject(value) ? value['$schema'] : undefined, entry });
      }
    }
  }
  return { alone, listed, problems };
}

/** Whether a file is meant as a scenario. YAML and JSON files of other programs have none of these fields; an unreadable file counts as one. */
function mayBeScenario(value: unknown): boolean {
  if (value instanceof UsageFailure) return true;
  return isObject(value) && ('content' in value || 'rubric_criteria' in value || isHealthBenchLine(value));
}
